import type { StoredObject } from '../../../cluster/cluster.ts';
import { revisionType } from '../object/workload-kinds.ts';
import type { View } from '../run/view.ts';
import type { ControllerRevision } from './controller-revision.ts';

/** The revisions near an owner that may have the name of a new one of its own, whoever they belong to. */
export function namesakesOf({ metadata }: StoredObject, view: View): readonly ControllerRevision[] {
  const { namespace, name } = metadata;
  return view
    .all<ControllerRevision>(revisionType)
    .filter(one => one.metadata.namespace === namespace && one.metadata.name.startsWith(`${name}-`));
}
