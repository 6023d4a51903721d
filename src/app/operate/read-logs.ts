import { flowLabel, phaseLabel, serviceLabel, taskLabel } from '../../api/labels.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { listAll } from '../../cluster/follow/list-all.ts';
import type { ReadPodLog } from '../../cluster/pod-log.ts';
import { leadingFlow } from '../../status/leading-flows.ts';
import type { LogLine, LogRequest } from '../operator-verbs.ts';
import { type Desk, notSo } from './write-spec.ts';

interface Voice {
  readonly pod: string;
  readonly container: string;
}

/** The lines of the tasks of a service's running or last flow and of its own pods; one after the other, or side by side while followed. */
export async function* readLogs(
  desk: Desk,
  request: LogRequest,
  podLogs: ReadPodLog,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const voices = await voicesOf(desk, request);
  if (voices.length === 0) {
    const about = request.task === undefined ? '' : ` with ${request.task} in its name`;
    throw notSo(`${request.service} has no pod${about}`);
  }
  const { service: _, task: __, ...query } = request;
  const linesOf = (voice: Voice) =>
    linesFrom(podLogs({ namespace: desk.namespace, ...voice }, { ...query, signal }), voice);
  if (request.follow) yield* sideBySide(voices.map(linesOf));
  else for (const voice of voices) yield* linesOf(voice);
}

async function voicesOf(
  { cluster, namespace, snapshot }: Desk,
  { service, task }: LogRequest,
): Promise<Voice[]> {
  const flow = leadingFlow(snapshot.objects, service)?.metadata.name;
  const selectors = [`${serviceLabel}=${service}`, ...(flow === undefined ? [] : [`${flowLabel}=${flow}`])];
  const jobs = await selected(cluster, 'batch/v1', 'Job', namespace, selectors);
  const ofJobs = jobs.map(({ metadata }) => `job-name=${metadata.name}`);
  const pods = await selected(cluster, 'v1', 'Pod', namespace, [...selectors, ...ofJobs]);
  return pods.filter(pod => isAbout(pod, task)).flatMap(containersOf);
}

async function selected(
  cluster: Cluster,
  apiVersion: string,
  kind: string,
  namespace: string,
  selectors: readonly string[],
): Promise<StoredObject[]> {
  const lists = await Promise.all(
    selectors.map(labelSelector => listAll(cluster, { apiVersion, kind }, { namespace, labelSelector })),
  );
  const found = lists.flatMap(({ items }) => items);
  return [...new Map(found.map(object => [object.metadata.uid, object])).values()];
}

function isAbout({ metadata: { name, labels = {} } }: StoredObject, task: string | undefined): boolean {
  if (task === undefined) return true;
  return [labels[taskLabel], labels[phaseLabel]].includes(task) || name.includes(task);
}

function containersOf(pod: StoredObject): Voice[] {
  const spec = pod['spec'] as Readonly<Record<string, readonly { readonly name: string }[] | undefined>>;
  const containers = [...(spec['initContainers'] ?? []), ...(spec['containers'] ?? [])];
  return containers.map(({ name }) => ({ pod: pod.metadata.name, container: name }));
}

/** Whole lines of one container. One that has not started, or has no former run, has none. */
async function* linesFrom(
  bytes: AsyncIterable<Uint8Array>,
  { pod, container }: Voice,
): AsyncGenerator<LogLine> {
  const from = `${pod}/${container}`;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of bytes) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) yield { from, text };
    }
  } catch (error) {
    if (!isReason(error, 'BadRequest', 'NotFound')) throw error;
  }
  if (rest !== '') yield { from, text: rest };
}

/** What several sources give, in the order it comes. */
async function* sideBySide(sources: readonly AsyncGenerator<LogLine>[]): AsyncGenerator<LogLine> {
  const next = async (source: AsyncGenerator<LogLine>) => ({ source, result: await source.next() });
  const waiting = new Map(sources.map(source => [source, next(source)]));
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done) waiting.delete(source);
      else {
        yield result.value;
        waiting.set(source, next(source));
      }
    }
  } finally {
    for (const promise of waiting.values()) promise.catch(() => {}); // the reader has gone; nobody is left to be told
  }
}
