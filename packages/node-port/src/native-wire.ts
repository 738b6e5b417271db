/**
 * Bytes of an open native port: reading and writing without a stream. On Linux and macOS the descriptor is read here,
 * and the binding only reports when it can be read (docs/decisions/0080-native-ports-are-read-by-their-descriptor.md).
 */
import { readSync, writeSync } from 'node:fs';
import type { AutoDetectTypes } from '@serialport/bindings-cpp';
import { deviceLost } from '@wirebench/port/web-serial';

export type Binding = Awaited<ReturnType<AutoDetectTypes['open']>>;

/** The part of the binding that tells when a descriptor can be read or written. */
interface Poller {
  once(event: 'readable' | 'writable', callback: (error: Error | null) => void): unknown;
}

export interface NativeWire {
  /**
   * Reads at least one byte into `buffer` and resolves with their number. Resolves with 0 after `stop`.
   *
   * @throws NetworkError once the device is gone.
   */
  read(buffer: Buffer): Promise<number>;
  /** Resolves when the system has taken all bytes, or after `stop`. Rejects as `read` does. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends pending reads and writes. */
  stop(): void;
}

export function nativeWire(binding: Binding): NativeWire {
  return 'poller' in binding && binding.fd !== null
    ? new DescriptorWire(binding.fd, binding.poller)
    : new BindingWire(binding);
}

const isMomentary = (error: unknown) =>
  error instanceof Error && 'code' in error && ['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(String(error.code));

class DescriptorWire implements NativeWire {
  readonly #descriptor: number;
  readonly #poller: Poller;
  #isStopped = false;
  readonly #waiting = new Set<() => void>();

  constructor(descriptor: number, poller: Poller) {
    this.#descriptor = descriptor;
    this.#poller = poller;
  }

  async read(buffer: Buffer): Promise<number> {
    while (!this.#isStopped) {
      try {
        // The descriptor never blocks. Zero bytes are the end of a terminal that has hung up.
        const count = readSync(this.#descriptor, buffer, 0, buffer.length, null);
        if (count === 0) {
          throw deviceLost();
        }
        return count;
      } catch (error) {
        if (!isMomentary(error)) {
          throw deviceLost();
        }
      }
      await this.#ready('readable');
    }
    return 0;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#isStopped; ) {
      try {
        at += writeSync(this.#descriptor, bytes, at, bytes.length - at, null);
      } catch (error) {
        if (!isMomentary(error)) {
          throw deviceLost();
        }
        await this.#ready('writable');
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#waiting) {
      end();
    }
  }

  /**
   * Resolves when the descriptor is ready or has failed, which the next read or write reports. The binding's callback
   * does not run continuations of promises with Node 26.4 and later, so it only schedules one (serialport/node-serialport#3148).
   */
  #ready(event: 'readable' | 'writable'): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        resolve();
      };
      this.#waiting.add(end);
      this.#poller.once(event, () => setImmediate(end));
    });
  }
}

/** The binding's own reading and writing, for Windows. */
class BindingWire implements NativeWire {
  readonly #binding: Binding;
  #isStopped = false;

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  async read(buffer: Buffer): Promise<number> {
    try {
      return (await this.#binding.read(buffer, 0, buffer.length)).bytesRead;
    } catch {
      if (this.#isStopped) {
        return 0;
      }
      throw deviceLost();
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#binding.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    } catch {
      if (!this.#isStopped) {
        throw deviceLost();
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
