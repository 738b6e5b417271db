/**
 * READ_FLASH of the stub: packets of raw data, acknowledged with the number of bytes received so far, then the MD5 of
 * all of them. Source: Espressif, "Serial Protocol", section "Reading Flash".
 */
import { md5 } from '@noble/hashes/legacy.js';
import { wordAt } from './request.ts';

export class FlashReader {
  readonly #data: Uint8Array;
  readonly #packet: number;
  readonly #window: number;
  #sent = 0;
  #acknowledged = 0;
  #ended = false;

  /**
   * @param data Bytes to send.
   * @param packet Most bytes in one packet.
   * @param window Most bytes that may be unacknowledged.
   */
  constructor(data: Uint8Array, packet: number, window: number) {
    this.#data = data;
    this.#packet = packet;
    this.#window = window;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Returns the packets that may be sent now, without framing. */
  sendable(): Uint8Array[] {
    const frames: Uint8Array[] = [];
    while (this.#sent < this.#data.length && this.#sent - this.#acknowledged + this.#packet <= this.#window) {
      const frame = this.#data.subarray(this.#sent, this.#sent + this.#packet);
      this.#sent += frame.length;
      frames.push(frame);
    }
    if (this.#acknowledged >= this.#data.length && !this.#ended) {
      this.#ended = true;
      frames.push(md5(this.#data));
    }
    return frames;
  }

  /**
   * Processes an acknowledgement and returns the next packets. Any other frame ends the reading: only the MD5 is
   * sent.
   */
  acknowledge(frame: Uint8Array): Uint8Array[] {
    if (frame.length !== 4) {
      this.#ended = true;
      return [md5(this.#data.subarray(0, this.#sent))];
    }
    this.#acknowledged = wordAt(frame, 0);
    return this.sendable();
  }
}
