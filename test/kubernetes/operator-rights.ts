import { apiCall } from '../../scripts/kubernetes/api-call.ts';
import { readAccess } from '../../scripts/kubernetes/kubeconfig.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import { group } from '../../src/api/group.ts';
import { operatorName, servicesName } from '../../src/app/deploy/deploy-names.ts';
import { install } from '../../src/app/deploy/install.ts';
import { approveVerb } from '../../src/app/deploy/rules.ts';
import { fixedCredentials } from '../../src/cluster/kubernetes/access/access.ts';
import { findAccess } from '../../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { accountToken, aPerson, mayDo, type Wish } from '../../src/testing/shipped-rights.ts';
import { journeyPerson } from '../journeys/engine/journey-place.ts';

/** The cluster as those see it who have a part in one cloud. */
export interface Rights {
  /** The account of the operator, which looks after this namespace alone. */
  readonly operator: KubernetesCluster;
  /** Who writes the record and gives a word: may view, edit and approve, and nothing else. */
  readonly person: KubernetesCluster;
  /** What the operator, itself or in the name of a record's account, asked for and was not allowed, also where it went on without. */
  readonly denied: readonly string[];
}

/** The roles of who writes records and gives a word. */
export const personRoles: readonly string[] = ['afloat-view', 'afloat-edit', 'afloat-approve'];

/** What such a person may do when all of these roles are heeded. */
export const personRights = (namespace: string): readonly Wish[] => [
  { user: journeyPerson, verb: 'get', resource: 'pods', namespace },
  { user: journeyPerson, verb: 'create', resource: 'secrets', namespace },
  { user: journeyPerson, verb: approveVerb, resource: `${group}/lifecycleplans`, namespace },
];

/**
 * Gives everybody in a namespace the rights that are shipped, and no other: what `afloat install` puts there, policies too, but no Pod of
 * the operator. Returns when the API server heeds them. The caller closes the one of the operator (that of the person goes with the admin's), and removes the namespace.
 */
export async function installRights(
  admin: KubernetesCluster,
  kubeconfig: string,
  namespace: string,
): Promise<Rights> {
  const access = await findAccess({ kubeconfig });
  const request = { namespace, watch: namespace, image: 'afloat.test/none:1', replicas: 0 };
  await install(admin, request, access.server).carryOut();
  const person = await aPerson(admin, { name: journeyPerson, namespace }, personRoles);
  for (const wish of lastRights(namespace))
    await waitUntil(`the right of ${wish.user}`, 60, () => mayDo(admin, wish));
  const token = await accountToken(apiCall(await readAccess(kubeconfig)), namespace, operatorName);
  const { server, authority } = access;
  const denied: string[] = [];
  const operator = KubernetesCluster.to(
    {
      ...{ server, namespace, credentials: fixedCredentials({ token }) },
      ...(authority === undefined ? {} : { authority }),
    },
    { onAnswer: ({ method, path, code }) => void (code === 403 && denied.push(`${method} ${path}`)) },
  );
  return { operator, person, denied };
}

/** One right of each role: roles and bindings come to the API server's eyes a moment after they were written. */
function lastRights(namespace: string): readonly Wish[] {
  const account = (name: string) => `system:serviceaccount:${namespace}:${name}`;
  return [
    { user: account(operatorName), verb: 'watch', resource: `${group}/oslcs`, namespace },
    { user: account(operatorName), verb: 'impersonate', resource: 'serviceaccounts', namespace },
    { user: account(servicesName), verb: 'create', resource: 'apps/deployments', namespace },
    ...personRights(namespace),
  ];
}
