import type { TrafficStatus } from '../../api/phase-kinds.ts';
import type { Preview } from '../../traffic/traffic.ts';
import { watchedSeconds } from '../deadlines.ts';
import { sideObjects } from '../object/side-objects.ts';
import type { TaskExtras } from '../object/task-object.ts';
import {
  type Act,
  done,
  type Notes,
  type Outcome,
  type PhasePorts,
  type PhaseRun,
  sideOf,
  type VersionSide,
} from '../phase-run.ts';
import { listedTasks } from './run-phase-tasks.ts';
import { runTasks } from './run-task.ts';
import { type SliceByWay, slicesOfTest, slicesUnderTest } from './slices-under-test.ts';

/** One slice under test by one way, and what had come to it when the phase began. */
interface SliceUnderTest extends SliceByWay {
  readonly preview: Preview;
}

/**
 * Proves a version, slice by slice, before clients meet it: the package's own tests see the names of the service resolve to the slice
 * under test, and the router must have seen requests come to that very slice, else the proof is none.
 */
export const runTests: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const slices = slicesOfTest(run, side);
  if (slices.length === 0) return done;
  const found = await previews(run, ports, side);
  if ('kind' in found) return found;
  if (!run.traffic && found.some(({ preview }) => preview.requests !== undefined)) {
    // What came before the test must be written down before the test begins, or a lost pass would count it as the test's.
    notes.traffic = baseOf(found);
    return { kind: 'wait', reason: 'TestBegins', message: 'The test begins.', afterSeconds: 0 };
  }
  for (const slice of slices) {
    const tasks = listedTasks(sideObjects(side, [slice]), 'test');
    const own = found.filter(one => one.slice === slice || slices.length === 1);
    const outcome = await runTasks(run, ports, notes, tasks, { ...extrasOf(run, own, slice), key: slice });
    if (outcome.kind !== 'done') return outcome;
  }
  return proof(run, notes, found);
};

/** So long a slice that was ready may take to answer at its address; after that the test itself says what is wrong. */
const previewSeconds = 20;

/** The same on a cluster, where controllers and nodes hear of each other late: after an outage they hear when this manager does, or later. */
const clusterPreviewSeconds = 60;

/** However often managers come and go. */
const longestPreviewSeconds = 300;

/** Where nobody counts, nobody tells either when all nodes have heard of an address: they get this long from when it was made. */
const addressLeadSeconds = 3;

/** And this long to hear that a slice is ready behind an address that they know: they gather changes for up to a second. */
const sliceLeadSeconds = 1;

async function previews(
  run: PhaseRun,
  ports: PhasePorts,
  side: VersionSide,
): Promise<SliceUnderTest[] | Outcome> {
  const found: SliceUnderTest[] = [];
  for (const { way, slice } of slicesUnderTest(run, side)) {
    const preview = await ports.traffic.preview(way.route, slice);
    const afterSeconds = preview ? await tooEarly(run, ports, preview) : lookAgainSeconds;
    if (!preview || afterSeconds > 0) {
      const message = `Waits for an address of ${way.route.service} that only slice ${slice} answers${until(run, preview)}.`;
      return { kind: 'wait', reason: 'PreviewMissing', message, afterSeconds };
    }
    found.push({ way, slice, preview });
  }
  return found;
}

/** How soon one looks again for an address, or whether the slice answers there. */
const lookAgainSeconds = 0.5;

/** The end of a wait for an address that is there; one that is missing is waited for as long as the phase may take. */
function until(run: PhaseRun, preview: Preview | undefined): string {
  if (!preview) return '';
  const end = new Date(lastMoment(run, preview)).toISOString();
  return `: at ${preview.address}, until ${end} at most, then the test begins all the same`;
}

/** When a test begins although nobody answers. */
function lastMoment({ startedAt, claimedAt = startedAt }: PhaseRun, { requests }: Preview): number {
  if (requests !== undefined) return startedAt + previewSeconds * 1000;
  const watched = Math.max(startedAt, claimedAt) + clusterPreviewSeconds * 1000;
  // Counted from the beginning too: managers that are killed again and again would wait for ever.
  return Math.min(watched, startedAt + longestPreviewSeconds * 1000);
}

/**
 * Seconds until a test may begin. An address may be there a moment before the router answers at it: a test that begins then fails for
 * nothing. Time that nobody watched does not count: the address may be one that this manager has just made.
 */
async function tooEarly(run: PhaseRun, ports: PhasePorts, preview: Preview): Promise<number> {
  const { isServed, requests, madeAt = run.now } = preview;
  const mayWait = run.now < lastMoment(run, preview);
  if (isServed === false && mayWait) return lookAgainSeconds;
  if (requests !== undefined) return 0;
  const seconds = watchedSeconds(run, run.startedAt);
  // No clock but our own makes it longer than that.
  const known = Math.max(seconds, (run.now - madeAt) / 1000);
  const leadSeconds = Math.max(addressLeadSeconds - known, sliceLeadSeconds - seconds);
  if (leadSeconds > 0) return leadSeconds;
  return mayWait && (await isRefused(ports, preview)) ? lookAgainSeconds : 0;
}

/** Whether it is known that nobody answers: at no port, and not because the address is out of our reach. */
async function isRefused({ answers }: PhasePorts, preview: Preview): Promise<boolean> {
  const ports = preview.ports.filter(({ protocol }) => protocol === undefined);
  const told = await Promise.all(ports.map(({ port }) => answers(preview.address, port)));
  return told.includes(false) && !told.includes(true);
}

function baseOf(found: readonly SliceUnderTest[]): TrafficStatus {
  const slices = [...new Set(found.map(({ slice }) => slice))];
  return {
    slices: slices.map(slice => ({
      ...{ slice, weight: 0, requests: 0, errors: 0 },
      baseRequests: requestsOf(found, slice) ?? 0,
    })),
  };
}

/** What came to a slice by all its preview addresses; undefined where nobody counts. */
function requestsOf(found: readonly SliceUnderTest[], slice: string): number | undefined {
  const counts = found.filter(one => one.slice === slice).map(({ preview }) => preview.requests);
  return counts.every(count => count === undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** The names of a service resolve to the slice under test: for who looks in its hosts file, and for who reads variables. */
function extrasOf(run: PhaseRun, found: readonly SliceUnderTest[], slice: string): TaskExtras {
  const env: Record<string, string> = { AFLOAT_SLICE: slice };
  const hostAliases = found.map(({ way, preview }) => {
    const { service } = way.route;
    const name = service.toUpperCase().replaceAll('-', '_');
    env[`${name}_SERVICE_HOST`] = preview.address;
    const [first] = preview.ports;
    if (first) env[`${name}_SERVICE_PORT`] = `${first.port}`;
    for (const port of preview.ports)
      if (port.name !== undefined)
        env[`${name}_SERVICE_PORT_${port.name.toUpperCase().replaceAll('-', '_')}`] = `${port.port}`;
    const inNamespace = `${service}.${run.namespace}`;
    return {
      ip: preview.address,
      hostnames: [service, inNamespace, `${inNamespace}.svc`, `${inNamespace}.svc.cluster.local`],
    };
  });
  return { env, hostAliases };
}

/** How far behind the counts of a router may be. */
const countsLagSeconds = 5;

/** The test is worth something only if its requests reached the slice it was about. */
function proof(run: PhaseRun, notes: Notes, found: readonly SliceUnderTest[]): Outcome {
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
