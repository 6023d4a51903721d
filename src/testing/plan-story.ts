import type { Finding } from '../api/finding.ts';
import { gatherTargets } from '../package/gather-targets.ts';
import type { Machine } from '../plan/check-machine.ts';
import { makeContractPlan } from '../plan/contract-plan.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import { makePlan, type PlanInput, type PlanResult } from '../plan/plan.ts';
import { planTheRest } from '../plan/plan-the-rest.ts';
import { printPlan } from '../plan/print-plan.ts';
import { makeRollbackPlan } from '../plan/rollback-plan.ts';
import { parseYaml } from '../record/parse-yaml.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import { carryOut } from './carry-out.ts';
import { memoryPackages, type PackageWords } from './memory-packages.ts';

/** A story of planning: what was there, what is wanted now. */
export interface PlanStory {
  readonly packages: readonly PackageWords[];
  /** The `spec` of the record that was carried out before, one after the other; without one nothing runs. */
  readonly before?: string | readonly string[];
  /** What else happened since. */
  readonly since?: (state: ObservedState) => ObservedState;
  /** Packages that changed since. */
  readonly newPackages?: readonly PackageWords[];
  /** The `spec` of the record now. */
  readonly now: string;
  /** Plan the contract of this service instead. */
  readonly contract?: string;
  /** Plan the way back of this service instead. */
  readonly rollback?: string;
  /** Plan as an operator does, which carries out what can be. */
  readonly rest?: boolean;
  /** The machine it is planned for. */
  readonly machine?: Machine;
  /** The routers that Afloat was told of. */
  readonly routers?: readonly string[];
}

/** A record with this spec, resolved. Fails where it has findings: a story is about planning. */
export async function inputFor(
  spec: string,
  packages: readonly PackageWords[],
  observed: ObservedState,
): Promise<PlanInput> {
  const { manifests, findings } = parseYaml('cloud.yaml', recordText(spec));
  const resolved = resolveRecord(manifests, findings);
  if (!resolved.record) throw new TypeError(sayAll(resolved.findings));
  const { targets, findings: problems } = await gatherTargets(resolved.record, memoryPackages(packages));
  if (problems.length > 0) throw new TypeError(sayAll(problems));
  return { record: resolved.record, targets, observed };
}

/** The state after these records were carried out one after the other. */
export async function runsAfter(
  specs: readonly string[],
  packages: readonly PackageWords[],
): Promise<ObservedState> {
  let observed: ObservedState = { services: [], contents: [] };
  for (const spec of specs) {
    const input = await inputFor(spec, packages, observed);
    const result = makePlan(input);
    if (!('plan' in result)) throw new TypeError(sayAll(result.findings));
    observed = carryOut({ ...input, plan: result.plan });
  }
  return observed;
}

/** Tells a story: what runs, what is wanted, and the plan or why there is none. */
export async function tellStory(story: PlanStory): Promise<{ text: string; result: PlanResult }> {
  const before = story.before === undefined ? [] : [story.before].flat();
  const calm = await runsAfter(before, story.packages);
  const observed = story.since ? story.since(calm) : calm;
  const input = {
    ...(await inputFor(story.now, story.newPackages ?? story.packages, observed)),
    ...(story.machine ? { machine: story.machine } : {}),
    ...(story.routers ? { routers: story.routers } : {}),
  };
  const result = planOf(story, input);
  const text = [
    'What runs',
    ...sayState(observed),
    '',
    'The record',
    ...indent(story.now),
    '',
    sayResult(result),
    '',
  ];
  return { text: text.join('\n'), result };
}

function planOf({ contract, rollback, rest }: PlanStory, input: PlanInput): PlanResult {
  if (rest) return planTheRest(input, []);
  if (contract !== undefined) return makeContractPlan(input, contract);
  return rollback === undefined ? makePlan(input) : makeRollbackPlan(input, rollback);
}

function recordText(spec: string): string {
  const head = [
    'apiVersion: openstacklcm.airshipit.org/v1alpha1',
    'kind: OpenstackDeployment',
    'metadata: { name: north }',
    'spec:',
    '  source: { type: local, location: "{name}/{version}" }',
  ];
  return [...head, ...indent(spec)].join('\n');
}

function indent(spec: string): string[] {
  return spec
    .trim()
    .split('\n')
    .map(line => `  ${line}`);
}

function sayState({ services }: ObservedState): string[] {
  if (services.length === 0) return ['  nothing'];
  return services.map(service => {
    const parts =
      service.parts.length > 1
        ? service.parts.map(
            part => `${part.component}${part.hostGroup ? `@${part.hostGroup}` : ''} ${part.version}`,
          )
        : [];
    const data = service.databases.map(
      database =>
        `${database.name} expanded to ${database.expandedTo}, contracted to ${database.contractedTo}`,
    );
    const more = [
      ...parts,
      ...data,
      ...(service.hold ? ['held'] : []),
      ...(service.soaking ? ['soaking'] : []),
    ];
    return `  ${service.name} ${service.version} ${service.state}${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
  });
}

function sayResult(result: PlanResult): string {
  // A digest changes with every byte; a transcript is about what people read.
  if ('plan' in result) return printPlan(result.plan, 'sha256:<digest>');
  return [
    'No plan',
    ...result.findings.map(
      found =>
        `  ${found.code} at line ${found.line ?? '?'}, ${found.field ?? ''}: ${found.message}\n      ${found.advice}`,
    ),
  ].join('\n');
}

function sayAll(findings: readonly Finding[]): string {
  return findings.map(found => `${found.code}: ${found.message} (${found.field ?? ''})`).join('\n');
}
