import { describe, expect, it } from 'vitest';
import { aPackage, manifest, type Texts } from './memory-source.contract.ts';
import { placeObjects } from './place-objects.ts';

/** Each object with its component, role and phases, in one line. */
function placed(files: Texts, more = ''): Record<string, string> {
  const { lifecycle, manifests } = aPackage(files, more);
  const lines = placeObjects(lifecycle, manifests).map(
    ({ manifest: { object }, component, role, phases }) => {
      const { name } = object['metadata'] as { name: string };
      return [component === undefined ? name : `${component}: ${name}`, `${role} ${phases.join(' ')}`];
    },
  );
  return Object.fromEntries(lines);
}

const installed = 'workload install upgrade rollback';

describe('placeObjects goes by kind where no list names the file', () => {
  it.each([
    { kind: 'Deployment', want: installed },
    { kind: 'StatefulSet', want: installed },
    { kind: 'DaemonSet', want: installed },
    { kind: 'Service', want: installed },
    { kind: 'SomethingElse', want: installed },
    { kind: 'Job', want: 'task install' },
    { kind: 'Pod', want: 'task install' },
    { kind: 'Workflow', want: 'task install' },
    { kind: 'CronJob', want: 'workload operational' },
    { kind: 'PodDisruptionBudget', want: 'workload operational' },
    { kind: 'Ingress', want: 'workload trafficrollout' },
    { kind: 'HTTPRoute', want: 'workload trafficrollout' },
    { kind: 'Secret', want: 'support install' },
    { kind: 'ConfigMap', want: 'support install' },
    { kind: 'ServiceAccount', want: 'support install' },
    { kind: 'Role', want: 'support install' },
    { kind: 'RoleBinding', want: 'support install' },
  ])('$kind: $want', ({ kind, want }) => {
    expect(placed({ 'a.yaml': manifest(kind, 'a') })).toEqual({ a: want });
  });
});

describe('placeObjects', () => {
  it.each<{ name: string; files: Texts; more?: string; want: Record<string, string> }>([
    {
      name: 'follows the lists: a Job of the test phase is no part of the install',
      files: { 'test.yaml': manifest('Job', 'try') },
      more: 'phases: { test: [test.yaml] }',
      want: { try: 'task test' },
    },
    {
      name: 'gives a file to every phase that lists it',
      files: { 'a.yaml': manifest('Job', 'a') },
      more: 'phases: { upgrade: [a.yaml], install: [a.yaml] }',
      want: { a: 'task install upgrade' },
    },
    {
      name: 'keeps a workload that only one other phase lists to that phase',
      files: { 'a.yaml': manifest('Deployment', 'a') },
      more: 'phases: { trafficdrain: [a.yaml] }',
      want: { a: 'workload trafficdrain' },
    },
    {
      name: 'puts the support set into every phase that runs something, and into no other',
      files: {
        'etc.yaml': manifest('ConfigMap', 'etc'),
        'test.yaml': manifest('Job', 'try'),
        'route.yaml': manifest('Ingress', 'route'),
        'cron.yaml': manifest('CronJob', 'rotate'),
      },
      more: 'phases: { test: [test.yaml] }',
      want: {
        etc: 'support install test operational',
        try: 'task test',
        route: 'workload trafficrollout',
        rotate: 'workload operational',
      },
    },
    {
      name: 'takes a ConfigMap for support though a list names its file',
      files: { 'api.yaml': manifest('ConfigMap', 'etc') + manifest('Deployment', 'api') },
      more: 'phases: { install: [api.yaml] }',
      want: { etc: 'support install upgrade rollback', api: installed },
    },
    {
      name: 'takes every file under `support` for support',
      files: { 'ca.yaml': manifest('Certificate', 'ca'), 'test.yaml': manifest('Pod', 'try') },
      more: 'support: [ca.yaml]\nphases: { test: [test.yaml] }',
      want: { ca: 'support install test', try: 'task test' },
    },
    {
      name: 'runs each task of a database in the phase of its use',
      files: {
        'db.yaml': ['init', 'backup', 'verify', 'restore', 'drop', 'expand', 'migrate', 'contract']
          .map(task => manifest('Job', task))
          .join(''),
      },
      more: `data:
  - name: identity
    init: job/init
    backup: job/backup
    verify: job/verify
    restore: job/restore
    drop: job/drop
    migrate: { expand: job/expand, migrate: job/migrate, contract: job/contract }
`,
      want: {
        init: 'task install',
        backup: 'task upgrade',
        verify: 'task upgrade',
        restore: 'task rollback',
        drop: 'task delete',
        expand: 'task upgrade',
        migrate: 'task upgrade',
        contract: 'task upgrade',
      },
    },
    {
      name: 'knows the task that runs our own program for a database, by its name or by the one that is given',
      files: { 'data.yaml': manifest('Job', 'identity-data') + manifest('Job', 'ours') },
      more: `data: [{ name: identity, driver: mariadb }, { name: other, driver: mariadb, task: job/ours }]
phases: { install: [data.yaml] }
`,
      want: { 'identity-data': 'task upgrade', ours: 'task upgrade' },
    },
    {
      name: 'lets a list add a phase to a named task, but never to one that takes something away',
      files: { 'db.yaml': manifest('Job', 'sync') + manifest('Job', 'drop') + manifest('Job', 'restore') },
      more: `data: [{ name: identity, migrate: { sync: job/sync }, drop: job/drop, restore: job/restore }]
phases: { install: [db.yaml] }
`,
      want: { sync: 'task install upgrade', drop: 'task delete', restore: 'task rollback' },
    },
    {
      name: 'runs checks before, steps around and the reconcile task after',
      files: { 'a.yaml': ['check', 'pin', 'unpin', 'heal'].map(task => manifest('Job', task)).join('') },
      more: 'preflight: [job/check]\npre: [job/pin]\npost: [job/unpin]\nreconcile: job/heal\n',
      want: { check: 'task planning', pin: 'task upgrade', unpin: 'task upgrade', heal: 'task rollback' },
    },
    {
      name: 'keeps what `keep` names out of everything but the install',
      files: { 'a.yaml': manifest('Secret', 'keys') + manifest('Job', 'try') },
      more: 'keep: [secret/keys]\n',
      want: { keys: 'kept install', try: 'task install' },
    },
    {
      name: 'gives a file to the component that lists it, and to each where several do',
      files: {
        'api.yaml': manifest('Deployment', 'api'),
        'etc.yaml': manifest('ConfigMap', '${component}-etc'),
        'db.yaml': manifest('Job', 'db'),
      },
      more: `components:
  - { name: api, phases: { install: [api.yaml, etc.yaml] } }
  - { name: agent, phases: { install: [etc.yaml] } }
`,
      want: {
        'api: api': installed,
        'api: ${component}-etc': 'support install upgrade rollback',
        'agent: ${component}-etc': 'support install upgrade rollback',
        db: 'task install',
      },
    },
  ])('$name', ({ files, more, want }) => {
    expect(placed(files, more)).toEqual(want);
  });

  it('says why', () => {
    const { lifecycle, manifests } = aPackage(
      {
        'a.yaml': manifest('Deployment', 'a'),
        'b.yaml': manifest('CronJob', 'b'),
        'c.yaml': manifest('Secret', 'c') + manifest('Job', 'd') + manifest('Secret', 'e'),
      },
      'phases: { install: [a.yaml] }\npreflight: [job/d]\nkeep: [secret/e]\n',
    );
    expect(placeObjects(lifecycle, manifests).map(({ because }) => because)).toEqual([
      '`phases.install` lists a.yaml; what is installed is changed by upgrade and rollback too',
      'no list names b.yaml, and a CronJob belongs to operational',
      'a Secret is there in every phase that runs something',
      '`preflight[0]` names it',
      '`keep` names it: made once, then left to who writes it',
    ]);
  });
});
