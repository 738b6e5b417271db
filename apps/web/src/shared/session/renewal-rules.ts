/**
 * Rules for the renewal of a session's access token, and for the consequences of a failed renewal. Pure functions.
 * docs/behaviour.md explains the rules under "Sign-in".
 */

/** All in milliseconds, except `maxFailures`. */
export const renewalRules = {
  /** Interval between two checks of the token. */
  checkInterval: 60_000,
  /** A regular check renews a token that is valid for less than this. */
  checkMargin: 70_000,
  /** Before a call, a token that is valid for less than this is renewed. */
  callMargin: 30_000,
  /** Consecutive answered failures that end the session. */
  maxFailures: 3,
} as const;

/** Trigger of a renewal: the regular check, a call about to be made, or a call that was answered 401 or 403. */
export type RenewalReason = 'interval' | 'call' | 'refused-call';

/** Reason of a failed renewal. */
export type RenewalFailure =
  /** The provider refused. `error` is its OAuth 2.0 error code (RFC 6749, section 5.2), if it sent one. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string | null }
  /** The provider's answer is not a token. */
  | { readonly kind: 'unusable' }
  /** No answer: the browser is offline, or the provider is unreachable. */
  | { readonly kind: 'no-answer' };

export interface RenewalVerdict {
  /** Consecutive answered failures, including this one. */
  readonly failures: number;
  readonly endsSession: boolean;
}

/**
 * Returns true if a token that expires at `expiresAt` must be renewed at `now` (both in milliseconds since the Unix
 * epoch).
 */
export function needsRenewal(expiresAt: number, now: number, reason: Exclude<RenewalReason, 'refused-call'>): boolean {
  return expiresAt - now < (reason === 'interval' ? renewalRules.checkMargin : renewalRules.callMargin);
}

/**
 * Decides the consequence of a failed renewal.
 * @param failures Consecutive answered failures before this one. A failure without an answer never counts.
 */
export function judgeFailure(failure: RenewalFailure, reason: RenewalReason, failures: number): RenewalVerdict {
  if (failure.kind === 'no-answer') {
    return { failures, endsSession: false };
  }
  const count = failures + 1;
  const final = failure.kind === 'refused' && (failure.status === 400 || failure.error === 'invalid_grant');
  return { failures: count, endsSession: final || reason === 'interval' || count >= renewalRules.maxFailures };
}
