import { crdOf } from '../../api/crd.ts';
import { kinds } from '../../api/kinds.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type CustomKind, extraRights, followWords, workflowKind } from './custom-kinds.ts';
import { operatorNamespace } from './deploy-names.ts';
import { deploymentObject, disruptionBudget, metricsService, namespaceObject } from './operator-objects.ts';
import { policyObjects } from './policies.ts';
import {
  cloudAccess,
  clusterRoles,
  definitionReaders,
  extraCloudAccess,
  extraOperatorAccess,
  extraRoles,
  type OperatorPlace,
  operatorAccess,
} from './role-objects.ts';
import {
  type ClusterRouters,
  needsHostFolders,
  routersConfig,
  routersDeployment,
  routersText,
} from './router-objects.ts';

/** What is installed. */
export interface InstallRequest extends Partial<OperatorPlace> {
  readonly image: string;
  readonly replicas?: number;
  /** Namespaces in which there may be clouds; each must be there, or is made. */
  readonly clouds?: readonly string[];
  readonly pullPolicy?: string;
  /** A PersistentVolumeClaim in the operator's namespace with packages, for paths of existing manifests. */
  readonly packageRootClaim?: string;
  /** Where routers are that packages name. */
  readonly routers?: ClusterRouters;
  /** Records may have Argo Workflows, and the operator follows them. */
  readonly argoWorkflows?: boolean;
  /** The same for other kinds that packages bring. */
  readonly customKinds?: readonly CustomKind[];
  /** The definitions alone: for who brings the operator with the chart, which changes none that are there. */
  readonly crdsOnly?: boolean;
}

/** The definitions of our kinds. */
export function crdObjects(): readonly ClusterObject[] {
  return kinds.map(kind => crdOf(kind) as unknown as ClusterObject);
}

/** Roles, policies and the operator itself, without the definitions, in the order in which they can be applied. */
export function operatorObjects(request: InstallRequest): readonly ClusterObject[] {
  const { namespace = operatorNamespace, replicas = 2, watch, everywhere, image, pullPolicy } = request;
  const { packageRootClaim: claimName, argoWorkflows = false, customKinds = [], routers } = request;
  const routed = routers && routersDeployment(routers);
  const place = {
    namespace,
    ...(watch === undefined ? {} : { watch }),
    ...(everywhere === undefined ? {} : { everywhere }),
  };
  const clouds = [...new Set([...(watch === undefined ? [] : [watch]), ...(request.clouds ?? [])])];
  const words = [
    ...(watch === undefined ? [] : [`--namespace=${watch}`]),
    ...(routed?.words ?? []),
    ...followWords([...(argoWorkflows ? [workflowKind] : []), ...customKinds]),
  ];
  const extras = extraRights({ argoWorkflows, customKinds });
  return [
    // Folders of a machine are more than a normal user has.
    namespaceObject(namespace, needsHostFolders(routers) ? 'privileged' : 'restricted'),
    ...clusterRoles(),
    definitionReaders(),
    ...policyObjects(),
    ...operatorAccess(place),
    ...clouds.flatMap(cloud => cloudAccess(cloud, place)),
    ...extras.flatMap(extra => [
      ...extraRoles(extra),
      ...extraOperatorAccess(extra, place),
      ...clouds.flatMap(cloud => extraCloudAccess(extra, cloud)),
    ]),
    metricsService(namespace),
    ...(replicas > 1 ? [disruptionBudget(namespace)] : []),
    ...(routers ? [routersConfig.object(namespace, routersText(routers))] : []),
    deploymentObject({
      namespace,
      image,
      replicas,
      ...routed,
      words,
      ...(pullPolicy === undefined ? {} : { pullPolicy }),
      ...(claimName === undefined
        ? {}
        : { packageRoot: { persistentVolumeClaim: { claimName, readOnly: true } } }),
    }),
  ];
}
