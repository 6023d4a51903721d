import type { Clock } from '../clock.ts';
import { type ClusterReason, isReason } from '../cluster-error.ts';

export interface BackOffOptions {
  /** The first wait after trouble; each further one is twice as long. */
  readonly firstWaitSeconds?: number;
  /**
   * The longest wait for a server that is not reached: how late we notice that it is back. Asking costs it nothing. With
   * the second that a server asks for while it fills its caches, the default makes less than two.
   */
  readonly longestSilenceSeconds?: number;
  /** The longest wait for a server that answers and is not well. */
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
 * after something that merely ended or expired is at once: a server that says so, perhaps after an outage, is well. A
 * server that asks for a longer wait gets it. There is never no wait twice in a row.
 */
export function backOff(options: BackOffOptions, clock: Clock): BackOff {
  const { firstWaitSeconds = 0.1, longestSilenceSeconds = 0.5 } = options;
  const { longestWaitSeconds = 1, longestPatienceSeconds = 30 } = options;
  let tries = 0;
  let wasClear = false;
  let wasExpired = false;
  let wasAtOnce = false;
  return {
    next: trouble => {
      const isClear = isReason(trouble, ...clearNo);
      const isExpired = isReason(trouble, 'Expired');
      const isNewlyExpired = isExpired && !wasExpired;
      if (isClear !== wasClear) tries = 0;
      wasClear = isClear;
      wasExpired = isExpired;
      tries += 1;
      const isAtOnce = (isNewlyExpired || (trouble === undefined && tries === 1)) && !wasAtOnce;
      wasAtOnce = isAtOnce;
      if (isAtOnce) return 0;
      const longestNow = isReason(trouble, 'Unreachable') ? longestSilenceSeconds : longestWaitSeconds;
      const longest = isClear ? longestPatienceSeconds : longestNow;
      const grown = Math.min(longest, firstWaitSeconds * 2 ** Math.min(tries - 1, 30));
      const asked = isReason(trouble, 'TooManyRequests', 'ServiceUnavailable', 'Timeout')
        ? (trouble.retryAfterSeconds ?? 0)
        : 0;
      const wait = grown * (0.5 + clock.random() / 2);
      return asked > wait ? asked * (1 + clock.random() / 4) : wait;
    },
    reset: () => {
      tries = 0;
      wasExpired = false;
      wasAtOnce = false;
    },
  };
}
