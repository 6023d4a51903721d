import type { JsonObject } from '../../base/json.ts';
import { since } from './human-duration.ts';
import { fieldAt, hasCondition, numberAt, objectsAt, textAt } from './read-field.ts';

/** What a table says of a Pod beyond its name and age. */
export interface PodCells {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

interface Counted {
  readonly restarts: number;
  /** When a container ended that was started again. */
  readonly last: string;
}

/** The cells of a Pod, decided as an API server does: the reason that matters most is that of the container that keeps it back. */
export function podCells(pod: JsonObject, now: number): PodCells {
  const init = initState(pod);
  const isBegun = init.reason === undefined || hasCondition(pod, 'Initialized');
  const main = isBegun ? mainState(pod, init.reason ?? firstReason(pod)) : undefined;
  const statuses = main ? [...init.sidecars, ...objectsAt(pod, 'status.containerStatuses')] : init.seen;
  const counted = countRestarts(statuses);
  const total = objectsAt(pod, 'spec.containers').length + restartable(pod).size;
  return {
    ready: `${init.ready + (main?.ready ?? 0)}/${total}`,
    status: endState(pod, main?.reason ?? init.reason ?? firstReason(pod)),
    restarts: restartText(counted, now),
  };
}

function firstReason(pod: JsonObject): string {
  const isGated = objectsAt(pod, 'status.conditions').some(
    one => one['type'] === 'PodScheduled' && one['reason'] === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : textAt(pod, 'status.reason', textAt(pod, 'status.phase'));
}

/** Init containers that run beside the others. */
function restartable(pod: JsonObject): ReadonlySet<unknown> {
  const beside = objectsAt(pod, 'spec.initContainers').filter(one => one['restartPolicy'] === 'Always');
  return new Set(beside.map(one => one['name']));
}

/** How far the init containers are; `reason` is there while one of them is not done. */
function initState(pod: JsonObject) {
  const beside = restartable(pod);
  const statuses = objectsAt(pod, 'status.initContainerStatuses');
  const sidecars = statuses.filter(one => beside.has(one['name']));
  const seen: JsonObject[] = [];
  let ready = 0;
  for (const [index, status] of statuses.entries()) {
    seen.push(status);
    const ended = fieldAt(status, 'state.terminated');
    if (ended && numberAt(ended, 'exitCode') === 0) continue;
    if (beside.has(status['name']) && status['started'] === true) {
      if (status['ready'] === true) ready++;
      continue;
    }
    return { ready, seen, sidecars, reason: `Init:${initReason(pod, status, index)}` };
  }
  return { ready, seen, sidecars, reason: undefined };
}

function initReason(pod: JsonObject, status: JsonObject, index: number): string {
  const ended = fieldAt(status, 'state.terminated');
  if (ended) return endReason(ended);
  const waits = textAt(status, 'state.waiting.reason');
  if (waits !== '' && waits !== 'PodInitializing') return waits;
  return `${index}/${objectsAt(pod, 'spec.initContainers').length}`;
}

/** The containers from the last to the first: the first one with something to say has the last word. */
function mainState(pod: JsonObject, before: string): { readonly reason: string; readonly ready: number } {
  let [reason, failure, ready, isRunning] = [before, '', 0, false];
  for (const status of [...objectsAt(pod, 'status.containerStatuses')].reverse()) {
    const waits = textAt(status, 'state.waiting.reason');
    const ended = fieldAt(status, 'state.terminated');
    if (waits !== '') reason = waits;
    else if (ended) {
      reason = endReason(ended);
      if (numberAt(ended, 'exitCode') !== 0) failure = reason;
    } else if (status['ready'] === true && fieldAt(status, 'state.running')) {
      isRunning = true;
      ready++;
    }
  }
  if (reason !== 'Completed') return { reason, ready };
  if (isRunning && hasCondition(pod, 'Ready')) return { reason: 'Running', ready };
  return { reason: failure || (isRunning ? 'NotReady' : reason), ready };
}

function endReason(ended: unknown): string {
  const reason = textAt(ended, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(ended, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(ended, 'exitCode')}` : `Signal:${signal}`;
}

function endState(pod: JsonObject, reason: string): string {
  if (fieldAt(pod, 'metadata.deletionTimestamp') === undefined) return reason;
  if (textAt(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status.phase')) ? reason : 'Terminating';
}

function countRestarts(statuses: readonly JsonObject[]): Counted {
  let [restarts, last] = [0, ''];
  for (const status of statuses) {
    restarts += numberAt(status, 'restartCount');
    const ended = textAt(status, 'lastState.terminated.finishedAt');
    if (ended > last) last = ended;
  }
  return { restarts, last };
}

function restartText({ restarts, last }: Counted, now: number): string {
  return restarts === 0 || last === '' ? String(restarts) : `${restarts} (${since(last, now)} ago)`;
}
