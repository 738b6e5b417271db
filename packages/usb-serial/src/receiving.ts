/**
 * The reading half of an open port. Several transfers wait for the device at once, because one ends at each short
 * packet and the next one costs milliseconds. Bytes and errors are held in order until a stream is read. Nothing is
 * asked of the device while a buffer's worth is held: the rest waits in the adapter.
 */
import { errorName } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import { deviceLost } from '@wirebench/port/web-serial';
import type { LineErrorName, Received } from './drivers/driver.ts';
import type { UsbInResult } from './usb-device.ts';

/**
 * Transfers that wait at once. A chip that sends a short packet each millisecond needs as many as a transfer takes
 * milliseconds: up to 10 on a phone.
 */
const WAITING = 16;
/** Packets of one transfer, and the bytes at most and at least. A multiple of the packet never overflows. */
const PACKETS = 16;
const MAX_TRANSFER = 4_096;
const MIN_TRANSFER = 512;
/** Transfers in a row that fail without a byte between them, after which the device counts as lost. */
const MAX_FAILURES = 64;

/** Errors that are held for readers. Notifications of a noisy line come without bytes and without end. */
const MAX_HELD_ERRORS = 64;

const errorTexts = {
  BreakError: 'Break received',
  FramingError: 'Framing error',
  ParityError: 'Parity error',
  BufferOverrunError: 'Buffer overrun',
} satisfies Record<LineErrorName, string>;

export interface ReceivingOptions {
  readonly bufferSize: number;
  readonly packetSize: number;
  transfer(length: number): Promise<UsbInResult>;
  /** Ends a stall of the endpoint. */
  clearHalt(): Promise<void>;
  /** Separates bytes and errors of a transfer. */
  parse(transfer: Uint8Array<ArrayBuffer>): Received;
  /** Empties the device's buffer. */
  discard(): Promise<void>;
  /** Called once, when the device does not answer any more. */
  onLost(): void;
}

export class Receiving {
  readonly #options: ReceivingOptions;
  readonly #length: number;
  /** Transfers in the order in which they were started, which is that of their bytes. */
  readonly #waiting: Promise<UsbInResult | { readonly failure: unknown }>[] = [];
  #held: (Uint8Array<ArrayBuffer> | LineErrorName)[] = [];
  #heldBytes = 0;
  #heldErrors = 0;
  #failures = 0;
  #state: 'running' | 'stopped' | 'lost' = 'running';
  #isPumping = false;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #controller: ReadableStreamController<Uint8Array<ArrayBuffer>> | null = null;
  /** Ends the pending pull of the stream. */
  #wake: () => void = () => undefined;
  /** True once a reader has received the error of the lost device, or there was nothing left to read. */
  #isReadToEnd = false;

  constructor(options: ReceivingOptions) {
    this.#options = options;
    const { packetSize } = options;
    const packets = Math.min(PACKETS, Math.floor(MAX_TRANSFER / packetSize)) || 1;
    this.#length = Math.max(packets, Math.ceil(MIN_TRANSFER / packetSize)) * packetSize;
  }

  /** The present stream; null once the device is gone and everything was read. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#isReadToEnd) {
      return null;
    }
    this.#stream ??= this.#newStream();
    return this.#stream;
  }

  get locked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** Starts transfers while there is room for their bytes. */
  fill(): void {
    const { bufferSize, transfer } = this.#options;
    while (
      this.#state === 'running' &&
      this.#waiting.length < WAITING &&
      this.#heldBytes < bufferSize &&
      this.#heldErrors === 0
    ) {
      this.#waiting.push(transfer(this.#length).catch((failure: unknown) => ({ failure })));
    }
    if (!this.#isPumping && this.#waiting.length > 0) {
      void this.#pump();
    }
  }

  /** Adds an error that came by another way than the bytes, after the bytes that have come. */
  fail(names: readonly LineErrorName[]): void {
    if (names.length > 0 && this.#state === 'running') {
      this.#hold(names);
    }
  }

  /** Ends reading. Bytes of transfers that still wait are dropped. */
  async stop(): Promise<void> {
    const stream = this.#stream;
    this.#state = 'stopped';
    this.#drop();
    await stream?.cancel();
  }

  /** Handles the loss of the device. The bytes that are held can still be read. */
  lose(): void {
    if (this.#state === 'running') {
      this.#state = 'lost';
      if (this.#held.length === 0) {
        this.#isReadToEnd = true;
        this.#stream = null;
        this.#controller?.error(deviceLost());
      }
      this.#wake();
      this.#options.onLost();
    }
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const result = await next;
      this.#waiting.shift();
      if (this.#state === 'running') {
        await this.#take(result);
        this.fill();
      }
    }
    this.#isPumping = false;
  }

  async #take(result: UsbInResult | { readonly failure: unknown }): Promise<void> {
    if ('failure' in result) {
      // A halt that was cleared cancels transfers of the whole interface in Chromium.
      if (errorName(result.failure) !== 'AbortError' || ++this.#failures > MAX_FAILURES) {
        this.lose();
      }
      return;
    }
    const { status, data } = result;
    if (data && data.byteLength > 0) {
      this.#failures = 0;
      // The browser made the buffer for this transfer, so it can be passed on.
      const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      this.#hold(this.#options.parse(bytes));
    }
    if (status === 'babble') {
      this.#hold(['BufferOverrunError']);
    } else if (status === 'stall') {
      if (++this.#failures > MAX_FAILURES) {
        this.lose();
        return;
      }
      await this.#options.clearHalt().catch(() => 'the next transfer reports a device that is gone');
    }
  }

  #hold(parts: Received): void {
    for (const part of parts) {
      if (typeof part === 'string') {
        // A held error stops the transfers. Those on their way may carry it again.
        if (this.#held.at(-1) !== part && this.#heldErrors < MAX_HELD_ERRORS) {
          this.#held.push(part);
          this.#heldErrors++;
        }
      } else if (part.length > 0) {
        // A stream takes the whole buffer of what it is given.
        this.#held.push(parts.length > 1 ? part.slice() : part);
        this.#heldBytes += part.length;
      }
    }
    if (this.#held.length > 0) {
      this.#wake();
    }
  }

  #drop(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#heldErrors = 0;
  }

  #newStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isCancelled = false;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        type: 'bytes',
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          while (!isCancelled && this.#held.length === 0 && this.#state === 'running') {
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
          }
          if (!isCancelled && !this.#isReadToEnd) {
            this.#give(controller);
          }
        },
        cancel: async () => {
          isCancelled = true;
          this.#stream = null;
          this.#drop();
          this.#wake();
          if (this.#state === 'running') {
            await this.#options.discard().catch(() => 'bytes that stay are read by the next stream');
            this.fill();
          } else if (this.#state === 'lost') {
            this.#isReadToEnd = true;
          }
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Gives all held bytes in front of the first error; without bytes, the error. */
  #give(controller: ReadableStreamController<Uint8Array<ArrayBuffer>>): void {
    const at = this.#held.findIndex((part) => typeof part === 'string');
    const parts = this.#held.splice(0, at < 0 ? this.#held.length : at).filter((part) => typeof part !== 'string');
    const [first, ...more] = parts;
    if (first !== undefined) {
      const bytes = more.length === 0 ? first : joined(...parts);
      this.#heldBytes -= bytes.length;
      controller.enqueue(bytes);
      this.fill();
      return;
    }
    const name = this.#held.shift();
    this.#stream = null;
    if (typeof name === 'string') {
      this.#heldErrors--;
      controller.error(new DOMException(errorTexts[name], name));
      this.fill();
    } else {
      this.#isReadToEnd = true;
      controller.error(deviceLost());
    }
  }
}
