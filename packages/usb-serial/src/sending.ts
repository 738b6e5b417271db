/** The writing half of an open port. Chunks become transfers, one after the other: a short one must be completed. */
import type { Clock } from '@wirebench/clock';
import { bytesOf, deviceLost } from '@wirebench/port/web-serial';
import type { UsbOutResult } from './usb-device.ts';

/** Most bytes of one transfer. Android splits larger ones (usbfs, `MAX_USBFS_BUFFER_SIZE`). */
const MAX_TRANSFER = 16_384;
/** Transfers in a row without a byte, after which the device counts as lost. */
const MAX_FAILURES = 16;

export interface SendingOptions {
  readonly clock: Clock;
  readonly bufferSize: number;
  /** Bytes that the chip holds on their way to the wire at most. */
  readonly transmitBuffer: number;
  /** Milliseconds of one byte on the wire. */
  readonly byteTime: number;
  transfer(bytes: Uint8Array<ArrayBuffer>): Promise<UsbOutResult>;
  /** Ends a stall of the endpoint. Also ends a transfer that the device does not take. */
  clearHalt(): Promise<void>;
  /** Empties the device's buffer. */
  discard(): Promise<void>;
  /** Called once, when the device does not answer any more. */
  onLost(): void;
}

export class Sending {
  readonly #options: SendingOptions;
  #stream: WritableStream<Uint8Array> | null = null;
  #controller: WritableStreamDefaultController | null = null;
  #isLost = false;
  #isStopped = false;
  #isInTransfer = false;
  /** Time at which the last byte leaves the chip at the latest. */
  #emptyAt = 0;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** The present stream; null once the device is gone. */
  get stream(): WritableStream<Uint8Array> | null {
    if (this.#isLost) {
      return null;
    }
    this.#stream ??= this.#newStream();
    return this.#stream;
  }

  get locked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** Ends writing. Resolves when a write that the device did not take has ended. */
  async stop(reason: unknown): Promise<void> {
    this.#isStopped = true;
    await this.#stream?.abort(reason);
  }

  /** Handles the loss of the device. */
  lose(): void {
    if (!this.#isLost) {
      this.#isLost = true;
      this.#stream = null;
      this.#controller?.error(deviceLost());
      this.#options.onLost();
    }
  }

  #newStream(): WritableStream<Uint8Array> {
    const leave = (stream: WritableStream<Uint8Array>) => {
      this.#stream = this.#stream === stream ? null : this.#stream;
    };
    const stream = new WritableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          // A stream waits for its write before it aborts, so a write that hangs has to be ended here.
          controller.signal.addEventListener('abort', () => {
            if (this.#isInTransfer) {
              void this.#options.clearHalt().catch(() => 'releasing the interface ends it, too');
            }
          });
        },
        write: async (chunk, { signal }) => {
          try {
            await this.#write(bytesOf(chunk).slice(), signal);
          } catch (error) {
            leave(stream);
            throw error;
          }
        },
        close: async () => {
          leave(stream);
          const { clock } = this.#options;
          await clock.sleep(Math.max(0, this.#emptyAt - clock.now()));
        },
        abort: async () => {
          leave(stream);
          if (!this.#isStopped && !this.#isLost) {
            await this.#options.discard().catch(() => 'bytes that stay are sent');
          }
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.#options.bufferSize }),
    );
    return stream;
  }

  async #write(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    let failures = 0;
    for (let at = 0; at < bytes.length; ) {
      const { status, bytesWritten } = await this.#transfer(bytes.subarray(at, at + MAX_TRANSFER), signal);
      signal.throwIfAborted();
      at += bytesWritten;
      failures = bytesWritten > 0 ? 0 : failures + 1;
      if (failures > MAX_FAILURES) {
        this.lose();
        throw deviceLost();
      }
      if (status === 'stall') {
        await this.#options.clearHalt().catch(() => 'the next transfer reports a device that is gone');
      }
    }
  }

  async #transfer(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<UsbOutResult> {
    const { clock, byteTime, transmitBuffer, transfer } = this.#options;
    const startedAt = clock.now();
    this.#isInTransfer = true;
    try {
      const result = await transfer(bytes);
      const held = Math.min(transmitBuffer, result.bytesWritten) * byteTime;
      const most = clock.now() + transmitBuffer * byteTime;
      this.#emptyAt = Math.min(Math.max(this.#emptyAt, startedAt) + held, most);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DOMException && error.name === 'AbortError') {
        // A halt that was cleared for reading cancels writes of the whole interface in Chromium.
        return { bytesWritten: 0, status: 'ok' };
      }
      this.lose();
      throw deviceLost();
    } finally {
      this.#isInTransfer = false;
    }
  }
}
