/**
 * Sends bytes to the bootloader and reads its answers over a byte port: an acknowledgement, a refusal, or a number of
 * bytes. Other bytes are skipped and counted.
 */

import type { ExpectedBytes } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import type { BytePort } from '../../byte-port.ts';
import { ACK, NACK } from './frames.ts';

export type Reply = 'ack' | 'nack' | 'late';

export class UartLink {
  readonly port: BytePort;
  #pending: Uint8Array = new Uint8Array(0);
  #sent = 0;
  #skipped = 0;

  /** @param port Open with even parity. */
  constructor(port: BytePort) {
    this.port = port;
  }

  get sent(): number {
    return this.#sent;
  }

  /**
   * Number of bytes received instead of an acknowledgement, and of line errors. They come from a program's output or
   * a disturbed wire.
   */
  get disturbances(): number {
    return this.#skipped + this.port.lineErrors;
  }

  /** True: more bytes have arrived than were requested. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** @param after Bytes that the bootloader has to send first; only if the port can wait for them. */
  send(bytes: Uint8Array, after: ExpectedBytes | null = null): void {
    this.#sent += bytes.length;
    this.port.write(bytes, after);
  }

  /**
   * Waits for an acknowledgement or a refusal.
   *
   * @param limit Milliseconds, including the time on the wire.
   */
  async reply(limit: number, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#until(() => this.#findReply(), limit, signal);
    return reply ?? 'late';
  }

  /** Sends bytes and waits for the answer. The time on the wire is added to `limit`. */
  exchange(bytes: Uint8Array, limit: number, signal: AbortSignal): Promise<Reply> {
    this.send(bytes);
    return this.reply(limit + this.port.wireTime(bytes.length), signal);
  }

  /**
   * Returns the next `count` bytes; null if they do not arrive within `limit` milliseconds plus their time on the
   * wire.
   */
  take(count: number, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
    return this.#until(
      () => {
        if (this.#pending.length < count) {
          return undefined;
        }
        const taken = this.#pending.subarray(0, count);
        this.#pending = this.#pending.subarray(count);
        return taken;
      },
      limit + this.port.wireTime(count),
      signal,
    );
  }

  /** Waits for silence, and drops all received bytes. */
  async quiet(signal: AbortSignal): Promise<void> {
    await this.port.untilSilent((bytes) => {
      this.#skipped += bytes.length;
    }, signal);
    this.#pending = new Uint8Array(0);
  }

  #findReply(): Reply | undefined {
    const pending = this.#pending;
    for (let index = 0; index < pending.length; index++) {
      const byte = pending[index];
      if (byte === ACK || byte === NACK) {
        this.#skipped += index;
        this.#pending = pending.subarray(index + 1);
        return byte === ACK ? 'ack' : 'nack';
      }
    }
    this.#skipped += pending.length;
    this.#pending = new Uint8Array(0);
    return undefined;
  }

  async #until<Result>(look: () => Result | undefined, limit: number, signal: AbortSignal): Promise<Result | null> {
    return (
      look() ??
      (await this.port.until(
        (bytes) => {
          this.#pending = this.#pending.length === 0 ? bytes : joined(this.#pending, bytes);
          return look();
        },
        limit,
        signal,
      ))
    );
  }
}
