/**
 * One open port from open to close: reading, writing, and an end that loses no byte that can be kept. The caller
 * decides what follows after the link has ended.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from './error-name.ts';
import { type PortSettings, wireTime } from './port-settings.ts';
import { type OverrunPolicy, type ReadEnd, type ReadEvents, ReadLoop } from './read-loop.ts';
import { closeLimit, within } from './time-limit.ts';

/** Longest wait for bytes on their way out, in milliseconds. A disconnect does not wait for a whole file. */
const DRAIN_LIMIT = 3_000;
/** Time added for the way to the wire, in milliseconds: a USB bridge forwards its bytes every 16 ms. */
const DRAIN_MARGIN = 50;
/** Time from the `disconnect` event until reading must have ended by itself, in milliseconds. */
const VANISH_LIMIT = 500;

export type LinkEnd =
  | Exclude<ReadEnd, { readonly reason: 'stopped' }>
  | { readonly reason: 'send-failed'; readonly error: unknown };

export interface OpenedPort {
  /** The open device, without a reader or writer. */
  readonly device: SerialPort;
  /** Settings with which the device was opened. */
  readonly settings: PortSettings;
  readonly overruns: OverrunPolicy;
}

export interface LinkEvents extends ReadEvents {
  /** The link has ended by itself. Called at most once, never after `close`. The link must still be closed. */
  readonly ended: (end: LinkEnd) => void;
}

export interface CloseReport {
  /** Bytes that the port had not taken when it was closed. */
  readonly unsent: number;
  /** False: the system refused to close the port, or did not answer in time. */
  readonly closed: boolean;
}

export class SerialLink {
  readonly device: SerialPort;
  readonly #settings: PortSettings;
  readonly #clock: Clock;
  readonly #events: LinkEvents;
  readonly #loop: ReadLoop;
  #reading: Promise<void> = Promise.resolve();
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  /** The close of the writer by `drain`; null if none is pending. */
  #draining: Promise<void> | null = null;
  /** Time at which the last accepted byte has left the wire, assuming that the device takes bytes at the baud rate. */
  #wireFreeAt = Number.NEGATIVE_INFINITY;
  #unwritten = 0;
  readonly #over = new AbortController();
  /** True: nothing can be written any more. */
  #mute = false;
  #cancelVanish: (() => void) | null = null;

  constructor(clock: Clock, { device, settings, overruns }: OpenedPort, events: LinkEvents) {
    this.device = device;
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    this.#loop = new ReadLoop(device, clock, overruns, events);
  }

  /** Aborts when the link ends by itself or is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  start(): void {
    this.#writer = this.device.writable?.getWriter() ?? null;
    // Chromium never calls a listener that was added with `once`.
    this.device.addEventListener('disconnect', this.#onDisconnect);
    this.#reading = this.#loop.run().then((end) => {
      if (end.reason !== 'stopped') {
        this.#end(end);
      }
    });
  }

  /** Resolves when the port has taken the bytes, which must not change before. Rejects with the port's error. */
  async send(bytes: Uint8Array): Promise<void> {
    const now = this.#clock.now();
    this.#wireFreeAt = Math.max(now, this.#wireFreeAt) + wireTime(this.#settings, bytes.length);
    this.#unwritten += bytes.length;
    const writer = this.#writer;
    try {
      if (writer === null) {
        throw new DOMException('The device has been lost.', 'NetworkError');
      }
      await writer.write(bytes);
      this.#unwritten -= bytes.length;
    } catch (error) {
      if (errorName(error) === 'NetworkError') {
        this.#awaitLoss();
      } else if (errorName(error) === 'NotAllowedError') {
        this.#unwritten -= bytes.length;
        this.#writeAnew(writer);
      } else {
        this.#end({ reason: 'send-failed', error });
      }
      throw error;
    }
  }

  /**
   * Resolves when all sent bytes have left the wire, as computed from the baud rate. Nothing may be sent before it
   * resolves. Rejects if the port takes no more bytes, or is closed.
   */
  async drain(): Promise<void> {
    const writer = this.#writer;
    if (writer !== null) {
      this.#draining ??= writer.close();
      try {
        await this.#draining;
      } finally {
        this.#draining = null;
      }
      writer.releaseLock();
      if (!this.over.aborted) {
        this.#writer = this.device.writable?.getWriter() ?? null;
      }
    }
    const left = this.#wireFreeAt - this.#clock.now();
    if (left > 0) {
      await this.#clock.sleep(left, this.over);
    }
  }

  /**
   * Stops reading, lets the sent bytes leave the wire or drops them, and closes. Bounded in time; never rejects. A
   * second call does no harm.
   */
  async close(unsent: 'send' | 'drop' = 'send'): Promise<CloseReport> {
    this.#detach();
    await within(this.#clock, closeLimit, this.#loop.stop());
    await within(this.#clock, closeLimit, this.#reading);
    await this.#finishWriting(unsent === 'drop' || this.#mute);
    const closed = (await within(this.#clock, closeLimit, this.device.close())) === 'fulfilled';
    return { unsent: this.#unwritten, closed };
  }

  /**
   * Waits as long as the bytes need. Closing a port drops bytes that have not reached the wire, even after the writer
   * has closed (Chromium 156).
   *
   * A writer whose close is pending must not be aborted, neither by `abort` nor by the `close` of the port: Chromium 156
   * never closes that port. So only a writer whose bytes should have left is closed, and an idle one is left to the
   * port.
   */
  async #finishWriting(isDropped: boolean): Promise<void> {
    const writer = this.#writer;
    if (writer === null) {
      return;
    }
    const needed = isDropped ? 0 : this.#wireFreeAt + DRAIN_MARGIN - this.#clock.now();
    if (needed > 0) {
      await this.#clock.sleep(Math.min(needed, DRAIN_LIMIT));
    }
    if (this.#draining !== null) {
      await within(this.#clock, closeLimit, this.#draining);
    } else if (isDropped || needed > DRAIN_LIMIT || this.#unwritten > 0) {
      const why = this.#mute ? 'The device has been lost.' : 'The port was closed before all was sent.';
      await within(this.#clock, closeLimit, writer.abort(new DOMException(why, 'AbortError')));
    } else if (needed > 0) {
      await within(this.#clock, closeLimit, writer.close());
    }
    writer.releaseLock();
  }

  /** Gets a new writer after a remote port has refused one message: the port stays open for the next one. */
  #writeAnew(refused: WritableStreamDefaultWriter<Uint8Array> | null): void {
    if (refused === this.#writer && !this.over.aborted) {
      refused?.releaseLock();
      this.#writer = this.device.writable?.getWriter() ?? null;
    }
  }

  readonly #onDisconnect = (): void => {
    this.#awaitLoss();
  };

  /**
   * Handles a device that is gone. Reading ends by itself after the last bytes; only a read that hangs is cut short.
   */
  #awaitLoss(): void {
    if (!this.over.aborted) {
      this.#loop.wake();
      this.#cancelVanish ??= this.#clock.schedule(VANISH_LIMIT, () => this.#end({ reason: 'lost' }));
    }
  }

  #end(end: LinkEnd): void {
    if (!this.over.aborted) {
      this.#mute = end.reason === 'lost' || end.reason === 'send-failed';
      this.#detach();
      this.#events.ended(end);
    }
  }

  #detach(): void {
    this.#cancelVanish?.();
    this.device.removeEventListener('disconnect', this.#onDisconnect);
    this.#over.abort();
  }
}
