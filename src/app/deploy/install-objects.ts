import { crdOf } from '../../api/crd.ts';
import { kinds } from '../../api/kinds.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { operatorNamespace } from './deploy-names.ts';
import { deploymentObject, disruptionBudget, metricsService, namespaceObject } from './operator-objects.ts';
import { policyObjects } from './policies.ts';
import {
  cloudAccess,
  clusterRoles,
  definitionReaders,
  type OperatorPlace,
  operatorAccess,
} from './role-objects.ts';

/** What is installed. */
export interface InstallRequest extends Partial<OperatorPlace> {
  readonly image: string;
  readonly replicas?: number;
  /** Namespaces in which there may be clouds; each must be there, or is made. */
  readonly clouds?: readonly string[];
  readonly pullPolicy?: string;
}

/** The definitions of our kinds. */
export function crdObjects(): readonly ClusterObject[] {
  return kinds.map(kind => crdOf(kind) as unknown as ClusterObject);
}

/** Roles, policies and the operator itself, without the definitions, in the order in which they can be applied. */
export function operatorObjects(request: InstallRequest): readonly ClusterObject[] {
  const { namespace = operatorNamespace, replicas = 2, watch, everywhere, image, pullPolicy } = request;
  const place = {
    namespace,
    ...(watch === undefined ? {} : { watch }),
    ...(everywhere === undefined ? {} : { everywhere }),
  };
  const clouds = [...new Set([...(watch === undefined ? [] : [watch]), ...(request.clouds ?? [])])];
  const words = watch === undefined ? [] : [`--namespace=${watch}`];
  return [
    namespaceObject(namespace),
    ...clusterRoles(),
    definitionReaders(),
    ...policyObjects(),
    ...operatorAccess(place),
    ...clouds.flatMap(cloud => cloudAccess(cloud, place)),
    metricsService(namespace),
    ...(replicas > 1 ? [disruptionBudget(namespace)] : []),
    deploymentObject({
      namespace,
      image,
      replicas,
      words,
      ...(pullPolicy === undefined ? {} : { pullPolicy }),
    }),
  ];
}
