/**
 * Signing in with a name and a password: how often, and that nobody learns from the answer or its time whether an account exists. Knows no
 * HTTP and no protocol of tokens.
 */
import type { Clock } from '@wirebench/clock';
import { addressKey } from '../../plugins/address-key.ts';
import { AttemptLimit } from './attempt-limit.ts';
import { type LocalAccounts, nameKeyOf } from './local-accounts.ts';
import { isPassword, passwordOfNobody } from './password.ts';

export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  /** IP address of who tries. */
  readonly address: string;
}

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly subject: string }
  /** Name or password is wrong, or the account is disabled: which of them is not said. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly retryAfter: number };

const QUARTER_HOUR = 15 * 60_000;

/** Failures within a quarter of an hour. A class room behind one address has room for slips; a password has 12 characters. */
export const signInLimits = { ofAccount: 10, ofAddress: 50 } as const;

/** Each check takes 32 MiB and one of the four threads that files are read by. */
const CHECKS_AT_ONCE = 2;
const MOST_WAITING = 30;
/** Seconds. */
const BUSY_RETRY = 5;

/** Pairs of account and address at which somebody has signed in. */
const MOST_KNOWN = 10_000;

export function passwordSignIn(
  accounts: LocalAccounts,
  clock: Clock,
): (attempt: SignInAttempt) => Promise<SignInOutcome> {
  const byAddress = new AttemptLimit({ most: signInLimits.ofAddress, window: QUARTER_HOUR }, clock);
  const byAccount = new AttemptLimit({ most: signInLimits.ofAccount, window: QUARTER_HOUR }, clock);
  const nobody = passwordOfNobody();
  const known = new Set<string>();
  const checks = new Gate(CHECKS_AT_ONCE, MOST_WAITING);

  return async ({ username, password, address }) => {
    const from = addressKey(address);
    const name = nameKeyOf(username.slice(0, 100));
    const pair = `${from} ${name}`;
    // Who guesses from elsewhere does not lock out a person at the place where they signed in before.
    const account = known.has(pair) ? pair : name;
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
      const matches = await isPassword(password, stored?.password ?? nobody);
      // Asked again: it may have been disabled, or given another password, while this one was checked.
      const now = accounts.withName(name);
      if (!matches || stored === null || now === null || now.isDisabled || now.password !== stored.password) {
        return { kind: 'refused' };
      }
      giveBack();
      remember(known, pair);
      return { kind: 'signed-in', subject: now.subject };
    } finally {
      checks.leave();
    }
  };
}

function remember(known: Set<string>, pair: string): void {
  known.delete(pair);
  known.add(pair);
  if (known.size > MOST_KNOWN) {
    const [oldest = ''] = known;
    known.delete(oldest);
  }
}

/** Lets a few in at once, and a few wait. */
class Gate {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves when there is room; false at once when too many wait. */
  async enter(): Promise<boolean> {
    if (this.#inside < this.#most) {
      this.#inside++;
      return true;
    }
    if (this.#waiting.length >= this.#mostWaiting) {
      return false;
    }
    // Whoever leaves hands the place on.
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
