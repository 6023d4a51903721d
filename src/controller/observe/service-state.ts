import type { FlowEnd } from '../../api/flow-kinds.ts';
import type { SchemaState } from '../../api/service-revision.ts';
import { ends } from '../../flow/ends.ts';
import { byAge, type FlowObject, type RevisionObject } from '../our-objects.ts';

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

/** Whether a flow has done what it was asked for, and only keeps the old version a while. */
export function isSoaking({ status }: FlowObject): boolean {
  return status?.settledAt !== undefined && status.end === undefined && status.question === undefined;
}

/** The newest flow decides: one that succeeded ends the hold of those before it. */
function holdOf(started: readonly FlowObject[]): FlowObject | undefined {
  const last = started.find(({ status }) => status?.end !== undefined);
  if (!last || last.spec.released) return undefined;
  const { end } = last.status ?? {};
  const isHeld = (end !== undefined && ends[end].held) || last.spec.planned?.holds === true;
  return isHeld ? last : undefined;
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
