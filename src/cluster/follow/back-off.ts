import type { Clock } from '../clock.ts';
import { type ClusterReason, isReason } from '../cluster-error.ts';

export interface BackOffOptions {
  /** The first wait after trouble; each further one is twice as long. */
  readonly firstWaitSeconds?: number;
  /** The longest wait for a server that does not answer or is not well: how late we notice that it is back. */
  readonly longestWaitSeconds?: number;
  /** The longest wait after a clear no, such as Forbidden: asking often would not help. */
  readonly longestPatienceSeconds?: number;
}

/** Answers of a server that is well. */
const clearNo: readonly ClusterReason[] = [
  'Forbidden',
  'Unauthorized',
  'NotFound',
  'BadRequest',
  'MethodNotAllowed',
  'Invalid',
];

export interface BackOff {
  /** Seconds to wait now; `trouble` is what went wrong, undefined where something just ended too soon. */
  next(trouble: unknown): number;
  /** It works again. */
  reset(): void;
}

/**
 * Waits that grow, with chance in them so that many who lost the same server do not come back together. The first try
 * after something that merely ended or expired is at once. A server that asks for a longer wait gets it.
 */
export function backOff(options: BackOffOptions, clock: Clock): BackOff {
  const { firstWaitSeconds = 0.1, longestWaitSeconds = 1, longestPatienceSeconds = 30 } = options;
  let tries = 0;
  let wasClear = false;
  return {
    next: trouble => {
      const isClear = isReason(trouble, ...clearNo);
      if (isClear !== wasClear) tries = 0;
      wasClear = isClear;
      tries += 1;
      const isHarmless = trouble === undefined || isReason(trouble, 'Expired');
      if (isHarmless && tries === 1) return 0;
      const longest = isClear ? longestPatienceSeconds : longestWaitSeconds;
      const grown = Math.min(longest, firstWaitSeconds * 2 ** Math.min(tries - 1, 30));
      const asked = isReason(trouble, 'TooManyRequests', 'ServiceUnavailable', 'Timeout')
        ? (trouble.retryAfterSeconds ?? 0)
        : 0;
      return asked > grown ? asked * (1 + clock.random() / 4) : grown * (0.5 + clock.random() / 2);
    },
    reset: () => {
      tries = 0;
    },
  };
}
