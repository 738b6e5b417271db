/**
 * Sends requests to a bootloader and reads its answers over a byte port. Nothing is sent ahead: these bootloaders have
 * room for two bytes while they work.
 */
import { joined } from '@wirebench/port/bytes';
import type { BytePort } from '../byte-port.ts';

/** Time limits are this many times as long on a slow link. */
const SLOW_FACTOR = 4;

export class AvrLink {
  readonly port: BytePort;
  #pending: Uint8Array = new Uint8Array(0);
  #sent = 0;
  #received = 0;
  #isSlow = false;

  constructor(port: BytePort) {
    this.port = port;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Bytes received so far. */
  get received(): number {
    return this.#received;
  }

  /** True: an answer came after its time limit. The machine is busy, or the adapter is slow. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Gives every answer of this link more time from now on. */
  allowSlowAnswers(): void {
    this.#isSlow = true;
  }

  send(bytes: Uint8Array): void {
    this.#sent += bytes.length;
    this.port.write(bytes);
  }

  /**
   * Returns the next `count` bytes; null if they do not arrive within `limit` milliseconds plus their time on the wire.
   * Bytes that arrived of them stay for the next call.
   */
  take(count: number, limit: number, signal: AbortSignal): Promise<Uint8Array | null> {
    return this.find(
      (pending) => (pending.length < count ? null : { result: pending.slice(0, count), used: count }),
      limit + this.port.wireTime(count),
      signal,
    );
  }

  /**
   * Waits until `look` finds something in the bytes received; null after `limit` milliseconds.
   *
   * @param look Receives all bytes that are not used yet. `used` are the bytes to drop.
   */
  async find<Result>(
    look: (pending: Uint8Array) => { readonly result: Result; readonly used: number } | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Result | null> {
    const tryLook = () => {
      const found = look(this.#pending);
      if (found === null) {
        return undefined;
      }
      this.#pending = this.#pending.subarray(found.used);
      return found;
    };
    const take = (bytes: Uint8Array) => {
      this.#received += bytes.length;
      this.#pending = this.#pending.length === 0 ? bytes : joined(this.#pending, bytes);
      return tryLook();
    };
    const found = tryLook() ?? (await this.port.until(take, this.#isSlow ? limit * SLOW_FACTOR : limit, signal));
    return found === null ? null : found.result;
  }

  /** Drops the bytes that have arrived, without waiting. Returns those that no answer has used. */
  dropReceived(): Uint8Array {
    let dropped = this.#pending;
    this.port.takeWaiting((bytes) => {
      this.#received += bytes.length;
      dropped = joined(dropped, bytes);
    });
    this.#pending = new Uint8Array(0);
    return dropped;
  }

  /** Waits for silence, at most 300 ms, and drops all received bytes. */
  async quiet(signal: AbortSignal): Promise<void> {
    await this.port.untilSilent((bytes) => {
      this.#received += bytes.length;
    }, signal);
    this.#pending = new Uint8Array(0);
  }
}
