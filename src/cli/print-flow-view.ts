import { sayDuration } from '../base/duration.ts';
import type { Paint } from '../base/paint.ts';
import { sayMoment } from '../status/moments.ts';
import type { FlowView, MoveView, ServiceView } from '../status/view.ts';
import { printable } from './printable.ts';

const barWidth = 20;

/** How far a flow is: `[#####.....] 5/10, 2 min of about 5 min`. */
export function progressOf({ flow, hold }: ServiceView, now: string): string {
  if (!flow) return '';
  if (flow.state === 'ended') return hold === undefined ? '' : `${hold.target ?? flow.kind} is held back`;
  const { done, known } = flow.bar;
  const filled = known === 0 ? 0 : Math.round((barWidth * done) / known);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}/${known}`;
  return `${bar}${timeOf(flow, now)}`;
}

function timeOf(
  { state, elapsedSeconds, estimateSeconds, soakUntil, question }: FlowView,
  now: string,
): string {
  if (question) return ', asks';
  if (state === 'soaking')
    return soakUntil === undefined ? ', soaks' : `, soaks until ${sayMoment(soakUntil, now)}`;
  if (elapsedSeconds === undefined) return '';
  const about = estimateSeconds === undefined ? '' : ` of about ${sayDuration(estimateSeconds)}`;
  return `, ${sayDuration(elapsedSeconds)}${about}`;
}

const signs: Record<MoveView['state'], string> = { done: 'ok', running: '..', failed: '!!' };

/** The moves of a flow that runs, with what the one at work is doing; of one that ended, those that failed. */
export function flowLines(flow: FlowView, paint: Paint): string[] {
  const paints = { done: paint.good, running: paint.warn, failed: paint.bad };
  const moves = flow.state === 'ended' ? flow.moves.filter(({ state }) => state === 'failed') : flow.moves;
  return moves.flatMap((move, index) => {
    const isLast = index === moves.length - 1;
    const time = move.seconds === undefined ? '' : ` ${sayDuration(move.seconds)}`;
    const said = move.state === 'done' || move.message === undefined ? '' : `: ${move.message}`;
    const line = `    ${paints[move.state](signs[move.state])} ${move.phase.padEnd(14)} ${printable(`${move.says}${time}${said}`)}`;
    return [line, ...(isLast || move.state === 'failed' ? thingLines(move, paint) : [])];
  });
}

function thingLines({ things, traffic }: MoveView, paint: Paint): string[] {
  return [
    ...things.map(({ name, state, message }) =>
      paint.faint(
        printable(`        ${state.padEnd(7)} ${name}${message === undefined ? '' : `: ${message}`}`),
      ),
    ),
    ...traffic.map(({ slice, weight, requests, errors, inFlight }) =>
      paint.faint(
        printable(
          `        slice ${slice}: weight ${weight}, ${requests} requests, ${errors} failed${inFlight === undefined ? '' : `, ${inFlight} in flight`}`,
        ),
      ),
    ),
  ];
}
