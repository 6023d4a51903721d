import type { Finding } from '../../api/finding.ts';
import type { PlanStep } from '../../api/lifecycle-plan.ts';
import type { PlannedFlow } from '../../api/oslc.ts';
import { digestJson } from '../../base/digest.ts';
import type { ServicePackage } from '../../package/package.ts';
import { readPackage } from '../../package/read-package.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import type { ServiceState } from '../observe/service-state.ts';
import type { FlowObject, RevisionObject } from '../our-objects.ts';
import { type AskedFor, type PlannedCloud, planCloud } from '../record/plan-cloud.ts';
import type { StepOutcome } from '../runtime/outcome.ts';
import { stateOfService } from './flow-scope.ts';
import { handMadeDeployment, handMadeKinds, handMadeRecord, packageAt } from './hand-made-record.ts';

/** What a hand-written flow comes to: the step it carries out, nothing to do, or why it cannot begin. */
export type HandMadePlan =
  | { readonly planned: PlannedFlow }
  | { readonly nothing: string }
  | { readonly not: StepOutcome & { readonly kind: 'blocked' } };

/** Plans a hand-written flow from what runs now, as a step of a plan for that service alone would be. Changes nothing. */
export async function planHandMade(
  world: EngineWorld,
  object: FlowObject,
  state: ServiceState,
): Promise<HandMadePlan> {
  const { flowKind, serviceName, source } = object.spec;
  const read = flowKind === 'uninstall' ? {} : await readOne(world, object);
  if ('findings' in read) return refused(read.findings);
  const version = read.package?.lifecycle.version;
  const { record, findings } = handMadeRecord(object, version);
  if (!record) return refused(findings);
  const { namespace } = record;
  const asked = flowKind === 'rollback' ? backTo(serviceName, state, read.package) : undefined;
  const planned = await planCloud(
    { ...world, packages: world.packages(namespace) },
    record,
    servicesIn(world, namespace),
    asked,
  );
  if ('findings' in planned) return refused(planned.findings);
  return stepOf(world, object, planned, source.location);
}

async function readOne(
  world: EngineWorld,
  { metadata, spec }: FlowObject,
): Promise<{ readonly package?: ServicePackage } | { readonly findings: readonly Finding[] }> {
  const { location } = spec.source;
  const bytes = await world.packages(metadata.namespace ?? '').read(packageAt(location));
  if (!bytes.ok) return { findings: bytes.findings };
  const { package: found, findings } = readPackage(bytes.files, location, { service: spec.serviceName });
  return found ? { package: found } : { findings };
}

/** The newest revision that ran the package at `location`; the one before what runs, where that is the one. */
function backTo(service: string, { revisions, current }: ServiceState, at?: ServicePackage): AskedFor {
  const runs = ({ spec }: RevisionObject) =>
    spec.parts.some(({ packageDigest }) => packageDigest === at?.digest);
  const found = revisions.find(runs);
  return found === undefined || found === current || (current && runs(current))
    ? { rollback: service }
    : { rollback: service, to: found.spec.number };
}

/** Every service of the namespace: what the one needs may be there. */
function servicesIn(world: EngineWorld, namespace: string): ServiceState[] {
  const of = (objects: readonly { metadata: { namespace?: string } }[]) =>
    objects.filter(({ metadata }) => metadata.namespace === namespace);
  const names = new Set([
    ...(of(world.revisions.all()) as RevisionObject[]).map(({ spec }) => spec.service),
    ...(of(world.flows.all()) as FlowObject[]).map(({ spec }) => spec.serviceName),
  ]);
  return [...names].sort().map(service => stateOfService(world, namespace, service));
}

function stepOf(
  world: EngineWorld,
  object: FlowObject,
  { plan }: Exclude<PlannedCloud, { findings: unknown }>,
  location: string,
): HandMadePlan {
  const { serviceName, flowKind } = object.spec;
  const waiting = plan.waiting.find(({ service }) => service === serviceName);
  if (waiting) return blocked(waiting.reason, `${waiting.message} ${waiting.advice}`);
  const steps = plan.steps.filter(({ service }) => service === serviceName);
  const [step, second] = steps;
  if (!step) return { nothing: `${serviceName} is already as ${location} says` };
  const why = whyNotThis(flowKind, step, second);
  if (why) return why;
  return {
    planned: {
      ...{ deployment: handMadeDeployment(serviceName), plan: planNameOf(object), step },
      ...{ holds: false, agreedTo: [], serviceAccountName: accountFor(world, object) },
    },
  };
}

function whyNotThis(
  flowKind: string,
  step: PlanStep,
  second: PlanStep | undefined,
): HandMadePlan | undefined {
  if (second)
    return blocked(
      'SeveralSteps',
      `${step.service} is changed in several steps (${step.id}, ${second.id} ...), and a flow is one. Write a record and plan it.`,
    );
  if (!handMadeKinds[flowKind]?.includes(step.flow)) {
    const version = step.to?.version ?? 'nothing';
    return blocked(
      'OtherFlowNeeded',
      `From what runs to ${version} is ${step.flow}, not ${flowKind}. Write \`flowKind: ${step.flow}\`, or another \`source.location\`.`,
    );
  }
  if (step.consents.includes('noReturn'))
    return blocked(
      'ConsentNeeded',
      `${step.id} passes a point of no return, and nobody agreed to that. Write a record, plan it and approve the plan.`,
    );
  return undefined;
}

/** No plan object has it: only phases show where they come from. */
function planNameOf({ metadata }: FlowObject): string {
  return `by-hand-${digestJson([metadata.namespace, metadata.name]).slice(7, 17)}`;
}

function refused(findings: readonly Finding[]): HandMadePlan {
  const [first] = findings;
  const said = findings.map(({ message, advice }) => `${message}. ${advice}`).join(' ');
  return blocked(first?.code ?? 'InputInvalid', said);
}

function blocked(reason: string, message: string): HandMadePlan {
  return { not: { kind: 'blocked', reason, message: message.slice(0, 8000) } };
}
