import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Unversioned } from '../store/transaction.ts';
import { preparePodTemplate } from './prepare-pod.ts';

/** A Job finds its Pods by its own uid, unless it says otherwise; one that names no number is done once. */
export function prepareJob(job: Unversioned, before: Unversioned | undefined): Unversioned {
  const prepared = preparePodTemplate(job);
  const spec = prepared['spec'];
  if (!isObject(spec)) return prepared;
  const { name, uid } = job.metadata;
  const isOnce =
    spec['completions'] === undefined && spec['parallelism'] === 1 && spec['completionMode'] !== 'Indexed';
  const counted: JsonObject = isOnce ? { ...spec, completions: 1 } : spec;
  if (before || spec['manualSelector'] === true || !isObject(spec['template'])) {
    return { ...prepared, spec: counted };
  }
  const template = spec['template'];
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  const own = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name };
  const older = { 'controller-uid': uid, 'job-name': name };
  const labels = { ...(isObject(metadata['labels']) ? metadata['labels'] : {}), ...own, ...older };
  return {
    ...prepared,
    spec: {
      ...counted,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}
