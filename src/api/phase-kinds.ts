import { dataLoss } from './data-loss.ts';
import { conditions, label, moment, objectName, observedGeneration, satisfied, sentence } from './fields.ts';
import { moveTasks, sides } from './flow-kinds.ts';
import type { Kind, PrinterColumn } from './kind.ts';
import { type PhaseName, phaseNames, phaseStates } from './phase-names.ts';
import {
  choice,
  defaulted,
  flag,
  integer,
  list,
  map,
  object,
  optional,
  type Schema,
  text,
  type ValueOf,
} from './schema/schema.ts';
import { backup, schemaState } from './service-revision.ts';

/** Programs in Go write an empty text for a field that was left out; it means the default. */
const targetState = defaulted(
  choice('The state to reach; `uninitialized` lays the phase out without acting on it.', [
    '',
    ...phaseStates,
  ]),
  'deployed',
);

/** Existing manifests carry fields that no schema ever had, at every level: they are kept. */
const keepsUnknown = { keepsUnknown: true } as const;

const source = object(
  'Where the manifests of the phase come from.',
  {
    type: text('`tar` is a chart, as folder or archive; any other word is one YAML file.', { max: 63 }),
    location: text('Path of the chart or the file.', { max: 4096 }),
  },
  keepsUnknown,
);

const timeout = (description: string) =>
  optional(
    object(
      description,
      {
        timeoutInSecond: optional(
          integer('Seconds until the phase counts as failed.', { min: 0, max: 604800 }),
        ),
      },
      keepsUnknown,
    ),
  );

const config = optional(
  map('Settings handed to the tasks of the phase.', text('A setting.', { max: 65536 }), { max: 256 }),
);

/** A yes or no that the older manifests write as text. */
const yesOrNo = (description: string) => optional(text(`${description} "true" means yes.`, { max: 16 }));

const storage = {
  storageType: optional(choice('Where backups are kept.', ['Offsite', 'Ceph', 'offsite', 'ceph'])),
  offsite: optional(
    object(
      'Backups in an S3 compatible store.',
      {
        path: text('Bucket and path of the file, as `bucket/path-to-file`.', { max: 4096 }),
        offsiteSecret: text('Secret with the files `credentials` and `config` (profile `default`).', {
          max: 253,
        }),
        endpoint: optional(text('Address of the store.', { max: 2048 })),
        forcePathStyle: optional(flag('Whether the bucket is part of the path instead of the host name.')),
      },
      keepsUnknown,
    ),
  ),
  ceph: optional(
    object(
      'Backups in Ceph.',
      {
        path: text('Bucket and path of the file, as `bucket/path-to-file`.', { max: 4096 }),
        cephSecret: optional(text('Secret with `access-token` or `credentials.json`.', { max: 253 })),
      },
      keepsUnknown,
    ),
  ),
};

/** The move of a flow that the phase carries out. Absent in a phase that a person wrote by hand. */
const phaseMove = object('The move of a flow that the phase carries out.', {
  oslc: objectName('The flow.'),
  id: text('The move, unique in the flow.', { max: 253, min: 1 }),
  task: choice('What it does.', moveTasks),
  side: choice('Which version it is about.', sides),
  slice: optional(integer('The slice, counted from 1.', { min: 1, max: 64 })),
  databases: optional(list('The databases it is about.', label('A database.'), { max: 32 })),
});

const sharedSpec = {
  source,
  openstackServiceName: text('The service this phase belongs to.', { max: 253, min: 1 }),
  openstackServiceEndPoint: optional(text('Address under which clients reach the service.', { max: 2048 })),
  targetOpenstackServiceVersion: optional(
    text('The version the service shall have afterwards.', { max: 128 }),
  ),
  targetState,
  serviceAccountName: optional(
    objectName(
      'The account in whose name a phase that a person wrote by hand writes its objects; without it that of the record, or `default`.',
    ),
  ),
  move: optional(phaseMove),
  aborted: optional(flag('A person wants out: the phase fails as soon as that is safe.')),
};

const progress = object('One thing a phase does.', {
  name: text('What it is, for example `Job identity-test`.', { max: 320 }),
  state: choice('Where it is.', ['waiting', 'running', 'done', 'failed']),
  message: optional(sentence('What it waits for, or why it failed.')),
});

const count = (description: string) => integer(description, { min: 0, max: 9007199254740991 });

/** What clients got while a phase moved or watched traffic. */
const trafficStatus = object('What clients got meanwhile.', {
  stepStartedAt: optional(moment('When the weights were last changed.')),
  outSince: optional(moment('Since when slices that lose their traffic are seen to get nothing new.')),
  slices: list(
    'Slice by slice.',
    object('One slice.', {
      slice: label('The slice.'),
      weight: integer('Its share.', { min: 0, max: 1000000 }),
      requests: count('Requests since the phase began.'),
      errors: count('Of them failed.'),
      baseRequests: optional(count('What was counted before.')),
      baseErrors: optional(count('What was counted before.')),
      inFlight: optional(count('Requests that go on now.')),
    }),
    { max: 64, keys: ['slice'] },
  ),
});

/** One object that a phase which a person wrote by hand made, and takes away with it. */
const madeObject = object('One object.', {
  apiVersion: text('Its API version.', { max: 317, min: 1 }),
  kind: text('Its kind.', { max: 63, min: 1 }),
  name: text('Its name.', { max: 253, min: 1 }),
  namespace: optional(text('Its namespace, where it has one.', { max: 63 })),
});

/** Where one move of a flow is. */
export const moveStatus = object('One move.', {
  id: text('The move.', { max: 253, min: 1 }),
  phase: choice('Its phase.', phaseNames),
  name: objectName('The object of that phase.'),
  state: choice('Where it is.', ['running', 'done', 'failed']),
  message: optional(sentence('What it does, waits for, or why it failed.')),
  startedAt: optional(moment('When it started.')),
  finishedAt: optional(moment('When it ended.')),
});

const sharedStatus = {
  satisfied: optional(satisfied),
  reason: optional(text('Why the state is what it is.', { max: 1024 })),
  actualState: optional(choice('The state now.', phaseStates)),
  actualOpenstackServiceVersion: optional(text('The version found.', { max: 128 })),
  observedGeneration: optional(observedGeneration),
  epoch: optional(
    integer('The manager that acts on it; an older one no longer may.', { min: 0, max: 9007199254740991 }),
  ),
  claimedAt: optional(moment('When that manager took it on: deadlines leave it time to look.')),
  startedAt: optional(moment('When it started.')),
  finishedAt: optional(moment('When it ended.')),
  progress: optional(list('What it does, thing by thing.', progress, { max: 64 })),
  backups: optional(list('Backups it took or proved.', backup, { max: 32, keys: ['database'] })),
  schemas: optional(
    list('The schemas it left the databases with.', schemaState, { max: 32, keys: ['database'] }),
  ),
  losses: optional(list('What a restore would drop, or did.', dataLoss, { max: 32, keys: ['database'] })),
  traffic: optional(trafficStatus),
  done: optional(
    list(
      'What of it runs once and is done, so that it is not run again when it was cleaned up; only of a phase that a person wrote by hand.',
      text('An object, such as `Job db-init`.', { max: 320 }),
      { max: 512 },
    ),
  ),
  made: optional(
    list(
      'What a phase that a person wrote by hand makes, in the order it is made; written down before it is made.',
      madeObject,
      { max: 1024 },
    ),
  ),
  conditions: optional(conditions),
};

/** The columns every phase and flow shows. */
export const stateColumns: readonly PrinterColumn[] = [
  { name: 'State', type: 'string', jsonPath: '.status.actualState', description: 'The state now' },
  { name: 'Target State', type: 'string', jsonPath: '.spec.targetState', description: 'The state to reach' },
  {
    name: 'Satisfied',
    type: 'boolean',
    jsonPath: '.status.satisfied',
    description: 'Whether they are the same',
  },
];

/** The last run of what is repeated while a service is operational. */
const scheduledRun = object('The last run of one of them.', {
  what: choice('What is repeated.', ['test', 'backup']),
  dueAt: moment('The moment it was due; it is run once for each.'),
  state: choice('Where it is.', ['running', 'done', 'failed']),
  message: optional(sentence('What it does, what it found, or why it failed.')),
});

/** How many addresses take requests at one Service, as the router tells it. */
const wayStatus = object('One way clients take to the service.', {
  service: objectName('The Service.'),
  ready: integer('Addresses that take requests.', { min: 0, max: 1000000 }),
  wanted: optional(integer('How many there shall be.', { min: 0, max: 1000000 })),
  since: optional(moment('Since when none is ready.')),
});

interface PhaseKindFacts {
  readonly phase: PhaseName;
  readonly kind: string;
  readonly shortName: string;
  readonly description: string;
  readonly spec?: Readonly<Record<string, Schema<unknown>>>;
  readonly status?: Readonly<Record<string, Schema<unknown>>>;
  readonly columns?: readonly PrinterColumn[];
}

/** What is special about each phase kind; all else is the same for the nine. */
const facts: readonly PhaseKindFacts[] = [
  {
    phase: 'planning',
    kind: 'PlanningPhase',
    shortName: 'osplan',
    description: 'Checks made with the target version before anything is touched.',
  },
  {
    phase: 'install',
    kind: 'InstallPhase',
    shortName: 'osins',
    description: 'Brings data and software of a service into being.',
    spec: { initDB: yesOrNo('Whether the databases are created.'), config },
  },
  {
    phase: 'test',
    kind: 'TestPhase',
    shortName: 'ostest',
    description: 'Proves that a version works before it takes traffic.',
    spec: { testStrategy: timeout('How the test is run.'), config },
    status: { testResults: optional(choice('What the test found.', ['passed', 'failed'])) },
    columns: [
      {
        name: 'TestResults',
        type: 'string',
        jsonPath: '.status.testResults',
        description: 'What the test found',
      },
    ],
  },
  {
    phase: 'trafficrollout',
    kind: 'TrafficRolloutPhase',
    shortName: 'osroll',
    description: 'Gives traffic to a tested version.',
    spec: { trafficRolloutStrategy: timeout('How traffic is given.') },
  },
  {
    phase: 'operational',
    kind: 'OperationalPhase',
    shortName: 'osops',
    description: 'Keeps a service as it should be: drift repaired, backups, cron jobs and tests on schedule.',
    spec: { inServicePolicy: timeout('How the service is watched.'), config },
    status: {
      scheduled: optional(
        list('What is repeated while the service is operational.', scheduledRun, { max: 2, keys: ['what'] }),
      ),
      ways: optional(list('Who answers clients now, way by way.', wayStatus, { max: 64, keys: ['service'] })),
    },
  },
  {
    phase: 'trafficdrain',
    kind: 'TrafficDrainPhase',
    shortName: 'osdrain',
    description: 'Takes traffic away and waits for requests in flight.',
    spec: { trafficDrainStrategy: timeout('How traffic is taken away.') },
  },
  {
    phase: 'upgrade',
    kind: 'UpgradePhase',
    shortName: 'osupg',
    description: 'Backs up data and brings software and schema to the target version.',
    spec: {
      backupDB: yesOrNo('Whether a backup is taken first.'),
      ...storage,
      backupPolicy: timeout('How the backup is taken.'),
      config,
    },
  },
  {
    phase: 'rollback',
    kind: 'RollbackPhase',
    shortName: 'osrbck',
    description: 'Brings software, and data where asked, back to a former revision.',
    spec: { restoreDB: yesOrNo('Whether data is restored.'), ...storage },
  },
  {
    phase: 'delete',
    kind: 'DeletePhase',
    shortName: 'osdlt',
    description: 'Removes a service.',
    spec: { purgeDB: yesOrNo('Whether its databases are removed too.') },
  },
];

/** The nine phase kinds, in the order of a service's life. Their specs accept unknown fields: existing manifests have some. */
export const phaseKinds: readonly (Kind & { readonly phase: PhaseName })[] = facts.map(fact => ({
  phase: fact.phase,
  kind: fact.kind,
  plural: `${fact.kind.toLowerCase()}s`,
  shortName: fact.shortName,
  description: fact.description,
  columns: [...stateColumns, ...(fact.columns ?? [])],
  spec: object('What the phase shall do.', { ...sharedSpec, ...fact.spec }, keepsUnknown),
  status: object('What the phase found and did.', { ...sharedStatus, ...fact.status }),
}));

export type PhaseMove = ValueOf<typeof phaseMove>;
export type MadeObject = ValueOf<typeof madeObject>;
export type MoveStatus = ValueOf<typeof moveStatus>;
export type ScheduledRun = ValueOf<typeof scheduledRun>;
export type WayStatus = ValueOf<typeof wayStatus>;
export type PhaseProgress = ValueOf<typeof progress>;
export type TrafficStatus = ValueOf<typeof trafficStatus>;
const _spec = object('', sharedSpec);
const _status = object('', sharedStatus);
/** What the nine kinds have in common. */
export type PhaseSpec = ValueOf<typeof _spec>;
export type PhaseStatus = ValueOf<typeof _status>;
/** What a phase that keeps a service in order says beside. */
export type OperationalStatus = PhaseStatus & {
  readonly scheduled?: readonly ScheduledRun[];
  readonly ways?: readonly WayStatus[];
};
