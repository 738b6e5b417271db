/**
 * Packets to a legacy bootloader and their acknowledgements, one at a time. A packet that is not acknowledged is sent again with the
 * same number: the board takes each number once. The acknowledgement names the number that the board wants next, so that both
 * sides agree again after anything. Knows no order of packets.
 */
import { FrameDecoder } from '../../slip.ts';
import { AnswerQueue } from '../answer-queue.ts';
import type { NordicPort } from '../connect/nordic-port.ts';
import { idlePayload, packetFrame, readAcknowledgement, sequences } from './hci.ts';

/** Silence after which a packet is sent again, in milliseconds: the bootloader's own timeout is of this order. */
const RESEND = 300;

export class LegacyLink {
  readonly port: NordicPort;
  readonly #decoder: FrameDecoder;
  /** The numbers that acknowledgements name. */
  readonly #wanted: AnswerQueue<number>;
  #sequence = 1;

  constructor(port: NordicPort, onText: (bytes: Uint8Array) => void) {
    this.port = port;
    this.#decoder = new FrameDecoder({
      frame: (bytes) => {
        const wanted = readAcknowledgement(bytes);
        if (wanted !== null) {
          this.#wanted.push(wanted);
        }
        return wanted !== null;
      },
      text: onText,
    });
    this.#wanted = new AnswerQueue(port, (bytes) => this.#decoder.push(bytes));
  }

  /**
   * Asks up to `tries` times whether a bootloader is there, and learns which number it wants next, whether or not the one of the
   * question was right.
   */
  async ask(signal: AbortSignal, tries: number, limit: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      const frame = packetFrame(this.#sequence, idlePayload);
      this.#wanted.clear();
      this.port.write(frame);
      const wanted = await this.#acknowledgement(limit + this.port.bytes.wireTime(frame.length), signal);
      if (wanted !== null) {
        this.#sequence = wanted;
        return true;
      }
    }
    return false;
  }

  /**
   * @param limit milliseconds for all tries, besides the time on the wire.
   * @returns whether the board has taken it; false after silence. @throws PortError; the reason of the signal.
   */
  async send(limit: number, signal: AbortSignal, ...payload: readonly Uint8Array[]): Promise<boolean> {
    const sequence = this.#sequence;
    const next = (sequence + 1) % sequences;
    const frame = packetFrame(sequence, ...payload);
    const onWire = this.port.bytes.wireTime(frame.length);
    const end = this.port.clock.now() + limit + onWire;
    for (;;) {
      signal.throwIfAborted();
      this.#wanted.clear();
      this.port.write(frame);
      const until = Math.min(this.port.clock.now() + RESEND + onWire, end);
      for (let left = until - this.port.clock.now(); left > 0; left = until - this.port.clock.now()) {
        if ((await this.#acknowledgement(left, signal)) === next) {
          this.#sequence = next;
          return true;
        }
      }
      if (this.port.clock.now() >= end) {
        return false;
      }
    }
  }

  /** Takes what arrives for `duration` milliseconds and sends nothing. @throws PortError; the reason of the signal. */
  async rest(duration: number, signal: AbortSignal): Promise<void> {
    const take = (bytes: Uint8Array) => {
      this.#decoder.push(bytes);
      return undefined;
    };
    await this.port.bytes.until(take, duration, signal);
  }

  /** The board has started anew: it counts from 1 (`INITIAL_ACK_NUMBER_EXPECTED`). */
  reset(): void {
    this.#decoder.reset();
    this.#wanted.clear();
    this.#sequence = 1;
  }

  #acknowledgement(limit: number, signal: AbortSignal): Promise<number | null> {
    return this.#wanted.take(() => true, limit, signal);
  }
}
