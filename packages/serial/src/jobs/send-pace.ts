/** Decides how fast bytes are handed to a port, and in which pieces. */
import type { Clock } from '@wirebench/clock';
import { type PortSettings, wireTime } from '@wirebench/port';

export type SendPace =
  /**
   * At the speed of the wire, from the port's settings. A port buffers up to a megabyte at once. Without this pace a
   * file would count as sent long before it is, and could not be cancelled.
   */
  | { readonly kind: 'wire' }
  /** Without a limit, for a board that is on USB itself and ignores the baud rate. */
  | { readonly kind: 'free' }
  | { readonly kind: 'rate'; readonly bytesPerSecond: number }
  /** Rests after each line for `pause` milliseconds, counted from when the port has taken the line. */
  | { readonly kind: 'lines'; readonly pause: number }
  /** Rests for `pause` milliseconds after each piece of `bytes` bytes. */
  | { readonly kind: 'chunks'; readonly bytes: number; readonly pause: number };

const NEWLINE = 0x0a;
/** Most bytes that are passed to the port at once. */
const MAX_BYTES = 4_096;
/** Duration of a piece if there is a rate, in milliseconds. */
const PIECE_TIME = 20;
/** Lead over the wire, so that it never idles, in milliseconds. */
const AHEAD = 100;
/** Largest delay of a timer that is caught up, in milliseconds. A longer delay is no jitter: the port had stopped. */
const MAX_LATE = 100;

/**
 * Checks a pace.
 *
 * @throws RangeError for a pace at which nothing would ever be sent.
 */
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
  /** Time of one byte in milliseconds; 0 if there is no rate. */
  readonly #byteTime: number;
  /** Time at which the passed bytes are sent, if all goes at the rate. */
  #busyUntil: number;

  constructor(clock: Clock, pace: SendPace, settings: PortSettings) {
    this.#clock = clock;
    this.#pace = pace;
    this.#byteTime =
      pace.kind === 'wire' ? wireTime(settings, 1) : pace.kind === 'rate' ? 1_000 / pace.bytesPerSecond : 0;
    this.#busyUntil = clock.now();
  }

  /** Returns how many of `bytes` to pass on next. `bytes` must not be empty. */
  pieceOf(bytes: Uint8Array): number {
    const most = Math.min(bytes.length, MAX_BYTES);
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

  /** Returns how long to rest after the port has taken `piece`, in milliseconds. */
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
        const from = now - this.#busyUntil > MAX_LATE ? now : this.#busyUntil;
        this.#busyUntil = from + piece.length * this.#byteTime;
        return Math.max(0, this.#busyUntil - now - (this.#pace.kind === 'wire' ? AHEAD : 0));
      }
    }
  }
}
