/**
 * Replaces secrets in what a port receives by asterisks of the same length, before anything else reads the bytes. A board
 * may echo or log a password that it was sent.
 */
import type { Clock } from '@wirebench/clock';
import { joined } from '@wirebench/port/bytes';

/** Most secrets that are kept. The oldest is forgotten first. */
const MAX_SECRETS = 32;
/** Shortest beginning of a secret that is masked: consoles that draw a line again show it letter by letter. */
const SHORTEST_PART = 4;
/** Pause of the board after which held back bytes are passed on, in milliseconds. */
const PAUSE = 100;
const ASTERISK = 0x2a;

/** Secrets of all ports of a bench. */
export class Secrets {
  readonly #list: Uint8Array[] = [];

  get list(): readonly Uint8Array[] {
    return this.#list;
  }

  /** Secrets of fewer than four bytes are not kept: they would mask ordinary text. */
  add(secret: Uint8Array): void {
    const isKnown = this.#list.some((known) => known.join() === secret.join());
    if (secret.length >= SHORTEST_PART && !isKnown) {
      this.#list.push(secret.slice());
      this.#list.splice(0, this.#list.length - MAX_SECRETS);
    }
  }
}

/** The mask of one port. */
export class SecretMask {
  readonly #clock: Clock;
  readonly #secrets: Secrets;
  readonly #pass: (bytes: Uint8Array) => void;
  /** Bytes that may begin a secret. The first `#shown` of them were passed on after a pause. */
  #held: Uint8Array = new Uint8Array();
  #shown = 0;
  #cancelPause: () => void = () => undefined;

  /** @param pass Takes bytes without secrets. */
  constructor(clock: Clock, secrets: Secrets, pass: (bytes: Uint8Array) => void) {
    this.#clock = clock;
    this.#secrets = secrets;
    this.#pass = pass;
  }

  /** Takes a chunk as received. Most of it is passed on at once. */
  take(bytes: Uint8Array): void {
    if (this.#secrets.list.length === 0) {
      this.#pass(bytes);
      return;
    }
    this.#cancelPause();
    const all = joined(this.#held, bytes);
    const end = this.#maskIn(all);
    const shown = this.#shown;
    this.#held = all.slice(end);
    this.#shown = Math.max(0, shown - end);
    if (end > shown) {
      this.#pass(all.slice(shown, end));
    }
    if (this.#held.length > this.#shown) {
      this.#cancelPause = this.#clock.schedule(PAUSE, () => this.#showHeld());
    }
  }

  /** Passes on what is held back: the connection has ended. */
  end(): void {
    this.#cancelPause();
    this.#showHeld();
    this.#held = new Uint8Array();
    this.#shown = 0;
  }

  /** The bytes stay known, so that the rest of a secret is masked when it comes later. */
  #showHeld(): void {
    const bytes = this.#held.slice(this.#shown);
    if (this.#held.length >= SHORTEST_PART) {
      bytes.fill(ASTERISK);
    }
    this.#shown = this.#held.length;
    if (bytes.length > 0) {
      this.#pass(bytes);
    }
  }

  /** Masks secrets in place. Returns where bytes begin that may be the beginning of a secret. */
  #maskIn(all: Uint8Array): number {
    for (let at = 0; at < all.length; ) {
      let longest = 0;
      for (const secret of this.#secrets.list) {
        const length = matchLength(all, at, secret);
        if (at + length === all.length && length < secret.length) {
          return at;
        }
        longest = Math.max(longest, length);
      }
      if (longest >= SHORTEST_PART) {
        all.fill(ASTERISK, at, at + longest);
      }
      at += longest >= SHORTEST_PART ? longest : 1;
    }
    return all.length;
  }
}

/** Returns how many bytes of `secret` are at `at`, from its beginning. */
function matchLength(all: Uint8Array, at: number, secret: Uint8Array): number {
  let length = 0;
  while (length < secret.length && at + length < all.length && all[at + length] === secret[length]) {
    length++;
  }
  return length;
}
