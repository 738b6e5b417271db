/**
 * Sends requests to a bootloader and reads its answers over a byte port. Nothing is sent ahead: these bootloaders have
 * room for two bytes while they work.
 */
import { joined } from '@wirebench/port/bytes';
import type { BytePort } from '../byte-port.ts';

export class AvrLink {
  readonly port: BytePort;
  #pending: Uint8Array = new Uint8Array(0);
  #sent = 0;
  #received = 0;

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
    const found = tryLook() ?? (await this.port.until(take, limit, signal));
    return found === null ? null : found.result;
  }

  /** Drops the bytes that have arrived, without waiting. */
  dropReceived(): void {
    this.port.takeWaiting((bytes) => {
      this.#received += bytes.length;
    });
    this.#pending = new Uint8Array(0);
  }

  /** Waits for silence, at most 300 ms, and drops all received bytes. */
  async quiet(signal: AbortSignal): Promise<void> {
    await this.port.untilSilent((bytes) => {
      this.#received += bytes.length;
    }, signal);
    this.#pending = new Uint8Array(0);
  }
}
