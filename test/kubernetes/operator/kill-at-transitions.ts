import { follow } from '../../../src/cluster/follow.ts';
import { type FlowObject, flowType } from '../../../src/controller/our-objects.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import type { Aim, OperatorPods } from './operator-pods.ts';

/** Which flows, what brings them, and at which of their transitions a leader shall die: at every one unless told. */
export interface KillWish {
  readonly services: readonly string[];
  readonly change: () => Promise<unknown>;
  readonly only?: ReadonlySet<string>;
}

/** What the kills came to. Transitions are said as `shop main/test:new running`. */
export interface Kills {
  /** Where a leader died: this was the last that it wrote of that flow. */
  readonly at: Set<string>;
  /** Where the leader was faster than the kill, and wrote something more. */
  readonly missed: Set<string>;
}

/**
 * Kills whoever leads, hard, the moment a new flow of one of these services gets to another state, until all of these flows have ended and
 * somebody leads again. A leader that is dead for certain keeps no lease.
 */
export async function killAtTransitions(
  world: JourneyWorld,
  pods: OperatorPods,
  { services, change, only }: KillWish,
): Promise<Kills> {
  const before = new Set((await world.flows()).map(({ metadata }) => metadata.name));
  const kills: Kills = { at: new Set(), missed: new Set() };
  const isFresh = (one: string) => !kills.at.has(one) && !kills.missed.has(one) && (only?.has(one) ?? true);
  const ended = new Set<string>();
  let aim = await pods.aimAt(await pods.untilLeads());
  await change();
  const stop = new AbortController();
  const { namespace } = world;
  for await (const event of follow(world.cluster, flowType, { namespace, signal: stop.signal })) {
    if (event.type === 'SYNCED') continue;
    const flow = event.object as FlowObject;
    if (before.has(flow.metadata.name) || !services.includes(flow.spec.serviceName)) continue;
    if (transitionsOf(flow).some(isFresh)) {
      aim.kill();
      await noteKill(world, flow, { kills, isFresh });
      aim = await nextLeader(pods, aim);
    }
    if (flow.status?.end !== undefined) ended.add(flow.spec.serviceName);
    if (ended.size === services.length) stop.abort();
  }
  return kills;
}

/** Every state that the moves of a flow have got to, and its end. */
function transitionsOf({ spec, status }: FlowObject): string[] {
  const moves = (status?.moves ?? []).map(({ id, state }) => `${id} ${state}`);
  return [...moves, ...(status?.end ? [`end ${status.end}`] : [])].map(one => `${spec.serviceName} ${one}`);
}

/** The dead write nothing: what is there now is where it died. What was seen before that, and was the last no more, was missed. */
async function noteKill(
  world: JourneyWorld,
  seen: FlowObject,
  { kills, isFresh }: { kills: Kills; isFresh: (transition: string) => boolean },
): Promise<void> {
  const flows = await world.flows(seen.spec.serviceName);
  const left = flows.find(({ metadata }) => metadata.name === seen.metadata.name);
  const aimedAt = transitionsOf(seen).filter(isFresh);
  const further = (left ? transitionsOf(left) : []).filter(one => !transitionsOf(seen).includes(one));
  for (const one of aimedAt) (further.length > 0 ? kills.missed : kills.at).add(one);
  for (const one of further.filter(isFresh)) kills.at.add(one);
}

async function nextLeader(pods: OperatorPods, { name }: Aim): Promise<Aim> {
  await pods.replace(name);
  await pods.vacateLead();
  return pods.aimAt(await pods.untilLeads(name));
}
