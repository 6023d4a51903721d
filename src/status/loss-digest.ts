import type { DataLoss } from '../api/data-loss.ts';
import { type Digest, digestJson } from '../base/digest.ts';

/** What a list of losses says, whenever it was made: a yes to a restore is about one such list, and about no longer one. */
export function lossDigest(losses: readonly DataLoss[]): Digest {
  return digestJson(losses.map(({ toldAt: _toldAt, ...says }) => says));
}
