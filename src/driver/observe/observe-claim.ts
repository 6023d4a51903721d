import type { StoredObject } from '../../cluster/cluster.ts';
import { type Judgement, judged, terminating } from './judgement.ts';
import { statusOf } from './rollout.ts';
import { failedClaim } from './stuck-by-events.ts';

/**
 * What became of a PersistentVolumeClaim, from it and the Events about it. One whose class binds it only when a Pod uses it is done when it is
 * there: whoever waits for it before the Pod would wait for ever.
 */
export function observeClaim(claim: StoredObject, events: readonly StoredObject[]): Judgement {
  const { name } = claim.metadata;
  const phase = statusOf(claim)['phase'];
  const early = terminating(claim);
  if (early) return early;
  if (phase === 'Bound') return judged('done', 'Bound', `PersistentVolumeClaim ${name} has its volume`);
  if (phase === 'Lost') return judged('failed', 'Lost', `PersistentVolumeClaim ${name} has lost its volume`);
  if (events.some(event => event['reason'] === 'WaitForFirstConsumer'))
    return judged(
      'done',
      'WaitForFirstConsumer',
      `PersistentVolumeClaim ${name} gets its volume with its first Pod`,
    );
  return (
    failedClaim(name, events) ??
    judged('progressing', 'Pending', `PersistentVolumeClaim ${name} waits for its volume`)
  );
}
