/**
 * Simulates the reception of a UART. The sender's frames become levels on the line, and the receiver samples them at
 * its own rate, in its own frame. With equal settings every byte arrives. With different settings the same garbage
 * arrives as on real hardware, including framing and parity errors. The receiver counts time in the sender's bits;
 * pacing is in wire.ts.
 */
import type { Random } from '../random.ts';
import { parityBit, type UartSettings } from './link.ts';

export interface Reception {
  /** Receives bytes from good frames. */
  bytes(bytes: Uint8Array): void;
  /** Receives a byte whose stop bit was low or whose parity bit was wrong. */
  damaged(error: 'framing' | 'parity', byte: number): void;
}

/** Samples per bit of a UART. The start edge is detected up to a sixteenth of a bit late. */
const OVERSAMPLING = 16;

export class UartReceiver {
  readonly #random: Random;
  /** Levels of the line, one for each bit of the sender. The first one is the level before the unprocessed bits. */
  #levels = new Uint8Array(256).fill(1);
  #length = 1;
  /** Position from which the next start edge is searched, in bits of the sender from the first level. */
  #position = 0;
  /**
   * Delay with which the present start edge was detected, as a fraction of the receiver's bit; null without a pending
   * edge.
   */
  #lateness: number | null = null;
  #sender: UartSettings | null = null;
  #receiver: UartSettings | null = null;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Receives the next bytes, which follow the previous ones without a gap. */
  receive(bytes: Uint8Array, sender: UartSettings, receiver: UartSettings, reception: Reception): void {
    if (!sameSettings(sender, this.#sender) || !sameSettings(receiver, this.#receiver)) {
      this.idle(reception);
      this.#sender = sender;
      this.#receiver = receiver;
    }
    if (sameSettings(sender, receiver)) {
      reception.bytes(sender.dataBits === 8 ? bytes : bytes.map((byte) => byte & 0x7f));
      return;
    }
    this.#layOut(bytes, sender);
    this.#sample(sender, receiver, reception, false);
  }

  /** Called when the line becomes idle. Completes an unfinished frame with the idle level. */
  idle(reception: Reception): void {
    if (this.#sender !== null && this.#receiver !== null && this.#length > 1) {
      this.#sample(this.#sender, this.#receiver, reception, true);
    }
    this.#length = 1;
    this.#levels[0] = 1;
    this.#position = 0;
    this.#lateness = null;
  }

  #layOut(bytes: Uint8Array, sender: UartSettings): void {
    const bitsPerByte = 1 + sender.dataBits + (sender.parity === 'none' ? 0 : 1) + sender.stopBits;
    const needed = this.#length + bytes.length * bitsPerByte;
    if (needed > this.#levels.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(this.#levels.subarray(0, this.#length));
      this.#levels = larger;
    }
    const levels = this.#levels;
    let at = this.#length;
    for (const byte of bytes) {
      levels[at++] = 0;
      for (let bit = 0; bit < sender.dataBits; bit++) {
        levels[at++] = (byte >> bit) & 1;
      }
      if (sender.parity !== 'none') {
        levels[at++] = parityBit(byte, sender);
      }
      for (let bit = 0; bit < sender.stopBits; bit++) {
        levels[at++] = 1;
      }
    }
    this.#length = at;
  }

  #sample(sender: UartSettings, receiver: UartSettings, reception: Reception, resting: boolean): void {
    const bit = sender.baudRate / receiver.baudRate;
    const parityBits = receiver.parity === 'none' ? 0 : 1;
    const good: number[] = [];
    for (;;) {
      const edge = this.#nextStartEdge();
      if (edge === null) {
        break;
      }
      this.#lateness ??= this.#random.next() / OVERSAMPLING;
      const start = edge + this.#lateness * bit;
      const middle = (index: number) => start + (index + 0.5) * bit;
      const stop = middle(1 + receiver.dataBits + parityBits);
      if (stop >= this.#length && !resting) {
        this.#position = edge;
        break;
      }
      this.#lateness = null;
      if (this.#level(middle(0)) === 1) {
        this.#position = middle(0);
        continue;
      }
      this.#position = stop;
      let byte = 0;
      for (let index = 0; index < receiver.dataBits; index++) {
        byte |= this.#level(middle(1 + index)) << index;
      }
      const framing = this.#level(stop) === 0;
      const parity = parityBits === 1 && this.#level(middle(1 + receiver.dataBits)) !== parityBit(byte, receiver);
      if (framing || parity) {
        hand(good, reception);
        reception.damaged(framing ? 'framing' : 'parity', byte);
      } else {
        good.push(byte);
      }
    }
    hand(good, reception);
    this.#forgetSeen();
  }

  /**
   * Returns the first falling edge from the position on. Without one, moves the position to the end and returns null.
   */
  #nextStartEdge(): number | null {
    for (let at = Math.max(1, Math.ceil(this.#position)); at < this.#length; at++) {
      if (this.#levels[at] === 0 && this.#levels[at - 1] === 1) {
        return at;
      }
    }
    this.#position = Math.max(this.#position, this.#length);
    return null;
  }

  /** Returns the level at a moment. After the last sent bit the line is idle, thus high. */
  #level(moment: number): number {
    const at = Math.floor(moment);
    return at < this.#length ? (this.#levels[at] ?? 1) : 1;
  }

  #forgetSeen(): void {
    const seen = Math.min(this.#length, Math.floor(this.#position)) - 1;
    if (seen > 0) {
      this.#levels.copyWithin(0, seen, this.#length);
      this.#length -= seen;
      this.#position -= seen;
    }
  }
}

function hand(good: number[], reception: Reception): void {
  if (good.length > 0) {
    reception.bytes(Uint8Array.from(good));
    good.length = 0;
  }
}

/** Compares settings without the stop bits, which only matter to the sender: a receiver checks the first one alone. */
function sameSettings(one: UartSettings, other: UartSettings | null): boolean {
  return (
    other !== null && one.baudRate === other.baudRate && one.dataBits === other.dataBits && one.parity === other.parity
  );
}
