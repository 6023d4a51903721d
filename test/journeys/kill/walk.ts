import { setImmediate as turn } from 'node:timers/promises';
import { type FlowObject, flowType, type PlanObject, planType } from '../../../src/controller/our-objects.ts';
import { planHasEnded } from '../../../src/controller/plan/plan-controller.ts';
import type { KillWorld } from './kill-world.ts';
import { namespace } from './kill-world.ts';
import type { ManagerLife } from './manager-life.ts';
import type { Watcher } from './watcher.ts';

/** A story is over long before; beyond it nothing moves any more. */
const longestSeconds = 85;

/** So many turns of the event loop bring what was written to whoever follows it. */
const turns = 6;

/** Until nothing happens without time passing: no pass runs or waits, nothing is on its way, the node has nothing to do. */
export async function settle(world: KillWorld, lives: () => readonly ManagerLife[], watcher: Watcher): Promise<void> {
  for (let rounds = 0; rounds < 2000; rounds++) {
    await quiet(lives);
    if (lives().every(({ line }) => line.isCut)) return;
    await watcher.look();
    if (await world.tick()) continue;
    const calls = callsOf(lives());
    await quiet(lives);
    if (callsOf(lives()) === calls) return;
  }
  throw new TypeError('it never comes to rest');
}

/** Managers that are not cut off do what they can in this moment. */
async function quiet(lives: () => readonly ManagerLife[]): Promise<void> {
  for (;;) {
    const before = callsOf(lives());
    for (let count = 0; count < turns; count++) await turn();
    for (const life of lives()) if (life.isStarted && !life.line.isCut) await life.idle();
    const isStarting = lives().some(({ isStarted, line }) => !isStarted && !line.isCut);
    if (!isStarting && callsOf(lives()) === before) return;
  }
}

function callsOf(lives: readonly ManagerLife[]): number {
  return lives.reduce((sum, { line }) => sum + line.calls().length, 0);
}

/** Lets time go on to the next moment in which anything happens. */
export async function goOn(world: KillWorld): Promise<void> {
  const moments = [world.clock.nextSleeper(), world.node.nextChange()].filter(one => one !== undefined);
  const next = Math.min(...moments);
  if (!Number.isFinite(next)) throw new TypeError('nothing will ever happen any more');
  await world.clock.advance(Math.max(next, 1));
}

/** Whether there are so many plans and flows, and every one has come to its end. */
export async function isOver({ cluster }: KillWorld, wanted: number): Promise<boolean> {
  const plans = (await cluster.list(planType, { namespace })).items as readonly PlanObject[];
  const flows = (await cluster.list(flowType, { namespace })).items as readonly FlowObject[];
  return (
    plans.length >= wanted && plans.every(planHasEnded) && flows.every(({ status }) => status?.end !== undefined)
  );
}

/**
 * Walks with a manager until every plan has ended and nothing is left to do, or until it is cut off: then `onCut` brings the next
 * one. Throws where it does not end.
 */
export async function walk(
  world: KillWorld,
  watcher: Watcher,
  lives: () => readonly ManagerLife[],
  { plans, onCut }: { readonly plans: number; readonly onCut: () => Promise<void> },
): Promise<void> {
  const begin = world.clock.monotonic();
  for (;;) {
    await settle(world, lives, watcher);
    if (lives().every(({ line }) => line.isCut)) {
      await onCut();
      continue;
    }
    if (await isOver(world, plans)) return;
    const passed = (world.clock.monotonic() - begin) / 1000;
    if (passed > longestSeconds) throw new TypeError(`not over after ${passed} s:\n${await watcher.dump()}`);
    await goOn(world);
  }
}
