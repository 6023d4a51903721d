import type { Impact } from '../api/fields.ts';
import type { FlowKind } from '../api/flow-kinds.ts';
import type { DataStep, ObjectChange, Plan, PlanStep } from '../api/lifecycle-plan.ts';
import { sayBytes } from '../base/byte-size.ts';
import { type Digest, shortDigest } from '../base/digest.ts';
import { sayDuration } from '../base/duration.ts';
import { type Paint, plainPaint } from '../base/paint.ts';
import { sayGoingBack } from './going-back.ts';

/** The sign before a step: added, changed, taken back, taken away, passed for good. */
const signs: Record<FlowKind, string> = {
  install: '+',
  upgrade: '~',
  reconfigure: '~',
  rollback: '<',
  uninstall: '-',
  contract: '!',
};

const changeSigns: Record<ObjectChange['change'], string> = {
  add: '+',
  change: '~',
  scale: '~',
  remove: '-',
};

/**
 * A plan as people read it: what changes, in which order, why, what it costs, how to get back. Golden transcripts,
 * `plan` and `explain` all print this, so tests and users read the same text.
 */
export function printPlan(plan: Plan, digest: Digest, paint: Paint = plainPaint): string {
  return [
    ...headline(plan, paint),
    ...plan.stages.flatMap(stage => stageLines(plan, stage, paint)),
    ...sectionOf(
      'Not done by this plan',
      paint,
      plan.waiting.flatMap(wait => [
        `  ${wait.service}: ${wait.reason}. ${wait.message}`,
        `      ${paint.faint('to do')}      ${wait.advice}`,
      ]),
    ),
    ...sectionOf(
      'Offered as plans of their own',
      paint,
      plan.offers.flatMap(offer => [
        `  ${offer.service} ${offer.flow}: ${offer.message}`,
        `      ${paint.faint('to do')}      ${offer.advice}`,
      ]),
    ),
    ...sectionOf(
      'Notes',
      paint,
      plan.notes.map(note => `  ${note}`),
    ),
    ...wayBackLines(plan, paint),
    ...closing(plan, digest, paint),
  ].join('\n');
}

function headline(plan: Plan, paint: Paint): string[] {
  if (plan.steps.length === 0) return [paint.strong(`Plan for ${plan.cloud}: nothing to do`)];
  const count = plan.steps.length === 1 ? '1 step' : `${plan.steps.length} steps`;
  return [
    paint.strong(
      `Plan for ${plan.cloud}: ${count}, about ${sayDuration(plan.estimateSeconds)}${saySoak(plan)}`,
    ),
    `Clients of the API: ${isNew(plan) ? paint.good('nobody is served yet by what is installed') : sayImpact(plan.impact.api, paint)}. Workloads: ${sayImpact(plan.impact.workloads, paint)}.`,
  ];
}

/** Whether all that it touches is new. */
function isNew({ steps, impact }: Plan): boolean {
  return impact.api === 'none' && steps.every(({ flow }) => flow === 'install');
}

/** Later steps do not wait for a soak: old versions are kept side by side with what follows. */
function saySoak({ steps }: Plan): string {
  const longest = Math.max(0, ...steps.map(step => step.soakSeconds));
  return longest > 0 ? `, old versions kept for ${sayDuration(longest)} more` : '';
}

function sayImpact(impact: Impact, paint: Paint): string {
  if (impact === 'none') return paint.good('notice nothing');
  return impact === 'degraded' ? paint.warn('degraded') : paint.bad('outage');
}

function stageLines(plan: Plan, stage: Plan['stages'][number], paint: Paint): string[] {
  const gate = stage.gate === 'manual' ? ', waits for a person before it starts' : '';
  const lines = ['', paint.strong(`Stage ${stage.name}${gate}`)];
  let wave = -1;
  for (const step of plan.steps) {
    if (step.stage !== stage.name) continue;
    if (step.wave !== wave) lines.push(paint.faint(`  wave ${step.wave + 1}`));
    wave = step.wave;
    lines.push(...stepLines(step, paint));
  }
  return lines;
}

/** One step, from its headline to the way back. */
function stepLines(step: PlanStep, paint: Paint): string[] {
  const row = (name: string, text: string) => `      ${paint.faint(name.padEnd(10))} ${text}`;
  return [
    `  ${signOf(step, paint)} ${paint.strong(partOf(step))}${headOf(step)}`,
    row(
      'impact',
      `API ${step.impact.api}, workloads ${step.impact.workloads}; about ${sayDuration(step.estimateSeconds)} (${step.estimateFrom})`,
    ),
    ...(step.parts ? [row('parts', step.parts.join(', '))] : []),
    ...step.why.map((why, index) => row(index === 0 ? 'because' : '', why)),
    ...step.changes.map((change, index) => row(index === 0 ? 'objects' : '', sayChange(change))),
    ...(step.moreChanges > 0 ? [row('', `and ${step.moreChanges} more`)] : []),
    ...step.data.map((data, index) => row(index === 0 ? 'data' : '', sayData(data))),
    ...(step.untested
      ? [
          row(
            'test',
            paint.warn(
              'none: clients are the first who ask it. Only its probes are looked at before, and errors are watched while traffic moves.',
            ),
          ),
        ]
      : []),
    ...(step.waitsFor.length > 0 ? [row('waits for', step.waitsFor.join(', '))] : []),
    ...(step.consents.length > 0
      ? [row('consent', paint.warn(`needs a person's word: ${step.consents.join(', ')}`))]
      : []),
    row('way back', `${sayCost(step.goingBack.cost)}${sayGoingBack(step)}`),
    ...(step.pointOfNoReturn ? [row('', paint.bad('This is the point of no return.'))] : []),
  ];
}

function sayCost(cost: PlanStep['goingBack']['cost']): string {
  if (cost === 'impossible') return 'none. ';
  return cost === 'nothing' ? '' : `costs ${cost}. `;
}

function signOf(step: PlanStep, paint: Paint): string {
  const sign = signs[step.flow];
  if (sign === '+') return paint.good(sign);
  return sign === '-' || sign === '!' ? paint.bad(sign) : paint.warn(sign);
}

/** The part a step is about: `nova.compute@zone-a`. */
export function partOf({ id, flow }: Pick<PlanStep, 'id' | 'flow'>): string {
  return id.slice(0, -flow.length - 1);
}

function headOf({ flow, from, to, strategy, slices, soakSeconds }: PlanStep): string {
  const version =
    from && to && from.version !== to.version ? `${from.version} -> ${to.version}` : (to ?? from)?.version;
  const revision = flow === 'rollback' && to?.revision !== undefined ? ` (revision ${to.revision})` : '';
  const how = {
    inplace: flow === 'reconfigure' ? ' in place' : '',
    recreate: ', recreate: stopped before the new one starts',
    rolling: `, rolling over ${slices} slices`,
    bluegreen: `, bluegreen, old one kept for ${sayDuration(soakSeconds)}`,
  }[strategy];
  return `${version === undefined ? '' : ` ${version}`}${revision}: ${flow}${how}`;
}

function sayChange({ object, change, detail }: ObjectChange): string {
  return `${changeSigns[change]} ${readable(object)}${detail === undefined ? '' : ` ${detail}`}`;
}

/** The name of an object whose slice is not decided yet, as people read it. */
export function readable(object: string): string {
  return object.replaceAll(/\$\{([a-zA-Z]+)\}/g, '<$1>');
}

const dataWords: Record<DataStep['action'], string> = {
  create: 'is created',
  keep: 'is kept as it is',
  expand: 'is expanded',
  migrate: 'is migrated',
  contract: 'is contracted',
  restore: 'is restored',
  purge: 'is removed for good',
};

function sayData({ database, action, from, to, backup, backupBytes, backupSeconds }: DataStep): string {
  const takes =
    backupBytes === undefined || backupSeconds === undefined
      ? ''
      : ` (by the last one about ${sayBytes(backupBytes)}, ${sayDuration(backupSeconds)} with its proof)`;
  const schema = from !== undefined && to !== undefined ? `, schema ${from} -> ${to}` : '';
  return `${database} ${dataWords[action]}${schema}${backup ? `, after a verified backup${takes}` : ''}`;
}

function wayBackLines(plan: Plan, paint: Paint): string[] {
  return sectionOf(
    'Way back',
    paint,
    plan.back.map((step, index) => {
      const to = step.to ? ` to ${step.to.version}` : '';
      const part = step.undoes.slice(0, step.undoes.lastIndexOf('/'));
      return `  ${index + 1}. ${part}: ${step.flow === undefined ? 'cannot be undone' : `${step.flow}${to}, costs ${step.cost}`}`;
    }),
  );
}

function closing(plan: Plan, digest: Digest, paint: Paint): string[] {
  if (plan.steps.length === 0) return [];
  const approve =
    plan.approval === 'manual'
      ? `It starts when a person approves this digest.`
      : 'It starts by itself: the record says approval automatic.';
  return ['', `Plan ${paint.strong(shortDigest(digest))}. ${approve}`];
}

function sectionOf(title: string, paint: Paint, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', paint.strong(title), ...lines];
}
