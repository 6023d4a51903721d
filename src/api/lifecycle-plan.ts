import { sameJson } from '../base/json.ts';
import {
  conditions,
  consents,
  digestText,
  impacts,
  label,
  moment,
  objectName,
  observedGeneration,
  rollbackPolicy,
  sentence,
  strategies,
  versionText,
} from './fields.ts';
import { dataActions, flowEnds, flowKinds } from './flow-kinds.ts';
import { ageColumn, type Kind, type ObjectOf } from './kind.ts';
import { phaseStates } from './phase-names.ts';
import {
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

/** Seconds, up to a year. */
const seconds = (description: string) => integer(description, { min: 0, max: 31536000 });

const stepId = (description: string) => text(description, { max: 253, min: 1 });

const impact = object('What is noticed while it runs.', {
  api: choice('By clients of the API.', impacts),
  workloads: choice('By the workloads of the users.', impacts),
});

const place = object('A version of the service, as a revision or as a package.', {
  version: versionText('The version.'),
  revision: optional(integer('The revision, where there is one.', { min: 1, max: 2147483647 })),
  packageDigest: optional(digestText('The package, by content.')),
});

const dataStep = object('What happens to one database.', {
  database: label('The database.'),
  action: choice('What is done to it.', dataActions),
  from: optional(text('The schema it has.', { max: 128 })),
  to: optional(text('The schema it gets.', { max: 128 })),
  restoredFrom: optional(moment('When the backup was taken that is restored.')),
  backup: flag('Whether a verified backup is taken first.'),
  backupBytes: optional(
    integer('How big that backup will be, by the last one.', { min: 0, max: 9007199254740991 }),
  ),
  backupSeconds: optional(seconds('How long it and its proof will take, by the last one.')),
  servedHere: optional(
    flag(
      'Whether the service itself serves the database, and so runs while it is backed up: what is written then is at stake.',
    ),
  ),
  movesRows: optional(
    flag('Whether rows are moved once the new version serves, before a contract can follow.'),
  ),
});

const change = object('One object that differs.', {
  object: text('Kind and name.', { max: 320 }),
  change: choice('What happens to it.', ['add', 'change', 'scale', 'remove']),
  detail: optional(text('What differs, where it can be said in a few words.', { max: 512 })),
});

const cost = choice(
  '`nothing`; `traffic`: traffic is moved back; `outage`: the service is down meanwhile; `writes`: what clients wrote since is lost; `impossible`.',
  ['nothing', 'traffic', 'outage', 'writes', 'impossible'],
);

const goingBack = object('What it takes to undo this step after it is done.', {
  flow: optional(choice('The flow that undoes it; absent where nothing does.', flowKinds)),
  cost,
});

/** One step of a plan: one flow of one service, or of one component or host group of it. */
export const planStepSchema = object('One flow of one part of the cloud.', {
  id: stepId('Name of the step, unique in the plan.'),
  service: label('The service.'),
  component: optional(label('The component, where the service has several.')),
  hostGroup: optional(label('The host group, where the component has some.')),
  parts: optional(
    list('The components and host groups it covers, where they must change together.', stepId('A part.'), {
      max: 512,
    }),
  ),
  flow: choice('The flow.', flowKinds),
  from: optional(place),
  to: optional(place),
  strategy: choice('How versions change places; `inplace` where nothing is replaced.', [
    ...strategies,
    'inplace',
  ]),
  slices: integer('How many slices a rolling change walks through.', { min: 1, max: 64 }),
  soakSeconds: seconds('How long the old version is kept beside the new one.'),
  rollback: rollbackPolicy,
  stage: label('The stage it belongs to.'),
  wave: integer('Its wave; the steps of a wave run at the same time.', { min: 0, max: 100000 }),
  waitsFor: list('Steps that must be done first.', stepId('A step.'), { max: 256 }),
  why: list('Reasons.', sentence('A reason.'), { max: 32 }),
  changes: list('Objects that differ; the first ones.', change, { max: 32 }),
  moreChanges: integer('How many more objects differ.', { min: 0, max: 1000000 }),
  data: list('Databases.', dataStep, { max: 32 }),
  stateOutside: choice(
    'State outside the databases (servers, volumes, ports): there is `none`; a task can `reconcile` it with restored data; or it is `unrecoverable`, and data is not restored once clients wrote.',
    ['none', 'reconcile', 'unrecoverable'],
  ),
  impact,
  estimateSeconds: seconds('How long it takes.'),
  estimateFrom: choice('Where the estimate comes from.', ['history', 'package', 'default']),
  consents: list('What a person must agree to beside approving the plan.', choice('A consent.', consents), {
    max: 5,
  }),
  unrouted: optional(
    flag(
      'Whether something of what is migrated has no route: nothing keeps it from writing once it runs, so that what is written is at stake from then on.',
    ),
  ),
  untested: optional(
    flag(
      'Whether the package brings no test of what takes traffic, so that clients are the first who ask it.',
    ),
  ),
  pointOfNoReturn: flag('Whether the way back ends here.'),
  goingBack,
});

const backStep = object('One step of the way back.', {
  undoes: stepId('The step of the plan it undoes.'),
  flow: optional(choice('The flow; absent where nothing undoes the step.', flowKinds)),
  to: optional(place),
  cost,
});

const waiting = object('A wish of the record that this plan does not carry out.', {
  service: label('The service.'),
  component: optional(label('The component.')),
  reason: choice('Why.', [
    'HeldAfterRollback',
    'HeldByPerson',
    'Paused',
    'RemovalNeedsConsent',
    'ContractPending',
    'RequirementWaits',
    'FlowRunning',
    'Irreconcilable',
    'Refused',
  ]),
  message: sentence('What is going on.'),
  advice: sentence('What a person can do.'),
});

const stage = object('A stage.', {
  name: label('Its name.'),
  gate: choice('Whether a person is asked before it starts.', ['automatic', 'manual']),
});

const offer = object('A plan of its own that can be asked for.', {
  service: label('The service.'),
  flow: choice('What it would do.', flowKinds),
  databases: list('The databases.', label('A database.'), { max: 32 }),
  ready: flag('Whether it could start now.'),
  message: sentence('What it means, and why it cannot start where it cannot.'),
  advice: sentence('What a person can do.'),
});

/** The plan: the ordered steps from what is to what shall be, and the way back. Part of a LifecyclePlan as it is. */
export const planSchema = object('The steps from what is to what shall be, and the way back.', {
  cloud: text('The cloud, by the name of its record.', { max: 253 }),
  recordDigest: digestText('The record this plan was made from, by content.'),
  approval: choice('`manual`: a person must approve the digest. `automatic`: it may start by itself.', [
    'automatic',
    'manual',
  ]),
  stages: list('The stages, in order.', stage, { max: 64 }),
  steps: list('The steps, in the order they run.', planStepSchema, { max: 2000 }),
  back: list('The way back, in the order it is walked.', backStep, { max: 2000 }),
  waiting: list('What the record wishes and this plan does not do.', waiting, { max: 1024 }),
  offers: list('Plans of their own that can be asked for.', offer, { max: 1024 }),
  notes: list('What is worth knowing.', sentence('A note.'), { max: 1024 }),
  impact,
  estimateSeconds: seconds('How long the whole takes, waves side by side.'),
  pointOfNoReturn: optional(stepId('The first step after which there is no way back.')),
});

const approval = object("A person's word for one digest.", {
  digest: digestText('The digest of the plan that is approved.'),
  approvedBy: text('Who; taken from the request.', { max: 256, min: 1 }),
  approvedAt: moment('When.'),
  expiresAt: optional(moment('Until when the plan may start.')),
  consents: defaulted(
    list(
      'What was agreed to beside the plan itself.',
      object('A consent.', {
        step: stepId('The step.'),
        consent: choice('What was agreed to.', consents),
      }),
      { max: 1024, keys: ['step', 'consent'] },
    ),
    [],
  ),
});

/** What a person approves. */
interface PlanIdentity {
  readonly deployment: string;
  readonly recordGeneration: number;
  readonly digest: string;
  readonly plan: unknown;
}

function identityOf({ deployment, recordGeneration, digest, plan }: PlanIdentity): PlanIdentity {
  return { deployment, recordGeneration, digest, plan };
}

const spec = object(
  "A plan and a person's word on it.",
  {
    deployment: text('The record.', { max: 253, min: 1 }),
    recordGeneration: integer('The generation of the record.', { min: 0, max: 9007199254740991 }),
    digest: digestText('Digest over the plan.'),
    plan: planSchema,
    targets: defaulted(
      list(
        'What each service shall be, so that a target that fails can be held.',
        object('One service.', { service: label('The service.'), digest: digestText('Its target.') }),
        { max: 1024, keys: ['service'] },
      ),
      [],
    ),
    holds: defaulted(
      flag('A person asked for it beside the record: what it changes is held until the record changes.'),
      false,
    ),
    approval: optional(approval),
    openedStages: defaulted(
      list('Stages with a gate that a person let begin.', label('A stage.'), { max: 64, set: true }),
      [],
    ),
    superseded: optional(flag('The cloud changed since it was made: a newer plan takes its place.')),
    paused: defaulted(flag('No further step starts.'), false),
    aborted: defaulted(flag('Go to the safest state and end.'), false),
  },
  {
    rules: [
      rule<PlanIdentity>(
        'self.digest == oldSelf.digest && self.deployment == oldSelf.deployment && self.recordGeneration == oldSelf.recordGeneration && self.plan == oldSelf.plan',
        (self, old) => sameJson(identityOf(self), identityOf(old)),
        'a plan is never changed: make a new one',
        '.digest',
      ),
      rule<{ digest: string; approval?: { digest: string } }>(
        '!has(self.approval) || self.approval.digest == self.digest',
        self => self.approval === undefined || self.approval.digest === self.digest,
        'the approval is for another digest',
        '.approval.digest',
      ),
    ],
  },
);

/** Where a plan can be. The last five are ends. */
export const planStates = [
  'WaitingForApproval',
  'WaitingForWindow',
  'WaitingForStage',
  'Running',
  'Paused',
  'Done',
  'Failed',
  'Aborted',
  'Superseded',
  'Expired',
] as const;
export type PlanState = (typeof planStates)[number];

const stepStatus = object('Where one step is.', {
  id: stepId('The step.'),
  flow: optional(objectName('The flow that carries it out.')),
  state: optional(choice('The state now.', phaseStates)),
  end: optional(choice('How its flow ended.', flowEnds)),
  message: optional(sentence('What it does or waits for.')),
  startedAt: optional(moment('When it started.')),
  finishedAt: optional(moment('When it ended.')),
});

const status = object('Where the plan is.', {
  observedGeneration: optional(observedGeneration),
  state: optional(choice('Where it is.', planStates)),
  startedAt: optional(moment('When its first step started.')),
  finishedAt: optional(moment('When it ended.')),
  steps: optional(list('The steps.', stepStatus, { max: 2000, keys: ['id'] })),
  conditions: optional(conditions),
});

/** One plan with its flows. */
export const lifecyclePlan = {
  kind: 'LifecyclePlan',
  plural: 'lifecycleplans',
  shortName: 'lcplan',
  description:
    'One plan, pinned to a generation of the record and to a digest. Approving that digest starts it.',
  columns: [
    { name: 'Record', type: 'string', jsonPath: '.spec.deployment', description: 'The record' },
    { name: 'State', type: 'string', jsonPath: '.status.state', description: 'Where the plan is' },
    { name: 'API', type: 'string', jsonPath: '.spec.plan.impact.api', description: 'What clients notice' },
    {
      name: 'Workloads',
      type: 'string',
      jsonPath: '.spec.plan.impact.workloads',
      description: 'What workloads notice',
    },
    {
      name: 'Approved By',
      type: 'string',
      jsonPath: '.spec.approval.approvedBy',
      description: 'Who approved it',
    },
    {
      name: 'Digest',
      type: 'string',
      jsonPath: '.spec.digest',
      description: 'What is approved',
      priority: 1,
    },
    ageColumn,
  ],
  spec,
  status,
} satisfies Kind;

export type LifecyclePlan = ObjectOf<typeof lifecyclePlan>;
export type Plan = ValueOf<typeof planSchema>;
export type PlanStep = ValueOf<typeof planStepSchema>;
export type BackStep = ValueOf<typeof backStep>;
export type Waiting = ValueOf<typeof waiting>;
export type Offer = ValueOf<typeof offer>;
export type PlanStage = ValueOf<typeof stage>;
export type DataStep = ValueOf<typeof dataStep>;
export type ObjectChange = ValueOf<typeof change>;
export type GoingBack = ValueOf<typeof goingBack>;
export type PlanImpact = ValueOf<typeof impact>;
