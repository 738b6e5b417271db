/** Echoes: an adapter of a line with two wires may return what is sent. Each sent frame has one echo at most. */
import type { ConversationFrame } from './steps/step-types.ts';

/** Frames whose echo is awaited at once. The oldest is forgotten. */
const MAX_SENT = 64;

/** Answers without an echo before them after which the line has none: single echoes get lost. */
const MAX_MISSED = 3;

interface SentFrame {
  readonly bytes: Uint8Array;
  readonly index: number;
  /** Time after its last byte, in ms. */
  readonly to: number;
  readonly isCertain: boolean;
}

export class Echoes {
  readonly #limit: number;
  /** Sent frames without an echo, in order of time. */
  #sent: SentFrame[] = [];
  /** True after an echo that can have been nothing else. */
  #hasEcho = false;
  /** Answers whose question had no echo, since the last echo that was certain or had its answer behind it. */
  #missed = 0;
  /** Index of the last certain echo, and of the last one of all. */
  #last = -1;
  #taken = -1;

  /** @param limit Time for an echo in ms, from the end of its frame. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Awaits the echo of a sent frame.
   *
   * @param isCertain True: an equal frame that is received can be nothing but its echo.
   */
  await({ bytes, index, to }: ConversationFrame, isCertain: boolean): void {
    this.#sent.push({ bytes, index, to, isCertain });
    if (this.#sent.length > MAX_SENT) {
      this.#sent.shift();
    }
  }

  /** Returns true if a received frame is an echo. One that may be an answer is an echo where others had one before. */
  take({ bytes, index, from }: ConversationFrame): boolean {
    this.#forgetBefore(from);
    const place = this.#sent.findIndex((one) => (one.isCertain || this.#hasEcho) && isSame(one.bytes, bytes));
    if (place === -1) {
      return false;
    }
    const sent = this.#sent[place];
    this.#taken = sent?.index ?? -1;
    if (sent?.isCertain === true) {
      this.#last = index;
      this.expect();
    }
    // Echoes come in the order of their frames.
    this.#sent.splice(0, place + 1);
    return true;
  }

  /** Returns true if a received frame that is broken is a damaged echo. */
  takeBroken({ from }: ConversationFrame): boolean {
    this.#forgetBefore(from);
    return this.#hasEcho && this.#sent.shift() !== undefined;
  }

  /** Takes note of an answer to the frame of this index: its echo was one, or does not come any more. */
  answered(index: number): void {
    const place = this.#sent.findIndex((one) => one.index === index);
    if (place === -1) {
      if (index === this.#taken) {
        this.expect();
      }
      return;
    }
    this.#sent.splice(0, place + 1);
    if (this.#last < index && ++this.#missed >= MAX_MISSED) {
      this.#hasEcho = false;
    }
  }

  /** Takes the line for one that returns what is sent. */
  expect(): void {
    this.#hasEcho = true;
    this.#missed = 0;
  }

  #forgetBefore(now: number): void {
    if (this.#sent.some(({ to }) => now > to + this.#limit)) {
      this.#sent = this.#sent.filter(({ to }) => now <= to + this.#limit);
    }
  }
}

/** Returns true for the same bytes. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
