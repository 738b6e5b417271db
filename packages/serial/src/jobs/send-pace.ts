/** How fast bytes are handed to a port, and in which pieces. Knows no port. */
import type { Clock } from '@wirebench/clock';
import { type PortSettings, wireTime } from '../port-settings.ts';

export type SendPace =
  /**
   * As fast as the wire is at the port's settings. A port takes up to a megabyte into its buffers at once, so without this
   * a file counts as sent long before it is, and cannot be called back.
   */
  | { readonly kind: 'wire' }
  /** As fast as the port takes them: for a board that is on USB itself, where the baud rate means nothing. */
  | { readonly kind: 'free' }
  | { readonly kind: 'rate'; readonly bytesPerSecond: number }
  /** Rests after each line, `pause` milliseconds from when the port has taken it. */
  | { readonly kind: 'lines'; readonly pause: number }
  /** Rests after each piece of `bytes` bytes. */
  | { readonly kind: 'chunks'; readonly bytes: number; readonly pause: number };

const NEWLINE = 0x0a;
/** Bytes passed to the port at once at most. */
const MOST_BYTES = 4_096;
/** Where there is a rate, a piece lasts about this long, in milliseconds. */
const PIECE_TIME = 20;
/** How far ahead of the wire bytes are passed on, so that it never rests, in milliseconds. */
const AHEAD = 100;
/** A timer that was late by more than this, in milliseconds, is not made up for: it was no jitter, the port had stopped. */
const MOST_LATE = 100;

/** Throws a RangeError for a pace at which nothing would ever be sent. */
export function checkPace(pace: SendPace): void {
  const fine =
    pace.kind === 'rate'
      ? pace.bytesPerSecond > 0
      : pace.kind === 'lines'
        ? pace.pause >= 0
        : pace.kind !== 'chunks' || (Number.isInteger(pace.bytes) && pace.bytes > 0 && pace.pause >= 0);
  if (!fine) {
    throw new RangeError('A pace has a rate above 0, or pieces of at least one byte and pauses that are not negative');
  }
}

export class Pacer {
  readonly #clock: Clock;
  readonly #pace: SendPace;
  /** Milliseconds that a byte takes; 0 where there is no rate. */
  readonly #byteTime: number;
  /** When what was passed on has been sent, if all went at the rate. */
  #busyUntil: number;

  constructor(clock: Clock, pace: SendPace, settings: PortSettings) {
    this.#clock = clock;
    this.#pace = pace;
    this.#byteTime =
      pace.kind === 'wire' ? wireTime(settings, 1) : pace.kind === 'rate' ? 1_000 / pace.bytesPerSecond : 0;
    this.#busyUntil = clock.now();
  }

  /** How many of `bytes`, of which there is one at least, are passed on next. */
  pieceOf(bytes: Uint8Array): number {
    const most = Math.min(bytes.length, MOST_BYTES);
    switch (this.#pace.kind) {
      case 'free':
        return most;
      case 'lines': {
        const newline = bytes.subarray(0, most).indexOf(NEWLINE);
        return newline === -1 ? most : newline + 1;
      }
      case 'chunks':
        return Math.min(bytes.length, this.#pace.bytes);
      default:
        return Math.min(most, Math.max(1, Math.floor(PIECE_TIME / this.#byteTime)));
    }
  }

  /** Milliseconds to rest now that the port has taken `piece`. */
  restAfter(piece: Uint8Array): number {
    switch (this.#pace.kind) {
      case 'free':
        return 0;
      case 'lines':
        return piece.at(-1) === NEWLINE ? this.#pace.pause : 0;
      case 'chunks':
        return this.#pace.pause;
      default: {
        const now = this.#clock.now();
        const from = now - this.#busyUntil > MOST_LATE ? now : this.#busyUntil;
        this.#busyUntil = from + piece.length * this.#byteTime;
        return Math.max(0, this.#busyUntil - now - (this.#pace.kind === 'wire' ? AHEAD : 0));
      }
    }
  }
}
