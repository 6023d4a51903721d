import type { TrafficStatus } from '../../api/phase-kinds.ts';
import { watchedSeconds } from '../deadlines.ts';
import { sideObjects } from '../object/side-objects.ts';
import { type Act, done, type Notes, type Outcome, type PhaseRun, sideOf } from '../phase-run.ts';
import { listedTasks } from './listed-tasks.ts';
import { runTestsOf } from './run-tests-of.ts';
import { servingNames } from './serving-names.ts';
import { isServed, namesOfSlice, type SliceAddress, sliceAddresses } from './slice-addresses.ts';
import { slicesOfTest, slicesUnderTest } from './slices-under-test.ts';

/**
 * Proves a version, slice by slice, before clients meet it: the package's own tests see the names of the service resolve to the slice
 * under test, and the router must have seen requests come to that very slice, else the proof is none.
 */
export const runTests: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const slices = slicesOfTest(run, side);
  if (slices.length === 0) return done;
  const found = await sliceAddresses(run, ports, slicesUnderTest(run, side));
  if ('kind' in found) return found;
  if (!run.traffic && found.some(({ preview }) => preview.requests !== undefined)) {
    // What came before the test must be written down before the test begins, or a lost pass would count it as the test's.
    notes.traffic = baseOf(found);
    return { kind: 'wait', reason: 'TestBegins', message: 'The test begins.', afterSeconds: 0 };
  }
  for (const slice of slices) {
    const tasks = listedTasks(sideObjects(side, [slice]), 'test');
    const own = found.filter(one => one.slice === slice || slices.length === 1);
    const { env, ...names } = namesOfSlice(run, own, slice);
    const serving = await servingNames(ports, own, slice);
    const outcome = await runTestsOf(run, ports, notes, tasks, {
      ...{ slice, extras: { ...names, env: { ...env, ...serving } } },
      isServed: async () => (await Promise.all(own.map(one => isServed(ports, one.preview)))).every(Boolean),
    });
    if (outcome.kind !== 'done') return outcome;
  }
  return proof(run, notes, found);
};

function baseOf(found: readonly SliceAddress[]): TrafficStatus {
  const slices = [...new Set(found.map(({ slice }) => slice))];
  return {
    slices: slices.map(slice => ({
      ...{ slice, weight: 0, requests: 0, errors: 0 },
      baseRequests: requestsOf(found, slice) ?? 0,
    })),
  };
}

/** What came to a slice by all its preview addresses; undefined where nobody counts. */
function requestsOf(found: readonly SliceAddress[], slice: string): number | undefined {
  const counts = found.filter(one => one.slice === slice).map(({ preview }) => preview.requests);
  return counts.every(count => count === undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** How far behind the counts of a router may be. */
const countsLagSeconds = 5;

/** The test is worth something only if its requests reached the slice it was about. */
function proof(run: PhaseRun, notes: Notes, found: readonly SliceAddress[]): Outcome {
  for (const { way, slice } of found) {
    const requests = requestsOf(found, slice);
    if (requests === undefined) continue;
    const base = run.traffic?.slices.find(one => one.slice === slice)?.baseRequests ?? 0;
    // Counts that begin anew belong to another router: all of it came since.
    const came = requests < base ? requests : requests - base;
    if (came > 0) continue;
    const over = run.traffic?.stepStartedAt;
    if (over === undefined || watchedSeconds(run, Date.parse(over)) < countsLagSeconds) {
      notes.traffic = { slices: [], ...run.traffic, stepStartedAt: over ?? new Date(run.now).toISOString() };
      const message = `The test passed; waits for the router to tell that it reached slice ${slice}.`;
      return { kind: 'wait', reason: 'ProofMissing', message, afterSeconds: 0.5 };
    }
    const message = `The test passed, but none of its requests came to slice ${slice} of ${way.route.service}: it proves nothing. Let it call ${way.route.service} by its name.`;
    return { kind: 'failed', reason: 'TestMissedTheSlice', message };
  }
  return done;
}
