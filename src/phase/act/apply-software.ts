import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { isOverdue } from '../deadlines.ts';
import { isWritten } from '../object/is-written.ts';
import { digestAnnotation } from '../object/prepare-object.ts';
import { isRoutedElsewhere, routesOf } from '../object/routes.ts';
import { sayObject } from '../object/say-object.ts';
import { keyOf, type SideObject, sideObjects } from '../object/side-objects.ts';
import { isController, slicesOfMove } from '../object/slices.ts';
import { deadlineOf } from '../object/task-object.ts';
import {
  type Act,
  done,
  type Notes,
  type Outcome,
  otherSideOf,
  type PhasePorts,
  type PhaseRun,
  sideOf,
} from '../phase-run.ts';
import { hideSecrets } from './hide-secrets.ts';
import { keepOutUntested } from './keep-out-untested.ts';
import { putSupport } from './put-support.ts';
import { refuseServing } from './refuse-serving.ts';
import { failedTask, note, sayReport } from './run-task.ts';
import { announceTest } from './slices-under-test.ts';
import { letRun, stopAll } from './stop-software.ts';

/**
 * Brings the software of a side into being, for the slices of the move. What comes beside the version that serves touches nothing of it;
 * what takes its place waits until the last process of it is gone, so that only one version at a time reads the config under one name.
 */
export const applySoftware: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const objects = sideObjects(side, slicesOfMove(run, side)).filter(one => isSoftware(one, run));
  const refused = await refuseServing(run, ports, side);
  if (refused) return refused;
  const open = await keepOutUntested(run, ports, side);
  if (open) return open;
  const stopped = await stopAll(await toStop(objects, run, ports), ports, notes);
  if (stopped.kind !== 'done') return stopped;
  const support = await putSupport('all')(run, ports, notes);
  if (support.kind !== 'done') return support;
  const put = objects.map(one => ({ ...one, object: withPartition(one, run) }));
  for (const one of put) if (!(await isWritten(ports.cluster, one.object))) await putObject(run, ports, one);
  await announceTest(run, ports, side);
  return rolledOut(run, ports, notes, put);
};

/** Workloads of the phases that install or change software. */
export function isSoftware({ role, phases }: SideObject, { phase }: PhaseRun): boolean {
  const own = phase === 'install' || phase === 'upgrade' || phase === 'rollback' ? phase : 'install';
  return role === 'workload' && phases.includes(own);
}

/** How long things may take, from when on. */
export interface Deadline extends Pick<PhaseRun, 'now' | 'startedAt'> {
  /** For all of them, whatever they say themselves. */
  readonly deadlineSeconds?: number;
}

/** Everything has rolled out; or what is waited for, or why it never will. */
export async function rolledOut(
  run: Deadline,
  ports: PhasePorts,
  notes: Notes,
  objects: readonly { readonly object: ClusterObject; readonly part?: SideObject['part'] }[],
): Promise<Outcome> {
  const waiting: string[] = [];
  for (const { object, part } of objects) {
    if (part && isRoutedElsewhere({ object, part })) continue;
    const report = await hideSecrets(ports, object, await ports.drivers.for(object).observe(object));
    const what = sayObject(object);
    if (isController(object as never) || report.state !== 'done') note(notes, what, object, report);
    if (report.state === 'failed' || report.state === 'stuck') return failedTask(what, object, report);
    if (report.state === 'done') continue;
    const deadline = run.deadlineSeconds ?? deadlineOf(object);
    if (isOverdue(run, deadline)) {
      const message = `Not ready after ${deadline} seconds: ${sayReport(what, object, report)}`;
      return { kind: 'failed', reason: 'DeadlineExceeded', message };
    }
    waiting.push(sayReport(what, object, report));
  }
  if (waiting.length === 0) return done;
  return {
    kind: 'wait',
    reason: 'RollingOut',
    message: `Waits for ${waiting.join('; ')}`,
    afterSeconds: 5,
  };
}

/** Writes one object: a Service that clients use by the router, which knows who is served; all else by its driver. */
export async function putObject(
  run: PhaseRun,
  ports: PhasePorts,
  { object, part }: SideObject,
): Promise<void> {
  const way = routesOf(run, { parts: [part], slices: [] }).find(
    ({ route }) => object.kind === 'Service' && object.metadata.name === route.service,
  );
  if (way) return ports.traffic.ensure(way.route, object);
  await ports.drivers.for(object).apply(object);
  await letRun(ports, object);
}

/** What runs under the names of these objects and is another version: it must be gone before they are written. */
async function toStop(
  objects: readonly SideObject[],
  run: PhaseRun,
  ports: PhasePorts,
): Promise<SideObject[]> {
  const before = new Set(sideObjects(otherSideOf(run)).map(keyOf));
  const found: SideObject[] = [];
  for (const one of objects) {
    if (!isController(one.object as never) || !before.has(keyOf(one)) || goesPodByPod(one, run)) continue;
    const live = await findObject(ports.cluster, refOf(one.object));
    if (live && !isSameTemplate(live, one.object)) found.push(one);
  }
  return found;
}

/** Whether the pods of what is there are those of this object: written by us, from the same content. */
function isSameTemplate(live: StoredObject, object: ClusterObject): boolean {
  return live.metadata.annotations?.[digestAnnotation] === object.metadata.annotations?.[digestAnnotation];
}

/** What is ordered by number or by host, in a rolling change, replaces its pods one by one by itself. */
function goesPodByPod({ object }: SideObject, { step }: PhaseRun): boolean {
  return step.strategy === 'rolling' && (object.kind === 'StatefulSet' || object.kind === 'DaemonSet');
}

/** In a rolling change a StatefulSet goes on with so many of its pods as slices have had their turn. */
function withPartition(one: SideObject, run: PhaseRun): ClusterObject {
  const { slice } = run.move;
  const { object } = one;
  if (!goesPodByPod(one, run) || object.kind !== 'StatefulSet' || slice === undefined) return object;
  const spec = object['spec'] as { replicas?: number; updateStrategy?: { rollingUpdate?: object } };
  const replicas = spec.replicas ?? 1;
  const partition = run.move.side === 'old' ? 0 : replicas - Math.ceil((replicas * slice) / run.step.slices);
  const rollingUpdate = { ...spec.updateStrategy?.rollingUpdate, partition };
  const { annotations = {} } = object.metadata;
  // Each turn is another content, although all else is the same.
  const digest = `${annotations[digestAnnotation]}.${partition}`;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [digestAnnotation]: digest } },
    spec: { ...spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate } },
  };
}
