/**
 * Rules of renewing a session's access token, and the consequences of a failed renewal. No storage, no request, no
 * timer. docs/behaviour.md explains them under "Sign-in".
 */

/** All in milliseconds but `maxFailures`. */
export const renewalRules = {
  /** Interval between two checks of the token. */
  checkInterval: 60_000,
  /** The look renews a token that is valid for less than this. */
  checkMargin: 70_000,
  /** A call first renews a token that is valid for less than this. */
  callMargin: 30_000,
  /** Answered failures in a row that end the session. */
  maxFailures: 3,
} as const;

/** Trigger of a renewal: the regular check, a call about to be made, or a call that was answered 401 or 403. */
export type RenewalReason = 'interval' | 'call' | 'refused-call';

/** Reason of a failed renewal. */
export type RenewalFailure =
  /** The provider said no. `error` is its OAuth 2.0 error code (RFC 6749, section 5.2) when it gave one. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string | null }
  /** The provider answered something that is no token. */
  | { readonly kind: 'unusable' }
  /** No answer: the browser is offline, or the provider is away. */
  | { readonly kind: 'no-answer' };

export interface RenewalVerdict {
  /** Answered failures in a row, this one included. */
  readonly failures: number;
  readonly endsSession: boolean;
}

/** True when a token that expires at `expiresAt` is to be renewed at `now` (both in milliseconds since the Unix epoch). */
export function needsRenewal(expiresAt: number, now: number, reason: Exclude<RenewalReason, 'refused-call'>): boolean {
  return expiresAt - now < (reason === 'interval' ? renewalRules.checkMargin : renewalRules.callMargin);
}

/**
 * Decides the consequence of a failed renewal. `failures` counts the answered failures in a row before it; a failure
 * without an answer never counts.
 */
export function judgeFailure(failure: RenewalFailure, reason: RenewalReason, failures: number): RenewalVerdict {
  if (failure.kind === 'no-answer') {
    return { failures, endsSession: false };
  }
  const count = failures + 1;
  const final = failure.kind === 'refused' && (failure.status === 400 || failure.error === 'invalid_grant');
  return { failures: count, endsSession: final || reason === 'interval' || count >= renewalRules.maxFailures };
}
