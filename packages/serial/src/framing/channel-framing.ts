/** Appends a port's received bytes to its channel, and ends a line after a gap if the framing says so. */
import type { Clock } from '@wirebench/clock';
import { ownTime } from '../block-time.ts';
import type { LineChannel } from '../line-channel.ts';
import type { ChannelDecoder } from './channel-decoder.ts';
import { type Framing, splitterOf } from './framings.ts';
import type { Splitter } from './splitter.ts';

/** Runs a timer only while a line waits for its gap. */
export class ChannelFraming {
  readonly #clock: Clock;
  readonly #channel: LineChannel;
  readonly #onGap: () => void;
  /**
   * Current framing as JSON, to detect that it stays the same. The settings form sets it repeatedly.
   */
  #applied: string | null = null;
  #splitter: Splitter | null = null;
  #lastAt = 0;
  #changes = 0;
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
    if (text === this.#applied) {
      return;
    }
    const splitter = splitterOf(framing);
    this.#applied = text;
    this.#changes++;
    this.#splitter = splitter;
    this.#channel.splitWith(splitter);
    this.#stopTimer();
    this.#awaitGap();
  }

  /** Cuts the bytes from now on by a decoder; null: by the framing again. Received lines stay as they are. */
  decode(decoder: ChannelDecoder | null): void {
    this.#changes++;
    this.#stopTimer();
    this.#channel.decodeWith(decoder);
    this.#awaitGap();
  }

  /** Cuts by the same framing as another one, from its start. */
  copy(other: ChannelFraming): void {
    if (other.#applied !== null) {
      this.set(JSON.parse(other.#applied));
    }
  }

  /** Goes on where another one has ended, whose lines are those of the channel now. */
  takeOver(other: ChannelFraming): void {
    other.#stopTimer();
    this.#stopTimer();
    this.#splitter = other.#splitter;
    this.#lastAt = other.#lastAt;
    this.#awaitGap();
  }

  /** Counts the choices of a framing or a decoder. */
  get changes(): number {
    return this.#changes;
  }

  received(bytes: Uint8Array, at: number): void {
    this.#channel.arrive(bytes.length, at);
    if (at >= this.#gapEnd) {
      this.#gapPassed(at);
    }
    this.#channel.append(bytes, at);
    this.#lastAt = at;
    this.#awaitGap();
  }

  /**
   * Appends `bytes` of an opened log, from `from` up to `to`. Gaps are those between its times, so no timer runs.
   *
   * @param at Time of the bytes, or a stored time of their block (`block-time.ts`).
   */
  loaded(bytes: Uint8Array, at: number, from: number, to: number): void {
    if (at >= this.#gapEnd) {
      this.#gapPassed(at);
    }
    this.#channel.append(bytes, at, from, to);
    this.#lastAt = ownTime(at);
  }

  /** Decides about waiting bytes of frames in an opened log, whose time goes on with the other direction. */
  passed(at: number): void {
    if (ownTime(at) >= this.#gapEnd) {
      this.#gapPassed(at);
    }
  }

  /** Ends the open line and notes it as an arrival, so that a later cut of the same bytes ends it too. */
  disconnected(): void {
    this.#channel.arrive(0, this.#clock.wallTime(), 'end');
    this.ended();
  }

  /** Ends the open line: the connection has ended. */
  ended(): void {
    this.#stopTimer();
    this.#channel.finishLine();
  }

  #gapPassed(now: number): void {
    if (this.#channel.isCut) {
      this.#channel.expireFrames(now);
    } else {
      this.#channel.finishLine();
    }
  }

  /** Time at which the gap after the newest byte has passed; infinite for a framing without a gap. */
  get #gapEnd(): number {
    if (this.#channel.isCut) {
      return this.#channel.frameDeadline ?? Number.POSITIVE_INFINITY;
    }
    return this.#lastAt + (this.#splitter?.gap ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Starts the timer unless one runs. One timer serves all reads before it fires: a timer for each read would cost
   * more than the read. It fires whole milliseconds later, because a fraction may be too small to change the time.
   */
  #awaitGap(): void {
    const end = this.#gapEnd;
    if (end === Number.POSITIVE_INFINITY || this.#cancelTimer !== null || !this.#isLineOpen) {
      return;
    }
    this.#cancelTimer = this.#clock.schedule(Math.ceil(end - this.#clock.wallTime()), () => {
      this.#cancelTimer = null;
      if (this.#isLineOpen && this.#clock.wallTime() >= this.#gapEnd) {
        this.#gapPassed(this.#clock.wallTime());
        this.#onGap();
      }
      this.#awaitGap();
    });
  }

  get #isLineOpen(): boolean {
    return this.#channel.isOpen(this.#channel.endLine - 1);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
