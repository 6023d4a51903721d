import { setImmediate as turn } from 'node:timers/promises';
import { type FlowObject, flowType, type PlanObject, planType } from '../../../src/controller/our-objects.ts';
import { planHasEnded } from '../../../src/controller/plan/plan-controller.ts';
import type { KillWorld } from './kill-world.ts';
import { namespace } from './kill-world.ts';
import type { ManagerLife } from './manager-life.ts';
import type { Watcher } from './watcher.ts';

/** A story is over long before; beyond it nothing moves any more. */
const longestSeconds = 85;

/** More than any honest world needs to come to rest. */
const mostRounds = 2000;

/** So many turns of the event loop bring what was written to whoever follows it. */
const turns = 6;

/** Who walks, and how one knows that the way is over. */
export interface Walk {
  readonly world: KillWorld;
  readonly watcher: Watcher;
  /** The managers that live now; asked for again after every change. */
  readonly lives: () => readonly ManagerLife[];
  /** So many plans there are in the end, and all of them have ended. */
  readonly plans: number;
  /** Told whenever nothing happens without time passing. May bring another manager: true when it did something. */
  readonly atRest: () => Promise<boolean>;
}

/** Walks until every plan and every flow has ended and nothing is left to do. Throws where that never comes. */
export async function walk(way: Walk): Promise<void> {
  const { world, watcher, plans, atRest } = way;
  const begin = world.clock.monotonic();
  for (;;) {
    await settle(way);
    if (await atRest()) continue;
    if (await isOver(world, plans)) return;
    const passed = (world.clock.monotonic() - begin) / 1000;
    if (passed > longestSeconds) throw new TypeError(`not over after ${passed} s:\n${await watcher.dump()}`);
    await goOn(world);
  }
}

/** Until nothing happens without time passing: no pass runs or waits, nothing is on its way, the node has nothing to do. */
export async function settle({ world, lives, watcher }: Walk): Promise<void> {
  for (let rounds = 0; rounds < mostRounds; rounds++) {
    await quiet(lives);
    if (!lives().some(({ isAtWork }) => isAtWork)) return;
    await watcher.look();
    if (await world.tick()) continue;
    const calls = callsOf(lives());
    await quiet(lives);
    if (callsOf(lives()) === calls) return;
  }
  throw new TypeError('it never comes to rest');
}

/** Managers that are at work do what they can in this moment. */
async function quiet(lives: () => readonly ManagerLife[]): Promise<void> {
  for (;;) {
    const before = callsOf(lives());
    for (let count = 0; count < turns; count++) await turn();
    const atWork = lives().filter(({ isAtWork }) => isAtWork);
    for (const life of atWork) if (life.isStarted) await life.idle();
    if (atWork.every(({ isStarted, isAtWork }) => isStarted || !isAtWork) && callsOf(lives()) === before)
      return;
  }
}

function callsOf(lives: readonly ManagerLife[]): number {
  return lives.reduce((sum, { line }) => sum + line.calls().length, 0);
}

/** Lets time go on to the next moment in which anything happens. */
async function goOn(world: KillWorld): Promise<void> {
  const moments = [world.clock.nextSleeper(), world.node.nextChange()].filter(one => one !== undefined);
  const next = Math.min(...moments);
  if (!Number.isFinite(next)) throw new TypeError('nothing will ever happen any more');
  await world.clock.advance(Math.max(next, 1));
}

/** Whether there are so many plans, and every plan and every flow has come to its end. */
async function isOver({ cluster }: KillWorld, wanted: number): Promise<boolean> {
  const plans = (await cluster.list(planType, { namespace })).items as readonly PlanObject[];
  const flows = (await cluster.list(flowType, { namespace })).items as readonly FlowObject[];
  return (
    plans.length >= wanted &&
    plans.every(planHasEnded) &&
    flows.every(({ status }) => status?.end !== undefined)
  );
}
