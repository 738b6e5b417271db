/** Appends a port's received bytes to its channel, and ends a line after a gap if the framing says so. */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from '../line-channel.ts';
import { type Framing, splitterOf } from './framings.ts';

/** Runs a timer only while a line waits for its gap. */
export class ChannelFraming {
  readonly #clock: Clock;
  readonly #channel: LineChannel;
  readonly #onGap: () => void;
  /** The current framing as JSON, to detect the same framing being set again. The settings form sets it repeatedly. */
  #framing: string | null = null;
  #gap: number | null = null;
  #lastAt = 0;
  #cancelTimer: (() => void) | null = null;

  /** @param onGap Called after a gap has ended a line. */
  constructor(clock: Clock, channel: LineChannel, onGap: () => void) {
    this.#clock = clock;
    this.#channel = channel;
    this.#onGap = onGap;
  }

  /**
   * Sets the framing of the bytes from now on; received lines stay as they are. Setting the current framing again
   * changes nothing, so an open frame continues.
   *
   * @throws RangeError for options that the framing does not take.
   */
  set(framing: Framing): void {
    const text = JSON.stringify(framing);
    if (text === this.#framing) {
      return;
    }
    const splitter = splitterOf(framing);
    this.#framing = text;
    this.#channel.splitWith(splitter);
    this.#gap = splitter.gap;
    this.#stopTimer();
    this.#awaitGap();
  }

  received(bytes: Uint8Array, at: number): void {
    if (this.#gap !== null && at - this.#lastAt >= this.#gap) {
      this.#channel.finishLine();
    }
    this.#channel.append(bytes, at);
    this.#lastAt = at;
    this.#awaitGap();
  }

  /** Ends the open line: the connection has ended. */
  ended(): void {
    this.#stopTimer();
    this.#channel.finishLine();
  }

  get #waits(): boolean {
    return this.#gap !== null && this.#channel.isOpen(this.#channel.endLine - 1);
  }

  /**
   * Starts the timer unless one runs. One timer serves all reads before it fires: a timer for each read would cost
   * more than the read.
   */
  #awaitGap(): void {
    const gap = this.#gap;
    if (gap === null || this.#cancelTimer !== null || !this.#waits) {
      return;
    }
    this.#cancelTimer = this.#clock.schedule(this.#lastAt + gap - this.#clock.now(), () => {
      this.#cancelTimer = null;
      if (this.#waits && this.#clock.now() - this.#lastAt >= gap) {
        this.#channel.finishLine();
        this.#onGap();
      }
      this.#awaitGap();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
