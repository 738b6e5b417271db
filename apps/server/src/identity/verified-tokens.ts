/**
 * Cache of verified tokens. A page makes many calls with the same token, and checking a signature takes longer than
 * most calls. Invalid tokens are never cached.
 */
import type { Clock } from '@wirebench/clock';
import type { JWTPayload } from 'jose';
import { BoundedMap } from '../bounded-map.ts';
import type { User } from './user.ts';

/** Milliseconds after which a token is checked again, in case its key was withdrawn. */
const REMEMBERED = 60_000;

const MAX_TOKENS = 5_000;

export interface VerifiedToken {
  readonly user: User;
  readonly claims: JWTPayload;
}

export class VerifiedTokens {
  readonly #clock: Clock;
  readonly #tokens: BoundedMap<string, VerifiedToken>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tokens = new BoundedMap({ capacity: MAX_TOKENS, clock });
  }

  /** Returns the verified token; null if it has to be checked. */
  find(token: string): VerifiedToken | null {
    return this.#tokens.get(token) ?? null;
  }

  /**
   * Caches a token that is valid now.
   *
   * @param expiry Time from which the token is invalid.
   */
  remember(token: string, verified: VerifiedToken, expiry: number): void {
    this.#tokens.set(token, verified, Math.min(expiry, this.#clock.now() + REMEMBERED));
  }
}
