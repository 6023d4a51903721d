/**
 * How fast flows are walked when 2,000 of them wait at once, what they cost in memory, and how many writes they need.
 *
 * Clouds of 50 services each are put down as records that approve their own plans, and the engine is started on them: it plans,
 * begins all flows, walks each through its five moves and writes its revision. The package of a service is one ConfigMap: no move
 * has anything to wait for, and what is measured is the engine and the store alone, in one process. Every flow must end
 * `operational`, or the numbers mean nothing.
 *
 * - Rate: against writing, into the same kind of store, just the objects and states that the walk leaves behind by the minimum
 *   below, by as many writers at once as the engine has.
 * - Writes: everything of the kinds of phases and flows that goes through the port of the cluster, refused ones included, for each
 *   phase. The minimum is four: the phase is created, claimed, and ended; and the flow tells of the move once. What a flow
 *   needs once (created, its last word) is spread over its moves in both. Events, revisions, kept manifests and the objects of the service itself are
 *   shown as a measure of their own, against one event a phase and what the package holds.
 * - Memory: what the heap holds when all flows wait, engine and store together, against a limit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';

async function* run(size: BenchSize): AsyncGenerator<Measure> {}

export const bench: Bench = { name: 'flows', run };
