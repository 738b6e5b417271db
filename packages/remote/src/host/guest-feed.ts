/**
 * Carries a port's received bytes to the guest that uses it. It sends as far as the guest has room and holds more up
 * to a bound. Bytes beyond the bound are counted and reported as an overrun with its offset. The board and the host
 * never wait for a guest.
 */
import type { Clock } from '@wirebench/clock';
import { joined } from '@wirebench/port/bytes';
import { type LineErrorWord, type MessageOf, pieceLimit } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

type Item = { readonly bytes: Uint8Array } | { readonly error: LineErrorWord; readonly missing: number };

/** Maximum number of unsent line errors. A stuck line repeats the same error. */
const errorsHeld = 64;
/** Chunks are merged up to this length, in bytes. */
const smallItem = 1_024;

interface GuestFeedOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly number: number;
  /** Bytes that the guest has room for. */
  readonly window: number;
  readonly send: (message: MessageOf<'bytes'> | MessageOf<'lineError'>) => void;
}

export class GuestFeed {
  readonly #options: GuestFeedOptions;
  readonly #items: Item[] = [];
  #held = 0;
  #errors = 0;
  /** Bytes that did not fit since the last one that did. */
  #missing = 0;
  /** Offset of the next byte to send. Missing bytes count as sent. */
  #at = 0;
  #credit: number;
  #lastSent = Number.NEGATIVE_INFINITY;
  #cancelPump: (() => void) | null = null;
  #onEmpty: (() => void) | null = null;
  readonly #waiting: { readonly below: number; readonly resolve: () => void }[] = [];

  constructor(options: GuestFeedOptions) {
    this.#options = options;
    this.#credit = options.window;
  }

  add(bytes: Uint8Array): void {
    const fitting = Math.min(bytes.length, Math.max(0, this.#options.limits.held - this.#held));
    if (fitting > 0) {
      this.#tellMissing();
      this.#hold(bytes.subarray(0, fitting));
      this.#held += fitting;
    }
    this.#missing += bytes.length - fitting;
    this.#pumpSoon();
  }

  error(error: LineErrorWord): void {
    if (this.#errors < errorsHeld) {
      this.#tellMissing();
      this.#push(error, 0);
      this.#pumpSoon();
    }
  }

  /** Records that the guest has room for all bytes up to `total`. */
  credit(total: number): void {
    this.#credit = Math.max(this.#credit, total);
    this.#pumpSoon();
  }

  /** Sends held bytes at once, as far as the guest has room. */
  flush(): void {
    this.#pump();
  }

  /** Resolves when fewer than `bytes` are held; null if that is already so. */
  below(bytes: number): Promise<void> | null {
    return this.#held < bytes
      ? null
      : new Promise((resolve) => {
          this.#waiting.push({ below: bytes, resolve });
        });
  }

  /** Ends the feed. `onEmpty` is called once everything held has been sent. */
  end(onEmpty: () => void): void {
    this.#onEmpty = onEmpty;
    this.#pump();
  }

  /** Drops everything that is held. */
  close(): void {
    this.#cancelPump?.();
    this.#cancelPump = null;
    this.#onEmpty = null;
    this.#items.length = 0;
    this.#held = 0;
    this.#release();
  }

  /** Merges small chunks: a thousand items of one byte would take more memory than their bytes. */
  #hold(bytes: Uint8Array): void {
    const last = this.#items.at(-1);
    if (last === undefined || 'error' in last || last.bytes.length + bytes.length > smallItem) {
      this.#items.push({ bytes });
      return;
    }
    this.#items[this.#items.length - 1] = { bytes: joined(last.bytes, bytes) };
  }

  #push(error: LineErrorWord, missing: number): void {
    this.#errors++;
    this.#items.push({ error, missing });
  }

  #tellMissing(): void {
    if (this.#missing > 0) {
      this.#push('overrun', this.#missing);
      this.#missing = 0;
    }
  }

  /** Sends the first piece at once. Bytes that follow within `limits.pieceInterval` are sent together. */
  #pumpSoon(): void {
    const { clock, limits } = this.#options;
    const wait = this.#lastSent + limits.pieceInterval - clock.now();
    if (wait <= 0) {
      this.#pump();
    } else {
      this.#cancelPump ??= clock.schedule(wait, () => {
        this.#cancelPump = null;
        this.#pump();
      });
    }
  }

  #pump(): void {
    const { clock, number, send } = this.#options;
    for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
      if ('error' in item) {
        this.#items.shift();
        this.#errors--;
        send({ kind: 'lineError', port: number, error: item.error, missing: item.missing, at: this.#at });
        this.#at += item.missing;
        continue;
      }
      const bytes = this.#takePiece(Math.min(pieceLimit, this.#credit - this.#at));
      if (bytes.length === 0) {
        break;
      }
      this.#lastSent = clock.now();
      send({ kind: 'bytes', port: number, at: this.#at, bytes });
      this.#at += bytes.length;
    }
    this.#release();
    if (this.#items.length === 0 && this.#missing > 0) {
      this.#tellMissing();
      this.#pump();
    } else if (this.#items.length === 0) {
      const onEmpty = this.#onEmpty;
      this.#onEmpty = null;
      onEmpty?.();
    }
  }

  /** Takes up to `most` bytes from the front, as one piece. */
  #takePiece(most: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let item = this.#items[0]; item !== undefined && 'bytes' in item && length < most; item = this.#items[0]) {
      const part = item.bytes.subarray(0, most - length);
      parts.push(part);
      length += part.length;
      if (part.length === item.bytes.length) {
        this.#items.shift();
      } else {
        this.#items[0] = { bytes: item.bytes.subarray(part.length) };
      }
    }
    this.#held -= length;
    return joined(...parts);
  }

  #release(): void {
    for (const waiting of this.#waiting.splice(0)) {
      if (this.#held < waiting.below) {
        waiting.resolve();
      } else {
        this.#waiting.push(waiting);
      }
    }
  }
}
