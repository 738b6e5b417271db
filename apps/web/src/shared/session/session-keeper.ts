/**
 * Keeps the session alive: checks the token regularly, renews it before calls, and ends the session according to the
 * rules. One renewal runs at a time across all tabs. A provider that rotates tokens treats two simultaneous ones as
 * theft, and revokes the whole grant.
 */
import type { Clock } from '@wirebench/clock';
import type { RenewalOutcome } from './refresh-grant.ts';
import { judgeFailure, needsRenewal, type RenewalReason, renewalRules } from './renewal-rules.ts';
import type { Session } from './session.ts';
import { SessionError, sessionErrorText } from './session-errors.ts';
import type { SessionStore } from './session-store.ts';

export interface SessionKeeperOptions {
  readonly store: SessionStore;
  readonly clock: Pick<Clock, 'wallTime' | 'schedule'>;
  readonly refresh: (session: Session) => Promise<RenewalOutcome>;
  /** Runs `task` while no other tab runs one. */
  readonly exclusively: <Result>(task: () => Promise<Result>) => Promise<Result>;
}

type Renewal =
  | { readonly kind: 'renewed'; readonly session: Session }
  /** The user signed out, here or in another tab. */
  | { readonly kind: 'signed-out' }
  /** The rules ended the session. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused' }
  /** No answer, or an answer that is not a token. */
  | { readonly kind: 'failed' };

export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  #failures = 0;
  #running: Promise<Renewal> | null = null;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
  }

  /** Checks the token every 60 s. Returns a function that stops the checks. */
  start(): () => void {
    const { clock } = this.#options;
    let cancel: () => void;
    const again = () => {
      cancel = clock.schedule(renewalRules.checkInterval, () => {
        again();
        void this.check();
      });
    };
    again();
    return () => cancel();
  }

  /** Renews a token that is valid for less than 70 s. Ends the session if the provider refuses. */
  async check(): Promise<void> {
    const session = this.#options.store.current();
    if (session !== null && needsRenewal(session.expiresAt, this.#options.clock.wallTime(), 'interval')) {
      await this.#renew(session.accessToken, 'interval');
    }
  }

  /**
   * Returns the token for the next call, valid for 30 s where possible; null if no user is signed in.
   *
   * @throws SessionError `expired` if the provider ended the session, or refused to renew an expired token.
   */
  async tokenForCall(): Promise<string | null> {
    const { store, clock } = this.#options;
    const session = store.current();
    if (session === null || !needsRenewal(session.expiresAt, clock.wallTime(), 'call')) {
      return session?.accessToken ?? null;
    }
    const renewal = await this.#renew(session.accessToken, 'call');
    if (renewal.kind === 'renewed') {
      return renewal.session.accessToken;
    }
    const over = session.expiresAt <= clock.wallTime();
    if (store.current() === null || (renewal.kind === 'refused' && over)) {
      throw new SessionError('expired');
    }
    return session.accessToken;
  }

  /**
   * Returns a new token after a call with `refusedToken` was answered 401 or 403.
   * @throws SessionError `expired` if the renewal was refused, `renewal-failed` if it failed otherwise.
   */
  async tokenAfterRefusal(refusedToken: string): Promise<string> {
    const current = this.#options.store.read();
    if (current !== null && current.accessToken !== refusedToken) {
      return current.accessToken;
    }
    const renewal = await this.#renew(refusedToken, 'refused-call');
    if (renewal.kind === 'renewed') {
      return renewal.session.accessToken;
    }
    throw new SessionError(renewal.kind === 'failed' ? 'renewal-failed' : 'expired');
  }

  /**
   * Ends the session after the server refused even a fresh token.
   * @param text Explanation for the user.
   */
  end(refusedToken: string, text: string): void {
    if (this.#options.store.read()?.accessToken === refusedToken) {
      this.#options.store.end(text);
    }
  }

  /** Calls of this tab during a renewal share it. It fails once, and counts once. */
  #renew(oldToken: string, reason: RenewalReason): Promise<Renewal> {
    this.#running ??= this.#options
      .exclusively(() => this.#renewAlone(oldToken, reason))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async #renewAlone(oldToken: string, reason: RenewalReason): Promise<Renewal> {
    const { store, refresh } = this.#options;
    const stored = store.read();
    if (stored === null) {
      store.clear();
      return { kind: 'signed-out' };
    }
    if (stored.accessToken !== oldToken) {
      // Another tab has renewed the token while this one waited for the lock.
      store.save(stored);
      this.#failures = 0;
      return { kind: 'renewed', session: stored };
    }
    const outcome = await refresh(stored);
    const now = store.read();
    if (now?.accessToken !== stored.accessToken) {
      // The user signed out or signed in again during the renewal: the received token is discarded.
      return now === null ? { kind: 'signed-out' } : { kind: 'renewed', session: now };
    }
    if (outcome.kind === 'renewed') {
      store.save(outcome.session);
      this.#failures = 0;
      return outcome;
    }
    const { failures, endsSession } = judgeFailure(outcome, reason, this.#failures);
    this.#failures = endsSession ? 0 : failures;
    if (endsSession) {
      store.end(sessionErrorText.expired);
      return { kind: 'ended' };
    }
    return { kind: outcome.kind === 'refused' ? 'refused' : 'failed' };
  }
}
