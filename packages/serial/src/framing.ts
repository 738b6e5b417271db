/**
 * Where a line of what a port receives ends: at a newline, after a silence as binary protocols have it, or at either. What
 * counts is when a read arrived: a USB bridge hands on what it has once in 1 to 16 ms, so that a shorter silence on the wire
 * is not seen, and a busy system can make one. Knows no session.
 */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from './line-channel.ts';

export interface Framing {
  /** A line ends with `\n`. */
  readonly newline: boolean;
  /** A line ends when nothing came for this many milliseconds, 1 to 60,000; null for never. */
  readonly idleGap: number | null;
}

export const defaultFraming: Framing = { newline: true, idleGap: null };
export const shortestIdleGap = 1;
export const longestIdleGap = 60_000;

/** Puts what is received into a channel. Has a timer only while a line waits for its silence. */
export class ChannelFraming {
  readonly #clock: Clock;
  readonly #channel: LineChannel;
  readonly #silent: () => void;
  #idleGap: number | null = null;
  #lastAt = 0;
  #cancelTimer: (() => void) | null = null;

  /** @param silent called when a silence ended a line. */
  constructor(clock: Clock, channel: LineChannel, silent: () => void) {
    this.#clock = clock;
    this.#channel = channel;
    this.#silent = silent;
  }

  /** From now on; what has been received stays as it is. Throws a RangeError for a framing in which no line would end. */
  set({ newline, idleGap }: Framing): void {
    if (idleGap === null ? !newline : !(idleGap >= shortestIdleGap && idleGap <= longestIdleGap)) {
      throw new RangeError(
        `A line ends at newlines, after ${shortestIdleGap} to ${longestIdleGap} ms of silence, or at both`,
      );
    }
    this.#channel.splitsNewlines = newline;
    this.#idleGap = idleGap;
    this.#stopTimer();
    this.#awaitSilence();
  }

  received(bytes: Uint8Array, at: number): void {
    if (this.#idleGap !== null && at - this.#lastAt >= this.#idleGap) {
      this.#channel.finishLine();
    }
    this.#channel.append(bytes, at);
    this.#lastAt = at;
    this.#awaitSilence();
  }

  /** Nothing more comes. */
  ended(): void {
    this.#stopTimer();
    this.#channel.finishLine();
  }

  get #waits(): boolean {
    return this.#idleGap !== null && this.#channel.isOpen(this.#channel.endLine - 1);
  }

  /** One timer serves all reads that come before it fires: setting one for each would cost more than the reads. */
  #awaitSilence(): void {
    const gap = this.#idleGap;
    if (gap === null || this.#cancelTimer !== null || !this.#waits) {
      return;
    }
    this.#cancelTimer = this.#clock.schedule(this.#lastAt + gap - this.#clock.now(), () => {
      this.#cancelTimer = null;
      if (this.#waits && this.#clock.now() - this.#lastAt >= gap) {
        this.#channel.finishLine();
        this.#silent();
      }
      this.#awaitSilence();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
