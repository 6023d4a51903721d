import { dataLoss } from './data-loss.ts';
import {
  conditions,
  consents,
  digestText,
  label,
  moment,
  objectName,
  observedGeneration,
  satisfied,
  sentence,
} from './fields.ts';
import { flowEnds, questions } from './flow-kinds.ts';
import type { Kind, ObjectOf } from './kind.ts';
import { planStepSchema } from './lifecycle-plan.ts';
import { moveStatus, stateColumns } from './phase-kinds.ts';
import { phaseNames, phaseStates } from './phase-names.ts';
import {
  choice,
  defaulted,
  flag,
  integer,
  list,
  object,
  optional,
  text,
  type ValueOf,
} from './schema/schema.ts';
import { backup, schemaState, secretDigest } from './service-revision.ts';

const yesOrNo = (description: string) => optional(choice(description, ['yes', 'no']));

/** What a plan asks of a flow. In a flow that a person wrote by hand the operator fills it in when its turn has come. */
const planned = object('The step of a plan that the flow carries out.', {
  deployment: text('The record.', { max: 253, min: 1 }),
  plan: objectName('The plan.'),
  step: planStepSchema,
  target: optional(digestText('What the service shall be; held when it fails.')),
  holds: defaulted(flag('The target of the record is held also when the flow succeeds.'), false),
  by: optional(text('Who approved the plan.', { max: 256 })),
  agreedTo: defaulted(
    list('What was agreed to for this step when the plan was approved.', choice('A consent.', consents), {
      max: 5,
      set: true,
    }),
    [],
  ),
  serviceAccountName: defaulted(objectName('The account in whose name its objects are written.'), 'default'),
});

const answersByQuestion = {
  rollback: yesOrNo('Whether the software goes back.'),
  restore: yesOrNo('Whether data is taken back, and what clients wrote since is lost.'),
  purge: yesOrNo('Whether the data is removed for good.'),
  contract: yesOrNo('Whether the point of no return is passed.'),
  unclean: yesOrNo('Whether a removal goes on although its clean-up failed.'),
} satisfies Record<(typeof questions)[number], unknown>;

const answers = object('What a person answered, question by question.', {
  ...answersByQuestion,
  restoreOf: optional(
    digestText(
      'The list of losses that `restore: yes` is about, as `status.question.of` names it. A yes to another list than the one that stands is asked for again.',
    ),
  ),
});

const spec = object(
  'Which flow of which service.',
  {
    serviceName: text('The service.', { max: 253, min: 1 }),
    serviceEndPoint: optional(text('Address under which clients reach the service.', { max: 2048 })),
    source: object(
      'Where the flow comes from.',
      {
        type: text(
          '`generate` and `local`: the built-in flow, `location` is the package. `tar`: a chart that brings its own flow, as does a `location` that is a YAML file. `plan`: a step of the plan of that name.',
          { max: 63 },
        ),
        location: text('Path of the package, file or chart; name of the plan.', { max: 4096 }),
      },
      { keepsUnknown: true },
    ),
    flowKind: text(
      'The flow: `install`, `upgrade`, `rollback`, `uninstall`, or one that the chart brings, such as `all-phases`.',
      { max: 63, min: 1 },
    ),
    targetState: defaulted(
      choice('The state to reach; `uninitialized` lays the phases out without acting on them.', [
        '',
        ...phaseStates,
      ]),
      'deployed',
    ),
    serviceAccountName: optional(
      objectName(
        'The account in whose name a flow that a person wrote by hand writes its objects; without it that of the record, or `default`.',
      ),
    ),
    revisionHistoryLimit: defaulted(integer('How many finished flows are kept.', { min: 0, max: 1000 }), 10),
    planned: optional(planned),
    answers: optional(answers),
    aborted: optional(flag('A person wants out: it goes back to the safest state and ends.')),
    endSoak: optional(flag('The soak ends now: the next change of the service waits for it.')),
    cutsAtMost: optional(
      integer('So many requests that take too long may be cut: a person saw the number and accepts it.', {
        min: 0,
        max: 1000000,
      }),
    ),
    released: optional(flag('A person said `retry`: what this flow holds may be tried again.')),
  },
  { keepsUnknown: true },
);

const status = object('Where the flow is.', {
  satisfied: optional(satisfied),
  reason: optional(text('Why the state is what it is.', { max: 1024 })),
  actualState: optional(choice('The state now.', phaseStates)),
  actualPhase: optional(choice('The phase the service is in.', phaseNames)),
  observedGeneration: optional(observedGeneration),
  startedAt: optional(moment('When it started.')),
  finishedAt: optional(moment('When it ended.')),
  end: optional(choice('How it ended.', flowEnds)),
  because: optional(sentence('Why it ended so.')),
  question: optional(
    object('What it asks a person.', {
      question: choice('The question.', questions),
      because: sentence('Why it is asked.'),
      of: optional(digestText('What would be lost, as `status.losses` has it: what a yes is about.')),
    }),
  ),
  heard: optional(
    object(
      'A yes that waits for a maintenance window. Until then it can be taken back: with a no to the same question.',
      {
        question: choice('The question that was answered.', questions),
        until: optional(
          moment('When the next window opens that it fits into; none where no window is long enough.'),
        ),
      },
    ),
  ),
  moves: optional(list('The moves that were begun, in order.', moveStatus, { max: 512 })),
  settledAt: optional(
    moment('When the wanted version was put in order and served; what waits for this flow may go on.'),
  ),
  soakUntil: optional(moment('Until when the old version is kept beside the new one.')),
  oldSlices: optional(list('The slices that served when it began.', label('A slice.'), { max: 64 })),
  newSlices: optional(list('The slices it brings.', label('A slice.'), { max: 64 })),
  writesSince: optional(
    moment('From when on clients may have written what a restore would lose. Set before traffic moves.'),
  ),
  manifests: optional(
    list('Secrets that hold the rendered manifests of the wanted version.', objectName('A Secret.'), {
      max: 256,
    }),
  ),
  secretDigests: optional(
    list('Secrets and ConfigMaps whose content went in, by keyed digest.', secretDigest, {
      max: 256,
      keys: ['kind', 'name'],
    }),
  ),
  schemas: optional(list('The schemas of its databases.', schemaState, { max: 32, keys: ['database'] })),
  backups: optional(list('Backups it took.', backup, { max: 32, keys: ['database'] })),
  losses: optional(
    list('What a restore would drop, or did: the last word on each database.', dataLoss, {
      max: 32,
      keys: ['database'],
    }),
  ),
  handedOverAt: optional(
    moment(
      'When the phase object that the next flow of the service begins at was put in the place of the one it began at; only of a flow that a person wrote by hand.',
    ),
  ),
  revision: optional(integer('The number of the revision it made.', { min: 1, max: 2147483647 })),
  conditions: optional(conditions),
});

/** One flow of one service. */
export const oslc = {
  kind: 'Oslc',
  plural: 'oslcs',
  shortName: 'oslc',
  description: 'One flow of one service: a walk through phases.',
  columns: [
    ...stateColumns,
    { name: 'Phase', type: 'string', jsonPath: '.status.actualPhase', description: 'The phase it is in' },
    { name: 'End', type: 'string', jsonPath: '.status.end', description: 'How it ended' },
  ],
  spec,
  status,
} satisfies Kind;

export type Oslc = ObjectOf<typeof oslc>;
export type OslcStatus = ValueOf<typeof status>;
export type PlannedFlow = ValueOf<typeof planned>;
