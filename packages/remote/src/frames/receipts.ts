/**
 * Schedules receipts. Receipts wait for a moment so that one covers several messages. If a sent message has no
 * receipt for `limits.probe`, the other side is probed. The loss of the last frame is therefore noticed, too.
 */
import type { Clock } from '@wirebench/clock';
import type { Limits } from '../limits.ts';
import type { MessageChannel } from './message-channel.ts';

export class Receipts {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #channel: MessageChannel;
  #cancelAck: (() => void) | null = null;
  #cancelProbe: (() => void) | null = null;

  constructor(clock: Clock, limits: Limits, channel: MessageChannel) {
    this.#clock = clock;
    this.#limits = limits;
    this.#channel = channel;
  }

  /** Schedules the receipt of a numbered message that has arrived. */
  took(): void {
    this.#cancelAck ??= this.#clock.schedule(this.#limits.ackDelay, () => {
      this.#cancelAck = null;
      this.#channel.send({ kind: 'ack', received: this.#channel.received });
    });
  }

  /** Starts to wait for a receipt after a send, and stops when everything is acknowledged. */
  sent(): void {
    if (this.#channel.unacknowledged === 0) {
      this.#cancelProbe?.();
      this.#cancelProbe = null;
    } else {
      this.#cancelProbe ??= this.#clock.schedule(this.#limits.probe, () => {
        this.#cancelProbe = null;
        this.#channel.send({ kind: 'ping', received: this.#channel.received });
        this.sent();
      });
    }
  }

  /** Restarts the wait after a receipt: the remaining messages have waited for less than a probe's time. */
  acknowledged(): void {
    this.#cancelProbe?.();
    this.#cancelProbe = null;
    this.sent();
  }

  /** Cancels all timers. */
  stop(): void {
    this.#cancelAck?.();
    this.#cancelProbe?.();
    this.#cancelAck = null;
    this.#cancelProbe = null;
  }
}
