import type { JsonObject } from '../base/json.ts';
import {
  conditions,
  digestText,
  label,
  moment,
  objectName,
  observedGeneration,
  rollbackPolicy,
  strategies,
  tiers,
  versionText,
} from './fields.ts';
import { ageColumn, type Kind, type ObjectOf, type SpecOf } from './kind.ts';
import {
  anyObject,
  choice,
  defaulted,
  flag,
  integer,
  list,
  object,
  optional,
  rule,
  text,
  type ValueOf,
} from './schema/schema.ts';

/** Where the bytes of a package come from. */
const source = object(
  'Where a package comes from.',
  {
    type: choice('`local` is a folder, `tar` an archive, `git` a repository at a commit.', [
      'local',
      'tar',
      'git',
    ]),
    location: text(
      'Path of the package, from the folder of the record; address of the repository for `git`. `{name}` and `{version}` stand for the service and its version.',
      { max: 4096, min: 1 },
    ),
    commit: optional(
      text('The commit of a `git` source. Names of branches and tags can move, and are not taken.', {
        max: 64,
        min: 40,
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        says: 'the full id of a commit, 40 or 64 hexadecimal digits',
      }),
    ),
    path: optional(
      text(
        'The folder of the package in the repository of a `git` source, with the same placeholders; without it the root.',
        { max: 4096, min: 1 },
      ),
    ),
  },
  {
    rules: [
      rule<{ type: string; commit?: string }>(
        "(self.type == 'git') == has(self.commit)",
        self => (self.type === 'git') === (self.commit !== undefined),
        'a `git` source needs `commit`, and no other has one',
        '.commit',
      ),
      rule<{ type: string; path?: string }>(
        "self.type == 'git' || !has(self.path)",
        self => self.type === 'git' || self.path === undefined,
        'only a `git` source has a `path`: write it into `location`',
        '.path',
      ),
    ],
  },
);

const valuesFrom = object('A Secret or ConfigMap whose content becomes a value.', {
  kind: choice('The kind of object.', ['Secret', 'ConfigMap']),
  name: objectName('Its name, in the namespace of the record.'),
  valuesKey: optional(
    text('The key to take; without it the key `values.yaml` holds a whole map of values.', { max: 253 }),
  ),
  targetPath: optional(text('Where the value goes, for example `database.password`.', { max: 253 })),
  optional: defaulted(flag('Whether the object may be absent.'), false),
});

const strategy = choice(
  '`recreate` stops the old before the new starts. `rolling` goes slice by slice. `bluegreen` brings the new up beside the old.',
  strategies,
);

const hostGroup = object('A part of a component: hosts that are changed together.', {
  name: label('Name of the group, for example an availability zone.'),
  version: optional(versionText('Version of this group; without it the version of the component.')),
});

const component = object('What differs for one component of the service.', {
  name: label('Name of the component, as the package calls it.'),
  version: optional(versionText('Version of the component; without it the version of the service.')),
  strategy: optional(strategy),
  hostGroups: optional(
    list('Groups of hosts, each with a version of its own.', hostGroup, { max: 256, keys: ['name'] }),
  ),
});

const service = object(
  'One service at one version.',
  {
    name: label('Name of the service.'),
    version: versionText('The version it shall have.'),
    source: optional(source),
    digest: optional(digestText('Refuse a package whose content has another digest.')),
    values: defaulted(anyObject<JsonObject>('Values for the package. Never a secret.'), {}),
    valuesFrom: defaulted(list('Values from Secrets and ConfigMaps.', valuesFrom, { max: 64 }), []),
    strategy: optional(strategy),
    rollback: optional(rollbackPolicy),
    approval: optional(choice('Who lets a plan that touches this service start.', ['automatic', 'manual'])),
    endpoint: optional(text('Address under which clients reach the service.', { max: 2048 })),
    dependsOn: defaulted(
      list('Services that must be there first, beside those the package requires.', label('A service.'), {
        max: 64,
        set: true,
      }),
      [],
    ),
    paused: defaulted(flag('Leave the service as it is, whatever else this record says of it.'), false),
    allowUnsupportedJump: defaulted(
      flag('Upgrade over releases that upstream does not support skipping.'),
      false,
    ),
    components: defaulted(
      list('Components that differ from the service.', component, { max: 64, keys: ['name'] }),
      [],
    ),
  },
  {
    rules: [
      rule<{ name: string; dependsOn: readonly string[] }>(
        '!(self.name in self.dependsOn)',
        self => !self.dependsOn.includes(self.name),
        'a service cannot depend on itself',
        '.dependsOn',
      ),
    ],
  },
);

const stage = object(
  'Services or host groups that are changed together, after the stages before.',
  {
    name: label('Name of the stage.'),
    tiers: optional(list('Tiers in this stage.', choice('A tier.', tiers), { max: 3, set: true })),
    services: optional(list('Services in this stage.', label('A service.'), { max: 1024, set: true })),
    hostGroups: optional(list('Host groups in this stage.', label('A host group.'), { max: 256, set: true })),
    gate: defaulted(
      choice('`automatic`: goes on by itself. `manual`: waits for a person before the stage starts.', [
        'automatic',
        'manual',
      ]),
      'automatic',
    ),
  },
  {
    rules: [
      rule<{ tiers?: unknown; services?: unknown; hostGroups?: unknown }>(
        'has(self.tiers) || has(self.services) || has(self.hostGroups)',
        self => self.tiers !== undefined || self.services !== undefined || self.hostGroups !== undefined,
        'a stage must name tiers, services or host groups',
      ),
    ],
  },
);

const maintenanceWindow = object('A time in which plans may start.', {
  days: list(
    'Days of the week on which it opens.',
    choice('A day.', ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
    {
      max: 7,
      min: 1,
      set: true,
    },
  ),
  start: text('When it opens, for example `22:00`.', {
    max: 5,
    min: 5,
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    says: 'a time such as 22:00',
  }),
  durationMinutes: integer('How long it stays open.', { min: 1, max: 10080 }),
  timeZone: defaulted(
    text('Name of the time zone, for example `Europe/Berlin`.', { max: 64, min: 1 }),
    'UTC',
  ),
});

const removal = object('A service that was taken out of the record, and a person who agrees that it goes.', {
  name: label('Name of the service.'),
  purgeData: defaulted(
    flag(
      'Remove its databases too. They are kept otherwise; and this needs a consent of its own when the plan is approved.',
    ),
    false,
  ),
});

const spec = object(
  'What one cloud shall be.',
  {
    source: optional(source),
    services: list('The services of the cloud.', service, { max: 1024, keys: ['name'] }),
    removed: defaulted(
      list(
        'Services whose removal is wanted. A service that is just left out of `services` is not removed.',
        removal,
        {
          max: 64,
          keys: ['name'],
        },
      ),
      [],
    ),
    shared: defaulted(
      anyObject<JsonObject>('Values that every service sees: region, endpoints, registry. Never a secret.'),
      {},
    ),
    approval: defaulted(
      choice('`manual`: a plan starts when a person approved its digest. `automatic`: at once.', [
        'automatic',
        'manual',
      ]),
      'manual',
    ),
    stages: optional(
      list('Order of the change; without it infrastructure, control plane, data plane.', stage, {
        max: 32,
        keys: ['name'],
      }),
    ),
    maxParallel: defaulted(
      integer('How many services are changed at the same time.', { min: 1, max: 64 }),
      4,
    ),
    soakSeconds: defaulted(
      integer(
        'How long the old version is kept beside the new one, so that going back is moving traffic back.',
        {
          min: 0,
          max: 2592000,
        },
      ),
      3600,
    ),
    maintenanceWindows: defaulted(
      list('When plans may start; without one, at any time.', maintenanceWindow, { max: 32 }),
      [],
    ),
    revisionHistoryLimit: defaulted(
      integer('How many revisions of a service are kept.', { min: 1, max: 1000 }),
      10,
    ),
    serviceAccountName: defaulted(
      objectName('The account in whose name the objects of the services are written.'),
      'default',
    ),
  },
  {
    rules: [
      rule<{ services: readonly { name: string }[]; removed: readonly { name: string }[] }>(
        'self.removed.all(r, !self.services.exists(s, s.name == r.name))',
        self => self.removed.every(gone => !self.services.some(kept => kept.name === gone.name)),
        'a service cannot be in `services` and in `removed`',
        '.removed',
      ),
    ],
  },
);

const serviceStatus = object('One service as it is.', {
  name: label('Name of the service.'),
  version: optional(versionText('The version that serves clients.')),
  revision: optional(integer('Number of the revision that serves clients.', { min: 1, max: 2147483647 })),
  state: optional(text('One word on where it is, for example `Operational`.', { max: 63 })),
  reason: optional(text('One word on why, for example `HeldAfterRollback`.', { max: 63 })),
  message: optional(text('A sentence for people.', { max: 1024 })),
  wanted: optional(versionText('The version the record says, where another one serves.')),
  flow: optional(objectName('The flow that runs.')),
  soakUntil: optional(moment('Until when the former version is kept beside this one.')),
});

const status = object('What the cloud is.', {
  observedGeneration: optional(observedGeneration),
  plan: optional(objectName('The newest plan.')),
  services: optional(list('The services, one by one.', serviceStatus, { max: 1024, keys: ['name'] })),
  conditions: optional(conditions),
});

/** The record of one cloud. */
export const openstackDeployment = {
  kind: 'OpenstackDeployment',
  plural: 'openstackdeployments',
  shortName: 'osdpl',
  description: 'The record of one cloud: what it shall be, service by service, version by version.',
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the cloud is as the record says',
    },
    {
      name: 'Reason',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
      description: 'Why',
    },
    { name: 'Plan', type: 'string', jsonPath: '.status.plan', description: 'The newest plan' },
    ageColumn,
  ],
  spec,
  status,
} satisfies Kind;

export type OpenstackDeployment = ObjectOf<typeof openstackDeployment>;
export type RecordSpec = SpecOf<typeof openstackDeployment>;
export type RecordService = RecordSpec['services'][number];
export type RecordComponent = RecordService['components'][number];
export type RecordStage = ValueOf<typeof stage>;
export type Source = ValueOf<typeof source>;
