import type { Preview } from '../../traffic/traffic.ts';
import { watchedSeconds } from '../deadlines.ts';
import type { TaskExtras } from '../object/task-object.ts';
import type { Outcome, PhasePorts, PhaseRun } from '../phase-run.ts';
import type { SliceByWay } from './slices-under-test.ts';

/** One slice, a way that leads there, and the address at which it alone answers. */
export interface SliceAddress extends SliceByWay {
  readonly preview: Preview;
}

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

/**
 * The addresses of slices, each at which its slice alone answers; or the wait for one. `within`: so many seconds of the phase an address is
 * waited for, and then left out; otherwise one that is missing is waited for, and one that nobody answers at for a while.
 */
export async function sliceAddresses(
  run: PhaseRun,
  ports: PhasePorts,
  slices: readonly SliceByWay[],
  within?: number,
): Promise<SliceAddress[] | Outcome> {
  const found: SliceAddress[] = [];
  for (const { way, slice } of slices) {
    const preview = await ports.traffic.preview(way.route, slice);
    const end = within === undefined ? preview && lastMoment(run, preview) : run.startedAt + within * 1000;
    if (!preview && end !== undefined && run.now >= end) continue;
    const afterSeconds = preview ? await tooEarly(run, ports, preview, end) : lookAgainSeconds;
    if (!preview || afterSeconds > 0) {
      const message = `Waits for an address of ${way.route.service} that only slice ${slice} answers${until(preview, end)}.`;
      return { kind: 'wait', reason: 'PreviewMissing', message, afterSeconds };
    }
    found.push({ way, slice, preview });
  }
  return found;
}

/** How soon one looks again for an address, or whether the slice answers there. */
const lookAgainSeconds = 0.5;

/** The end of a wait; a test waits for an address that is missing as long as it takes. */
function until(preview: Preview | undefined, end: number | undefined): string {
  if (end === undefined) return '';
  const at = preview ? ` at ${preview.address},` : '';
  return `:${at} until ${new Date(end).toISOString()} at most, then its tasks begin all the same`;
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
async function tooEarly(
  run: PhaseRun,
  ports: PhasePorts,
  preview: Preview,
  end = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { isServed, requests, madeAt = run.now } = preview;
  const mayWait = run.now < end;
  if (isServed === false && mayWait) return lookAgainSeconds;
  if (requests !== undefined) return 0;
  const seconds = watchedSeconds(run, run.startedAt);
  // No clock but our own makes it longer than that.
  const known = Math.max(seconds, (run.now - madeAt) / 1000);
  const leadSeconds = Math.max(addressLeadSeconds - known, sliceLeadSeconds - seconds);
  if (leadSeconds > 0) return leadSeconds;
  return mayWait && (await isRefused(ports, preview)) ? lookAgainSeconds : 0;
}

/** Whether a slice may answer at its address, as far as is known. */
export async function isServed(ports: PhasePorts, preview: Preview): Promise<boolean> {
  if (preview.isServed === false) return false;
  return preview.requests !== undefined || !(await isRefused(ports, preview));
}

/** Whether it is known that nobody answers: at no port, and not because the address is out of our reach. */
async function isRefused({ answers }: PhasePorts, preview: Preview): Promise<boolean> {
  const ports = preview.ports.filter(({ protocol }) => protocol === undefined);
  const told = await Promise.all(ports.map(({ port }) => answers(preview.address, port)));
  return told.includes(false) && !told.includes(true);
}

/** The names of a service resolve to this slice: for tasks that look in their hosts file, and for those that read variables. */
export function namesOfSlice(run: PhaseRun, found: readonly SliceAddress[], slice: string): TaskExtras {
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
