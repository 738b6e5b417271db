/** Puts what a port receives into its channel, and ends a line after a gap where the framing says so. Knows no session. */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from '../line-channel.ts';
import { type Framing, splitterOf } from './framings.ts';

/** Has a timer only while a line waits for its gap. */
export class ChannelFraming {
  readonly #clock: Clock;
  readonly #channel: LineChannel;
  readonly #onGap: () => void;
  /** The framing in force, as text: whoever shows the settings sets it again and again. */
  #framing: string | null = null;
  #gap: number | null = null;
  #lastAt = 0;
  #cancelTimer: (() => void) | null = null;

  /** @param onGap called when a gap ended a line. */
  constructor(clock: Clock, channel: LineChannel, onGap: () => void) {
    this.#clock = clock;
    this.#channel = channel;
    this.#onGap = onGap;
  }

  /**
   * From now on; what has been received stays as it is. The framing that is in force already changes nothing: an open frame goes on.
   * Throws a RangeError for options that the framing does not take.
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

  /** Nothing more comes. */
  ended(): void {
    this.#stopTimer();
    this.#channel.finishLine();
  }

  get #waits(): boolean {
    return this.#gap !== null && this.#channel.isOpen(this.#channel.endLine - 1);
  }

  /** One timer serves all reads that come before it fires: setting one for each would cost more than the reads. */
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
