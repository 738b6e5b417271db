/**
 * Sign-in with a name and a password. It limits attempts. Neither the answer nor its time reveals whether an account
 * exists.
 */
import type { Clock } from '@wirebench/clock';
import { BoundedMap } from '../../bounded-map.ts';
import { addressKey } from '../../plugins/address-key.ts';
import { type LocalAccounts, nameKeyOf } from './local-accounts.ts';
import { dummyPasswordHash, isPassword } from './password.ts';

export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  /** IP address of the client. */
  readonly address: string;
}

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly subject: string }
  /** Name or password is wrong, or the account is disabled. The answer does not tell which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly retryAfter: number };

const QUARTER_HOUR = 15 * 60_000;

/**
 * Failures within a quarter of an hour. A class behind one address may make typing errors. A password has at least 12
 * characters.
 */
export const signInLimits = { ofAccount: 10, ofAddress: 50 } as const;

/** Each check takes 32 MiB and one of the four threads that read files. */
const CHECKS_AT_ONCE = 2;
const MAX_WAITING = 30;
/** Seconds. */
const BUSY_RETRY = 5;

/** Maximum number of pairs of account and address with a successful sign-in. */
const MAX_KNOWN = 10_000;

interface AttemptLimitOptions {
  readonly most: number;
  /** Milliseconds from the first attempt until the count restarts. */
  readonly window: number;
}

interface Entry {
  count: number;
  readonly until: number;
}

/**
 * Maximum number of keys. Beyond it, the count that began first is removed: it is the one that would restart first.
 */
const MAX_KEYS = 10_000;

/** Limits attempts per key and time. Counts in this process only. */
export class AttemptLimit {
  readonly #entries: BoundedMap<string, Entry>;
  readonly #options: AttemptLimitOptions;
  readonly #clock: Clock;

  constructor(options: AttemptLimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#entries = new BoundedMap({ capacity: MAX_KEYS, clock });
  }

  /**
   * Counts an attempt before it is made, so that simultaneous attempts cannot bypass the limit. Returns the seconds
   * to wait; 0 if the attempt is allowed.
   */
  take(key: string): number {
    const now = this.#clock.now();
    const known = this.#entries.peek(key);
    if (known === undefined) {
      const until = now + this.#options.window;
      this.#entries.set(key, { count: 1, until }, until);
      return 0;
    }
    if (known.count >= this.#options.most) {
      return Math.ceil((known.until - now) / 1_000);
    }
    known.count++;
    return 0;
  }

  /** Uncounts one attempt. */
  giveBack(key: string): void {
    const known = this.#entries.peek(key);
    if (known !== undefined && known.count > 0) {
      known.count--;
    }
  }
}

export function passwordSignIn(
  accounts: LocalAccounts,
  clock: Clock,
): (attempt: SignInAttempt) => Promise<SignInOutcome> {
  const byAddress = new AttemptLimit({ most: signInLimits.ofAddress, window: QUARTER_HOUR }, clock);
  const byAccount = new AttemptLimit({ most: signInLimits.ofAccount, window: QUARTER_HOUR }, clock);
  const dummy = dummyPasswordHash();
  const known = new BoundedMap<string, true>({ capacity: MAX_KNOWN });
  const checks = new Gate(CHECKS_AT_ONCE, MAX_WAITING);

  return async ({ username, password, address }) => {
    const from = addressKey(address);
    const name = nameKeyOf(username.slice(0, 100));
    const pair = `${from} ${name}`;
    // Known pairs have a separate limit, so that guesses from elsewhere do not lock out a user at the usual place.
    const account = known.peek(pair) ? pair : name;
    const retryAfter = byAddress.take(from) || byAccount.take(account);
    if (retryAfter > 0) {
      return { kind: 'limited', retryAfter };
    }
    const giveBack = () => {
      byAddress.giveBack(from);
      byAccount.giveBack(account);
    };
    const entered = await checks.enter();
    if (!entered) {
      giveBack();
      return { kind: 'limited', retryAfter: BUSY_RETRY };
    }
    try {
      const stored = accounts.withName(name);
      const matches = await isPassword(password, stored?.password ?? dummy);
      // Read again: the account may have been disabled or changed its password during the check.
      const now = accounts.withName(name);
      if (!matches || stored === null || now === null || now.isDisabled || now.password !== stored.password) {
        return { kind: 'refused' };
      }
      giveBack();
      known.set(pair, true);
      return { kind: 'signed-in', subject: now.subject };
    } finally {
      checks.leave();
    }
  };
}

/** Admits a limited number of calls at once and lets a limited number wait. */
class Gate {
  readonly #most: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(most: number, maxWaiting: number) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves with true when there is room. Resolves with false at once if too many calls wait. */
  async enter(): Promise<boolean> {
    if (this.#inside < this.#most) {
      this.#inside++;
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      return false;
    }
    // A call that leaves passes its place to the next one.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#inside--;
    } else {
      next();
    }
  }
}
