import { flowLabel, managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import type { RevisionPart, RevisionSpec } from '../../api/service-revision.ts';
import { digestJson } from '../../base/digest.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { hasSlices, onlySlice } from '../../phase/object/slices.ts';
import { one, type RecordObject, type RevisionObject, revisionType } from '../our-objects.ts';
import { flowLabelValue } from '../store/manifest-store.ts';
import type { FlowScope } from './flow-scope.ts';
import { partsOfStep, revisionBefore } from './flow-sides.ts';
import { moveStatuses } from './phase-objects.ts';

/**
 * Writes down what runs now that a flow has done what it was asked for, and returns the number of the revision. One that this flow made
 * already stands, however often it is asked for. `old`: the flow went back after it had settled, and what ran before runs again.
 */
export async function recordRevision(scope: FlowScope, side: 'new' | 'old' = 'new'): Promise<number> {
  const { world, object, namespace, planned, state } = scope;
  const { name } = object.metadata;
  const flow = side === 'old' ? 'rollback' : planned.step.flow;
  const made = state.revisions.find(
    ({ spec }) => spec.oslc === name && spec.flow === flow && isOfSide(scope, spec.parts, side),
  );
  if (made) return made.spec.number;
  const number = (state.current?.spec.number ?? 0) + 1;
  const { service } = planned.step;
  const spec = side === 'old' ? returnSpec(scope, number) : await specOf(scope, number);
  const revision = revisionName({ namespace, deployment: planned.deployment, service, number });
  try {
    await world.reconciling.create({
      ...revisionType,
      metadata: {
        name: revision,
        namespace,
        labels: { [managedByLabel]: managedBy, [serviceLabel]: service, [flowLabel]: flowLabelValue(name) },
      },
      spec,
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    // The answer of an earlier pass was lost; one flow of a service runs at a time, so it is ours.
    const found = await world.cluster.get({
      ...revisionType,
      namespace,
      name: revision,
    });
    if ((found as RevisionObject).spec.oslc !== name) throw error;
  }
  return number;
}

/** The name of a revision: the same however often it is written, and another for another record. */
export function revisionName(of: {
  readonly namespace: string;
  readonly deployment: string;
  readonly service: string;
  readonly number: number;
}): string {
  const { namespace, deployment, service, number } = of;
  const hash = digestJson([namespace, deployment, service, number]).slice(7, 15);
  return `${service.slice(0, 40)}-r${number}-${hash}`;
}

/** Whether the parts of a revision are what ran before the flow, or what it brought. A way back is a rollback in both directions. */
function isOfSide(
  { planned, state }: FlowScope,
  parts: readonly RevisionPart[],
  side: 'new' | 'old',
): boolean {
  const manifestsOf = (all: readonly RevisionPart[]) => all.flatMap(part => part.manifests).join();
  const before = revisionBefore(planned.step, state.revisions)?.spec.parts ?? [];
  return (
    planned.step.flow !== 'rollback' || (manifestsOf(parts) === manifestsOf(before)) === (side === 'old')
  );
}

/** What ran before runs again: the revision of that time, under a new number, with the schemas as they are by now. */
function returnSpec(scope: FlowScope, number: number): RevisionSpec {
  const { object, planned, state, status } = scope;
  const before = revisionBefore(planned.step, state.revisions);
  const { parts = [], version = planned.step.from?.version ?? '0', secretDigests = [] } = before?.spec ?? {};
  return {
    deployment: planned.deployment,
    ...{ service: planned.step.service, number, version, flow: 'rollback', parts, secretDigests },
    ...{ schemas: status.schemas ?? [], backups: [], phaseTimes: [] },
    ...(before?.spec.heads ? { heads: before.spec.heads } : {}),
    oslc: object.metadata.name,
    plan: planned.plan,
    ...(planned.by === undefined ? {} : { by: planned.by }),
  };
}

async function specOf(scope: FlowScope, number: number): Promise<RevisionSpec> {
  const { object, planned, state, status, phases } = scope;
  const { step } = planned;
  const before = state.current?.spec.parts ?? [];
  const own = new Set(partsOfStep(step, before));
  const parts =
    step.flow === 'contract'
      ? before
      : [...before.filter(part => !own.has(part)), ...(await newParts(scope))];
  return {
    deployment: planned.deployment,
    service: step.service,
    number,
    version: versionAfter(scope, parts),
    flow: step.flow,
    parts,
    secretDigests: status.secretDigests ?? [],
    schemas: status.schemas ?? [],
    heads: headsOf(scope),
    backups: status.backups ?? [],
    phaseTimes: moveStatuses(phases).flatMap(({ phase, startedAt, finishedAt }) =>
      startedAt === undefined || finishedAt === undefined
        ? []
        : [
            {
              phase,
              startedAt,
              seconds: Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000),
            },
          ],
    ),
    oslc: object.metadata.name,
    plan: planned.plan,
    ...(planned.by === undefined ? {} : { by: planned.by }),
  };
}

/** What the code knows that runs now: of a former revision what that knew, else what the plan says, and what was known before of all else. */
function headsOf({ planned: { step }, state }: FlowScope): NonNullable<RevisionSpec['heads']> {
  const returnedTo = state.revisions.find(({ spec }) => spec.number === step.to?.revision);
  if (step.flow === 'rollback') return returnedTo?.spec.heads ?? [];
  const heads = new Map((state.current?.spec.heads ?? []).map(({ database, head }) => [database, head]));
  const brings = step.flow === 'install' || step.flow === 'upgrade';
  if (brings) for (const { database, to } of step.data) if (to !== undefined) heads.set(database, to);
  return [...heads].map(([database, head]) => ({ database, head }));
}

async function newParts({ world, namespace, status }: FlowScope): Promise<RevisionPart[]> {
  const { manifests = [], newSlices = [] } = status;
  const parts: RevisionPart[] = [];
  for (const secrets of setsOf(manifests)) {
    for (const bundle of await world.manifests.of(namespace, secrets)) {
      const { component, hostGroup, version, packageDigest, inventory } = bundle;
      parts.push({
        component,
        ...(hostGroup === undefined ? {} : { hostGroup }),
        ...{ version, packageDigest },
        inventory: [...inventory],
        slices: hasSlices(bundle) ? [...newSlices] : [onlySlice],
        manifests: [...secrets],
      });
    }
  }
  return parts;
}

/** The Secrets of one bundle have one name and a number each. */
function setsOf(names: readonly string[]): string[][] {
  const sets = new Map<string, string[]>();
  for (const name of names) {
    const stem = name.replace(/-\d+$/, '');
    sets.set(stem, [...(sets.get(stem) ?? []), name]);
  }
  return [...sets.values()];
}

/** The version of the service as a whole: the record's, where something runs it; of what is gone, the one it had. */
function versionAfter(
  { world, namespace, planned, state }: FlowScope,
  parts: readonly RevisionPart[],
): string {
  const { step } = planned;
  const record = one<RecordObject>(world.records, namespace, planned.deployment);
  const said = record?.spec.services.find(({ name }) => name === step.service)?.version;
  if (step.flow !== 'rollback' && said !== undefined && parts.some(({ version }) => version === said))
    return said;
  const wanted = step.flow === 'uninstall' ? undefined : step.to?.version;
  return wanted ?? state.current?.spec.version ?? step.from?.version ?? '0';
}
