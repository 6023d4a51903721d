import type { ApiCall } from '../../scripts/kubernetes/api-call.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';

/** A token of a service account, as a pod of it gets one; good for an hour. */
export async function accountToken(call: ApiCall, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status, body } = await call('POST', path, asked);
  if (status !== 201) throw new Error(`no token for ${namespace}/${account}: ${JSON.stringify(body)}`);
  return (body as { status: { token: string } }).status.token;
}

/** What somebody wants to do. `resource` is `group/resource` or `resource`, each with `.subresource` or without. */
export interface Wish {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace?: string;
}

/** Whether this user may do that there, as `kubectl auth can-i` asks. */
export async function mayDo(admin: Cluster, { user, verb, resource, namespace }: Wish): Promise<boolean> {
  const [first = '', second] = resource.split('/');
  const of = second === undefined ? { group: '', resource: first } : { group: first, resource: second };
  const [name = '', subresource] = of.resource.split('.');
  const review = await admin.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user,
      groups: ['system:authenticated'],
      resourceAttributes: {
        ...{ verb, group: of.group, resource: name },
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    },
  });
  return (review['status'] as { allowed: boolean }).allowed;
}

/** The cluster as a person sees it who has these of our roles in a namespace. */
export async function aPerson(
  admin: KubernetesCluster,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  roles: readonly string[],
): Promise<KubernetesCluster> {
  for (const role of roles)
    await admin.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: `${name}-${role}`, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    });
  return admin.as({ user: name, groups: ['system:authenticated'] });
}
