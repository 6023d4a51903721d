import type { FlowEnd } from '../../api/flow-kinds.ts';
import type { SchemaState } from '../../api/service-revision.ts';
import { ends } from '../../flow/ends.ts';
import { byAge, type FlowObject, type RevisionObject } from '../our-objects.ts';
import { partsCovered } from '../parts-covered.ts';

/** What is known of one service, from its revisions and flows alone. */
export interface ServiceState {
  readonly service: string;
  /** All of them, the newest first. */
  readonly revisions: readonly RevisionObject[];
  /** What was reached last; undefined where nothing ever was. */
  readonly current: RevisionObject | undefined;
  /** All of them, the newest first. */
  readonly flows: readonly FlowObject[];
  /** The flow that has not ended; a flow that waits for its turn is not it. */
  readonly running: FlowObject | undefined;
  /** Whether all that is left of it is to keep the old version for a while. */
  readonly soaking: boolean;
  /** The last flow that ended and whose target is held. */
  readonly hold: FlowObject | undefined;
  /** The schemas of its databases, as they were found or left last. */
  readonly schemas: readonly SchemaState[];
}

/** Ends after which a person must look before anything else happens to the service. */
const needsPerson: ReadonlySet<FlowEnd> = new Set(['irreconcilable', 'held', 'withdrawn']);

/** What is known of a service. */
export function serviceState(
  service: string,
  objects: { readonly revisions: readonly RevisionObject[]; readonly flows: readonly FlowObject[] },
): ServiceState {
  const revisions = objects.revisions.toSorted((a, b) => b.spec.number - a.spec.number);
  const flows = objects.flows.toSorted(byAge).toReversed();
  const started = flows.filter(({ status }) => status?.startedAt !== undefined);
  const running = started.find(({ status }) => status?.end === undefined);
  return {
    service,
    revisions,
    current: revisions[0],
    flows,
    running,
    soaking: running !== undefined && isSoaking(running),
    hold: holdOf(started),
    schemas: schemasOf(started, revisions[0]),
  };
}

/** Whether a flow has done what it was asked for, and only keeps the old version a while. One on its way back does more. */
export function isSoaking({ spec, status }: FlowObject): boolean {
  if (status?.settledAt === undefined || status.end !== undefined || status.question !== undefined)
    return false;
  return spec.aborted !== true && (status.moves ?? []).every(({ id }) => id.startsWith('main/'));
}

/**
 * The flow whose target is held. Of each part the newest flow that came to an end decides: one that succeeded ends the hold of those
 * before it, and so does a person's word. A way back that a person asked for holds from the moment it serves.
 */
function holdOf(started: readonly FlowObject[]): FlowObject | undefined {
  const decided = new Set<string>();
  for (const flow of started) {
    const { planned, released } = flow.spec;
    const { end, settledAt } = flow.status ?? {};
    const isOver = end !== undefined || (planned?.holds === true && settledAt !== undefined);
    if (!planned || !isOver) continue;
    const parts = [...partsCovered(planned.step)];
    if (parts.every(part => decided.has(part))) continue;
    const isHeld = (end !== undefined && ends[end].held) || planned.holds;
    if (isHeld && !released) return flow;
    for (const part of parts) decided.add(part);
  }
  return undefined;
}

/** Whether the last flow stopped where it could go neither on nor back. */
export function isStuck({ hold }: ServiceState): boolean {
  const end = hold?.status?.end;
  return end !== undefined && needsPerson.has(end);
}

function schemasOf(
  started: readonly FlowObject[],
  current: RevisionObject | undefined,
): readonly SchemaState[] {
  const told = started.find(({ status }) => status?.schemas !== undefined)?.status?.schemas;
  // A database that was dropped is told of without any schema.
  return (told ?? current?.spec.schemas ?? []).filter(
    ({ expandedTo, contractedTo }) => expandedTo !== undefined || contractedTo !== undefined,
  );
}
