/**
 * Numbered messages from one visit's side to the other, each exactly once and in order, however often the connection is made anew:
 * what has no receipt yet is kept and sent again. Knows no keys and no meaning.
 */
import { RemoteError } from '../remote-failure.ts';
import { encodeMessage, isNumbered, type Message } from './messages.ts';

/** What a message costs besides its bytes, in memory. */
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

  /** @param limit bytes that may be kept; with more, `onOverflow` is called and the channel is of no use any more. */
  constructor(limit: number, onOverflow: () => void) {
    this.#limit = limit;
    this.#onOverflow = onOverflow;
  }

  /** The number of the last message that arrived. */
  get received(): number {
    return this.#received;
  }

  get unacknowledged(): number {
    return this.#kept.length;
  }

  get isConnected(): boolean {
    return this.#transmit !== null;
  }

  /** Messages without a number are dropped while there is no connection. */
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
   * There is a connection: what the other side has not received is sent again.
   * @throws RemoteError with `malformed` for a number that cannot be.
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

  /** The other side has these. @throws RemoteError with `malformed` for a number that cannot be. */
  acknowledge(number: number): void {
    if (number > this.#last) {
      throw new RemoteError('malformed');
    }
    const first = this.#kept.findIndex((kept) => kept.number > number);
    for (const { plain } of this.#kept.splice(0, first === -1 ? this.#kept.length : first)) {
      this.#cost -= plain.length + costOfOne;
    }
  }

  /** Whether the message with this number is new. @throws RemoteError with `lost-frame` when one before it is missing. */
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
