/**
 * Cases for every rule that spans fields, as plain data: whole specs, so that the same cases can be put to an API
 * server. Each case says whether the one rule it is about holds; everything else in it is right.
 */
export interface RuleCase {
  /** The kind whose spec it is, or `lifecycle.yaml`. */
  readonly of: string;
  /** The rule, by its CEL text. */
  readonly rule: string;
  readonly says: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The spec before an update; without it the case is a creation. */
  readonly old?: Readonly<Record<string, unknown>>;
  readonly holds: boolean;
}

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

const keystone = { name: 'keystone', version: '27.0.0' };
const glance = { name: 'glance', version: '30.0.0' };

const plan = {
  deployment: 'north',
  recordGeneration: 1,
  digest: digest('a'),
  plan: {
    cloud: 'north',
    approval: 'manual',
    recordDigest: digest('b'),
    stages: [],
    steps: [],
    back: [],
    waiting: [],
    offers: [],
    notes: [],
    impact: { api: 'none', workloads: 'none' },
    estimateSeconds: 0,
  },
};

const approval = { approvedBy: 'jo', approvedAt: '2026-01-31T22:00:00Z' };

const revision = {
  deployment: 'north',
  service: 'keystone',
  number: 3,
  version: '27.0.0',
  flow: 'upgrade',
  parts: [{ component: 'api', version: '27.0.0', packageDigest: digest('c'), inventory: [] }],
};

const lifecycle = (migrate: Readonly<Record<string, string>>) => ({
  service: 'keystone',
  version: '27.0.0',
  data: [{ name: 'keystone', migrate }],
});

const withImage = (image: Readonly<Record<string, unknown>>) => ({
  service: 'keystone',
  version: '27.0.0',
  images: [{ name: 'example/keystone:27.0.0', ...image }],
});

const dependsOn = { of: 'OpenstackDeployment', rule: '!(self.name in self.dependsOn)' };
const removed = {
  of: 'OpenstackDeployment',
  rule: 'self.removed.all(r, !self.services.exists(s, s.name == r.name))',
};
const stage = {
  of: 'OpenstackDeployment',
  rule: 'has(self.tiers) || has(self.services) || has(self.hostGroups)',
};
const sourceCommit = { of: 'OpenstackDeployment', rule: "(self.type == 'git') == has(self.commit)" };
const sourcePath = { of: 'OpenstackDeployment', rule: "self.type == 'git' || !has(self.path)" };
const commit = '0123456789abcdef0123456789abcdef01234567';
const withSource = (source: object) => ({ services: [keystone], source });
const planDigest = {
  of: 'LifecyclePlan',
  rule: 'self.digest == oldSelf.digest && self.deployment == oldSelf.deployment && self.recordGeneration == oldSelf.recordGeneration && self.plan == oldSelf.plan',
};
const approvalDigest = {
  of: 'LifecyclePlan',
  rule: '!has(self.approval) || self.approval.digest == self.digest',
};
const fixedRevision = { of: 'ServiceRevision', rule: 'self == oldSelf' };
const eitherWay = {
  of: 'lifecycle.yaml',
  rule: 'has(self.sync) != (has(self.expand) || has(self.migrate) || has(self.contract))',
};
const isProgram = { of: 'lifecycle.yaml', rule: 'has(self.command) || has(self.root)' };
const rootNeedsMore = { of: 'lifecycle.yaml', rule: "!has(self.root) || self.isolation != 'none'" };
const needsExpand = { of: 'lifecycle.yaml', rule: 'has(self.sync) || has(self.expand)' };

export const ruleCases: readonly RuleCase[] = [
  { ...dependsOn, says: 'a service without dependencies', value: { services: [keystone] }, holds: true },
  {
    ...dependsOn,
    says: 'a service that depends on another',
    value: { services: [{ ...keystone, dependsOn: ['glance'] }, glance] },
    holds: true,
  },
  {
    ...dependsOn,
    says: 'a service that depends on itself',
    value: { services: [{ ...keystone, dependsOn: ['glance', 'keystone'] }, glance] },
    holds: false,
  },

  {
    ...sourceCommit,
    says: 'a repository at a commit',
    value: withSource({ type: 'git', location: 'https://example.org/packages.git', commit }),
    holds: true,
  },
  {
    ...sourceCommit,
    says: 'a repository at no commit',
    value: withSource({ type: 'git', location: 'https://example.org/packages.git' }),
    holds: false,
  },
  {
    ...sourceCommit,
    says: 'a folder at a commit',
    value: withSource({ type: 'local', location: 'packages', commit }),
    holds: false,
  },
  {
    ...sourcePath,
    says: 'a folder of a repository',
    value: withSource({ type: 'git', location: 'https://example.org/p.git', commit, path: '{name}' }),
    holds: true,
  },
  {
    ...sourcePath,
    says: 'a folder of an archive',
    value: withSource({ type: 'tar', location: 'packages.tar', path: '{name}' }),
    holds: false,
  },

  { ...removed, says: 'nothing is removed', value: { services: [keystone] }, holds: true },
  {
    ...removed,
    says: 'a service that is no longer there is removed',
    value: { services: [keystone], removed: [{ name: 'glance' }] },
    holds: true,
  },
  {
    ...removed,
    says: 'a service is wanted and removed',
    value: { services: [keystone, glance], removed: [{ name: 'heat' }, { name: 'glance' }] },
    holds: false,
  },

  {
    ...stage,
    says: 'a stage of tiers',
    value: { services: [keystone], stages: [{ name: 'one', tiers: ['infrastructure'] }] },
    holds: true,
  },
  {
    ...stage,
    says: 'a stage of services',
    value: { services: [keystone], stages: [{ name: 'one', services: ['keystone'] }] },
    holds: true,
  },
  {
    ...stage,
    says: 'a stage of host groups',
    value: { services: [keystone], stages: [{ name: 'one', hostGroups: ['zone-a'] }] },
    holds: true,
  },
  {
    ...stage,
    says: 'a stage of nothing',
    value: { services: [keystone], stages: [{ name: 'one', gate: 'manual' }] },
    holds: false,
  },

  { ...planDigest, says: 'a new plan', value: plan, holds: true },
  { ...planDigest, says: 'a plan that is paused', value: { ...plan, paused: true }, old: plan, holds: true },
  {
    ...planDigest,
    says: 'a plan with another digest',
    value: { ...plan, digest: digest('d') },
    old: plan,
    holds: false,
  },
  {
    ...planDigest,
    says: 'a plan that was changed under its digest',
    value: { ...plan, plan: { ...plan.plan, cloud: 'another' } },
    old: plan,
    holds: false,
  },

  { ...approvalDigest, says: 'a plan without approval', value: plan, holds: true },
  {
    ...approvalDigest,
    says: 'an approval of this digest',
    value: { ...plan, approval: { ...approval, digest: digest('a') } },
    holds: true,
  },
  {
    ...approvalDigest,
    says: 'an approval of another digest',
    value: { ...plan, approval: { ...approval, digest: digest('d') } },
    holds: false,
  },

  { ...fixedRevision, says: 'a new revision', value: revision, holds: true },
  {
    ...fixedRevision,
    says: 'the same revision with its keys in another order',
    value: Object.fromEntries(Object.entries(revision).reverse()),
    old: revision,
    holds: true,
  },
  {
    ...fixedRevision,
    says: 'a revision with another version',
    value: { ...revision, version: '28.0.0' },
    old: revision,
    holds: false,
  },
  {
    ...fixedRevision,
    says: 'a revision with one thing more',
    value: { ...revision, by: 'jo' },
    old: revision,
    holds: false,
  },

  { ...eitherWay, says: 'one task for all', value: lifecycle({ sync: 'job/sync' }), holds: true },
  { ...eitherWay, says: 'a split migration', value: lifecycle({ expand: 'job/expand' }), holds: true },
  {
    ...eitherWay,
    says: 'a split migration with all its parts',
    value: lifecycle({ expand: 'job/expand', migrate: 'job/rows', contract: 'job/contract' }),
    holds: true,
  },
  {
    ...eitherWay,
    says: 'both ways at once',
    value: lifecycle({ sync: 'job/sync', expand: 'job/expand' }),
    holds: false,
  },
  {
    ...eitherWay,
    says: 'one task for all, and a contract',
    value: lifecycle({ sync: 'job/sync', contract: 'job/contract' }),
    holds: false,
  },
  { ...eitherWay, says: 'a migration that is empty', value: lifecycle({}), holds: false },

  {
    ...needsExpand,
    says: 'one task for all needs no expand',
    value: lifecycle({ sync: 'job/sync' }),
    holds: true,
  },
  {
    ...needsExpand,
    says: 'a split migration with expand',
    value: lifecycle({ expand: 'job/expand', contract: 'job/contract' }),
    holds: true,
  },
  {
    ...needsExpand,
    says: 'a split migration without expand',
    value: lifecycle({ contract: 'job/contract' }),
    holds: false,
  },
  {
    ...isProgram,
    says: 'an image that is a command',
    value: withImage({ command: ['keystone'] }),
    holds: true,
  },
  { ...isProgram, says: 'an image that is a folder', value: withImage({ root: 'root' }), holds: true },
  { ...isProgram, says: 'an image that is nothing', value: withImage({}), holds: false },
  {
    ...rootNeedsMore,
    says: 'a folder in namespaces',
    value: withImage({ root: 'root', isolation: 'namespaces' }),
    holds: true,
  },
  {
    ...rootNeedsMore,
    says: 'a folder as root of a program without namespaces',
    value: withImage({ root: 'root', isolation: 'none' }),
    holds: false,
  },
];
