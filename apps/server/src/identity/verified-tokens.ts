/**
 * Cache of verified tokens. A page makes many calls with the same token, and checking a signature takes longer than
 * most calls. Invalid tokens are never cached.
 */
import type { JWTPayload } from 'jose';
import type { User } from './user.ts';

/** Milliseconds after which a token is checked again, in case its key was withdrawn. */
const REMEMBERED = 60_000;

/** Maximum number of tokens. The oldest entry is removed first. */
const MAX_TOKENS = 5_000;

export interface VerifiedToken {
  readonly user: User;
  readonly claims: JWTPayload;
}

interface Entry {
  readonly token: VerifiedToken;
  readonly until: number;
}

export class VerifiedTokens {
  readonly #entries = new Map<string, Entry>();

  /**
   * Returns the verified token; null if it has to be checked.
   *
   * @param now Milliseconds.
   */
  find(token: string, now: number): VerifiedToken | null {
    const entry = this.#entries.get(token);
    if (entry === undefined) {
      return null;
    }
    if (now < entry.until) {
      return entry.token;
    }
    this.#entries.delete(token);
    return null;
  }

  /**
   * Caches a token that was valid at `now`.
   *
   * @param expiry Time from which the token is invalid.
   */
  remember(
    token: string,
    verified: VerifiedToken,
    { now, expiry }: { readonly now: number; readonly expiry: number },
  ): void {
    this.#entries.delete(token);
    this.#entries.set(token, { token: verified, until: Math.min(expiry, now + REMEMBERED) });
    if (this.#entries.size > MAX_TOKENS) {
      const [first = ''] = this.#entries.keys();
      this.#entries.delete(first);
    }
  }
}
