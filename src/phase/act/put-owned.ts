import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { digestAnnotation } from '../object/prepare-object.ts';
import { sayObject } from '../object/say-object.ts';
import { done, type Notes, type Outcome, type PhasePorts } from '../phase-run.ts';
import { type Deadline, rolledOut } from './apply-software.ts';

/** An object that a phase owns, ready to be written: with the labels of its phase and a digest of its content. */
export interface OwnedObject {
  readonly object: ClusterObject;
  /** What several phases need is made by the first of them, and left alone by the others. */
  readonly onlyIfMissing: boolean;
}

/** What one pass over a phase that stands alone goes by. */
export interface OwnedRun extends Deadline {
  /** Things that were done in an earlier pass: what runs once is not run again when somebody cleaned it up. */
  readonly done: ReadonlySet<string>;
  /** Whether an object of another phase of the same service may be taken over: the newer phase is its owner then. */
  readonly mayTake: (live: StoredObject) => boolean;
}

/** Kinds that are written once and have an end. */
const onceKinds: ReadonlySet<string> = new Set(['Job', 'Pod', 'Workflow', 'Command']);

/**
 * Brings the objects of a phase that stands alone into being, in their order, and tells where they are, and which of what runs once is done: a
 * cluster may clean that up before the rest is there. Called again it makes nothing twice.
 */
export async function putOwned(
  run: OwnedRun,
  ports: PhasePorts,
  notes: Notes,
  objects: readonly OwnedObject[],
): Promise<Outcome> {
  const put: OwnedObject[] = [];
  const over: string[] = [];
  notes.done = over;
  for (const one of objects) {
    const what = sayObject(one.object);
    const isOnce = onceKinds.has(one.object.kind);
    const driver = ports.drivers.for(one.object);
    if (isOnce && run.done.has(what)) {
      notes.progress.push({ name: what.slice(0, 320), state: 'done' });
      over.push(what);
      continue;
    }
    if (!(await isPut(run, ports, one))) await driver.apply(one.object);
    else if (isOnce && (await driver.observe(one.object)).state === 'done') over.push(what);
    put.push(one);
  }
  return put.length === 0 ? done : rolledOut(run, ports, notes, put);
}

/** Whether there is nothing to write. Throws `ObjectNotOurs` for what somebody else made. */
async function isPut(
  { mayTake }: OwnedRun,
  { cluster }: PhasePorts,
  { object, onlyIfMissing }: OwnedObject,
): Promise<boolean> {
  const live = await findObject(cluster, refOf(object));
  if (!live) return false;
  const { labels = {}, annotations = {} } = live.metadata;
  const isOurs = labels[phaseLabel] === object.metadata.labels?.[phaseLabel];
  if (!isOurs && onlyIfMissing) return true;
  if (labels[managedByLabel] !== managedBy || (!isOurs && !mayTake(live))) {
    const message = `${sayObject(object)} is there already, and this phase did not make it`;
    throw new CodedError('ObjectNotOurs', message);
  }
  return isOurs && annotations[digestAnnotation] === object.metadata.annotations?.[digestAnnotation];
}
