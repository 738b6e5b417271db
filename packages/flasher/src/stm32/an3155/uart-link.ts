/**
 * Bytes to the bootloader and its answers over a byte port: an acknowledgement, a refusal, so many bytes. Skips what is neither,
 * and counts it. Knows no command.
 */

import type { ExpectedBytes } from '@wirebench/serial/port';
import type { BytePort } from '../../byte-port.ts';
import { joined } from '../../core/bytes.ts';
import { ACK, NACK } from './frames.ts';

/** So long without a byte means that the other side has finished, in milliseconds. */
const QUIET = 20;
/** Longest wait for quiet, in milliseconds. */
const QUIET_LIMIT = 300;

export type Reply = 'ack' | 'nack' | 'late';

export class UartLink {
  readonly port: BytePort;
  /** Arrived and not taken yet. */
  #pending: Uint8Array = new Uint8Array(0);
  #sent = 0;
  #skipped = 0;

  /** @param port open with even parity. */
  constructor(port: BytePort) {
    this.port = port;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Bytes that came where an acknowledgement should have, and line errors: what a program prints, or a disturbed wire. */
  get disturbances(): number {
    return this.#skipped + this.port.lineErrors;
  }

  /** Whether more has arrived than was asked for. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** @param after what the bootloader has to send first; only where the port can wait for it. */
  send(bytes: Uint8Array, after: ExpectedBytes | null = null): void {
    this.#sent += bytes.length;
    this.port.write(bytes, after);
  }

  /** @param limit milliseconds, besides the time on the wire for what was sent. */
  async reply(limit: number, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#until(() => this.#findReply(), limit, signal);
    return reply ?? 'late';
  }

  /** Sends, and waits for the answer. */
  exchange(bytes: Uint8Array, limit: number, signal: AbortSignal): Promise<Reply> {
    this.send(bytes);
    return this.reply(limit + this.port.wireTime(bytes.length), signal);
  }

  /** The next `count` bytes; null when they did not come within `limit` milliseconds and their time on the wire. */
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

  /** Waits until nothing arrives any more, and forgets what has. */
  async quiet(signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < QUIET_LIMIT; waited += QUIET) {
      let heard = 0;
      await this.port.until(
        (bytes) => {
          heard += bytes.length;
          return undefined;
        },
        QUIET,
        signal,
      );
      if (heard === 0) {
        break;
      }
      this.#skipped += heard;
    }
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
