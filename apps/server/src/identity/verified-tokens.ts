/**
 * Tokens that were checked a moment ago: a page makes many calls with the same one, and checking a signature takes longer than
 * most of what is asked for. Knows no signatures. A token that was found bad is never remembered.
 */
import type { JWTPayload } from 'jose';
import type { User } from './user.ts';

/** Milliseconds after which a token is checked anew, in case its key was withdrawn meanwhile. */
const REMEMBERED = 60_000;

/** Tokens; the ones that were remembered first go first. */
const MOST = 5_000;

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

  /** What the token says; null when it has to be checked. `now` is in milliseconds. */
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

  /** To be called with a token that was found good at `now`; `expiry` is from when on it is not any more. */
  remember(
    token: string,
    verified: VerifiedToken,
    { now, expiry }: { readonly now: number; readonly expiry: number },
  ): void {
    this.#entries.delete(token);
    this.#entries.set(token, { token: verified, until: Math.min(expiry, now + REMEMBERED) });
    if (this.#entries.size > MOST) {
      const [first = ''] = this.#entries.keys();
      this.#entries.delete(first);
    }
  }
}
