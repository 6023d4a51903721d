import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { nameOf } from './name-of.ts';

/**
 * Throws `ObjectNotOurs` unless what is there is what the same phase wrote. What runs once is taken for done when it is there, so the
 * Job of another phase, or of a person, under the same name must never be taken for ours.
 */
export function checkSameOrigin(live: StoredObject, wanted: ClusterObject): void {
  for (const label of [phaseLabel, managedByLabel]) {
    const [there, ours] = [live.metadata.labels?.[label], wanted.metadata.labels?.[label]];
    if (there === ours) continue;
    throw notOurs(live, `its label ${label} is ${said(there)}, and ours would be ${said(ours)}`);
  }
}

/**
 * Throws `ObjectNotOurs` unless the object may be removed: Afloat wrote it and, where the caller names a phase and the object has one, it
 * is the same.
 */
export function checkRemovable(live: StoredObject, wanted: ClusterObject): void {
  const who = live.metadata.labels?.[managedByLabel];
  if (who !== managedBy) throw notOurs(live, `its label ${managedByLabel} is ${said(who)}, not ${managedBy}`);
  const [there, ours] = [live.metadata.labels?.[phaseLabel], wanted.metadata.labels?.[phaseLabel]];
  if (there === undefined || ours === undefined || there === ours) return;
  throw notOurs(live, `its label ${phaseLabel} is ${said(there)}, and ours is ${said(ours)}`);
}

function notOurs(live: StoredObject, why: string): CodedError {
  const object = nameOf(live);
  return new CodedError('ObjectNotOurs', `${object} was not written by us: ${why}`, { details: { object } });
}

function said(value: string | undefined): string {
  return value === undefined ? 'not there' : JSON.stringify(value);
}
