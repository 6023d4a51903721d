import { CodedError } from '../../../base/coded-error.ts';
import type { Waiting } from '../decide/next-steps.ts';
import { reportedStatus } from '../decide/reported-status.ts';
import type { Container, Pod } from '../pod-shape.ts';
import { makeSpec } from './container-spec.ts';
import { type PodParts, sourcesFor } from './pod-parts.ts';

/** Which run is to be started. */
export interface RunToStart {
  readonly pod: Pod;
  readonly container: Container;
  readonly attempt: number;
  /** Volumes by name. */
  readonly volumes: ReadonlyMap<string, string>;
}

/** A container that the machine refuses: tried again after a while, for the machine may change. */
export const cannotBeMade = 'CreateContainerError';

/** Starts a run and says so in events; or returns why it cannot be started yet. The Pod has room. */
export async function startContainer(run: RunToStart, parts: PodParts): Promise<Waiting | undefined> {
  const { pod, container, attempt, volumes } = run;
  const { uid } = pod.metadata;
  const room = parts.rooms.room(uid);
  if (!room) return undefined;
  const made = await makeSpec(container, {
    ...sourcesFor(pod, room, parts),
    images: parts.images,
    room,
    volumes,
    attempt,
    reported: reportedStatus(pod, container)?.state.waiting?.reason,
  });
  if ('waiting' in made) {
    tellWaiting(pod, container, made.waiting, parts);
    return made.waiting;
  }
  const { image = '' } = container;
  const pulled = `Container image "${image}" already present on machine`;
  parts.events.record(pod, { type: 'Normal', reason: 'Pulled', message: pulled, container });
  try {
    await parts.rooms.start(made.spec);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const waiting = { reason: cannotBeMade, message: error.message };
    tellWaiting(pod, container, waiting, parts);
    return waiting;
  }
  parts.events.record(pod, { type: 'Normal', reason: 'Created', message: 'Container created', container });
  return undefined;
}

function tellWaiting(
  pod: Pod,
  container: Container,
  { reason, message = '' }: Waiting,
  parts: PodParts,
): void {
  const tell = (what: string, text: string) =>
    parts.events.record(pod, { type: 'Warning', reason: what, message: text, container, lasts: true });
  if (reason === 'ErrImageNeverPull') tell(reason, message);
  if (reason === 'ErrImagePull')
    tell('Failed', `Failed to pull image "${container.image ?? ''}": ${message}`);
  if (reason === 'ImagePullBackOff') tell('BackOff', `Back-off pulling image "${container.image ?? ''}"`);
  const isImage = reason.startsWith('ErrImage') || reason === 'ImagePullBackOff';
  tell('Failed', `Error: ${isImage ? reason : message}`);
}
