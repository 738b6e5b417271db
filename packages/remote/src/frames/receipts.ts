/**
 * When a side says what it has received, and asks what the other has: receipts wait a moment for each other, and a message without a receipt
 * is asked after, so that a frame that was lost is noticed although none follows it.
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

  /** A numbered message has arrived. */
  took(): void {
    this.#cancelAck ??= this.#clock.schedule(this.#limits.ackDelay, () => {
      this.#cancelAck = null;
      this.#channel.send({ kind: 'ack', received: this.#channel.received });
    });
  }

  /** A message has been sent, or all that was sent is acknowledged. */
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

  /** A receipt has arrived: what is still without one has been so for less than a probe's time. */
  acknowledged(): void {
    this.#cancelProbe?.();
    this.#cancelProbe = null;
    this.sent();
  }

  /** Leaves no timer behind. */
  stop(): void {
    this.#cancelAck?.();
    this.#cancelProbe?.();
    this.#cancelAck = null;
    this.#cancelProbe = null;
  }
}
