import { isObject, type JsonObject } from '../../base/json.ts';
import type { Account } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { Ask } from './ask.ts';
import type { ObjectsRoute } from './parse-route.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send.ts';
import { notOffered } from './wire-refusal.ts';

/** A question that is put as an object and never kept. */
export interface ReviewKind {
  readonly group: string;
  readonly version: 'v1';
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly status: (account: Account) => object;
}

const authorization = { group: 'authorization.k8s.io', version: 'v1', isNamespaced: false } as const;

/** Whoever has the token may do everything, in any name. */
const allowed = () => ({
  allowed: true,
  reason: 'whoever has the token of the embedded cluster may do everything',
});

const everything = () => ({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
});

/** The questions about who may do what, and who one is. */
export const reviewKinds: readonly ReviewKind[] = [
  { ...authorization, kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', status: allowed },
  { ...authorization, kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', status: allowed },
  {
    ...authorization,
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    isNamespaced: true,
    status: allowed,
  },
  { ...authorization, kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews', status: everything },
  {
    ...authorization,
    group: 'authentication.k8s.io',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    status: ({ user, groups = [] }) => ({ userInfo: { username: user, groups } }),
  },
];

/** Who asks where no other account is named. */
const owner: Account = { user: 'afloat', groups: ['system:masters', 'system:authenticated'] };

/** The question that a path is for; undefined where it is for none. */
export function reviewAt({ group, version, plural, name }: ObjectsRoute): ReviewKind | undefined {
  if (name !== undefined) return undefined;
  return reviewKinds.find(one => one.group === group && one.version === version && one.plural === plural);
}

/** Answers a question: what was sent comes back with its status, but for what was sent in protobuf, of which nothing is read. */
export async function answerReview(
  { request, response }: Pick<Ask, 'request' | 'response'>,
  { group, version, kind, status }: ReviewKind,
  account: Account = owner,
): Promise<void> {
  if (request.method !== 'POST') throw notOffered();
  const body = await readBody(request, ['application/json'], () => ({}));
  if (!isObject(body)) throw new ClusterError('BadRequest', `a ${kind} is expected`);
  const { metadata = {}, spec = {} }: JsonObject = body;
  sendJson(response, 201, {
    kind,
    apiVersion: `${group}/${version}`,
    metadata,
    spec,
    status: status(account),
  });
}
