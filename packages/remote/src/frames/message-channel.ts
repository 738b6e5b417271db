/**
 * Delivers the numbered messages of a visit exactly once and in order, across reconnections. Messages without a
 * receipt are kept and sent again.
 */
import { RemoteError } from '../remote-failure.ts';
import { encodeMessage, isNumbered, type Message } from './messages.ts';

/** Memory that a kept message costs in addition to its bytes. */
const costOfOne = 64;

interface Kept {
  readonly number: number;
  readonly plain: Uint8Array<ArrayBuffer>;
}

export type Transmit = (plain: Uint8Array<ArrayBuffer>) => void;

export class MessageChannel {
  readonly #limit: number;
  readonly #onOverflow: () => void;
  #transmit: Transmit | null = null;
  #kept: Kept[] = [];
  #cost = 0;
  #last = 0;
  #received = 0;

  /** @param limit Most bytes to keep. Beyond it, `onOverflow` is called and the channel is unusable. */
  constructor(limit: number, onOverflow: () => void) {
    this.#limit = limit;
    this.#onOverflow = onOverflow;
  }

  /** Number of the last message that arrived. */
  get received(): number {
    return this.#received;
  }

  get unacknowledged(): number {
    return this.#kept.length;
  }

  get isConnected(): boolean {
    return this.#transmit !== null;
  }

  /** Sends a message. Unnumbered messages are dropped while there is no connection. */
  send(message: Message): void {
    if (!isNumbered(message.kind)) {
      this.#transmit?.(encodeMessage(message));
      return;
    }
    const number = ++this.#last;
    const plain = encodeMessage(message, number);
    this.#kept.push({ number, plain });
    this.#cost += plain.length + costOfOne;
    if (this.#cost > this.#limit) {
      this.disconnect();
      this.#onOverflow();
      return;
    }
    this.#transmit?.(plain);
  }

  /**
   * Starts a connection and sends again the messages that the other side has not received.
   *
   * @param receivedThere Number of the last message that the other side has.
   * @throws RemoteError with `malformed` for a number that was never sent.
   */
  connect(transmit: Transmit, receivedThere: number): void {
    this.acknowledge(receivedThere);
    this.#transmit = transmit;
    for (const { plain } of this.#kept) {
      transmit(plain);
    }
  }

  disconnect(): void {
    this.#transmit = null;
  }

  /**
   * Drops the kept messages up to this number: the other side has them.
   *
   * @throws RemoteError with `malformed` for a number that was never sent.
   */
  acknowledge(number: number): void {
    if (number > this.#last) {
      throw new RemoteError('malformed');
    }
    const first = this.#kept.findIndex((kept) => kept.number > number);
    for (const { plain } of this.#kept.splice(0, first === -1 ? this.#kept.length : first)) {
      this.#cost -= plain.length + costOfOne;
    }
  }

  /**
   * Records the arrival of a message. Returns true if the message is new.
   *
   * @throws RemoteError with `lost-frame` if an earlier message is missing.
   */
  take(number: number): boolean {
    if (number <= this.#received) {
      return false;
    }
    if (number !== this.#received + 1) {
      throw new RemoteError('lost-frame');
    }
    this.#received = number;
    return true;
  }
}
