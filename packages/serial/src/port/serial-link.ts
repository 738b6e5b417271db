/**
 * One opened port from open to close: reading, writing, and an end that loses nothing it can keep.
 * Knows no states and no texts: what becomes of a port between two links is for whoever opens it.
 */
import type { Clock } from '@wirebench/clock';
import { type PortSettings, wireTime } from '../port-settings.ts';
import { errorName } from './error-name.ts';
import { type OverrunPolicy, type ReadEnd, type ReadEvents, ReadLoop } from './read-loop.ts';
import { closeLimit, within } from './time-limit.ts';

/** Longest wait for bytes on their way out, in milliseconds: nobody who disconnects waits for a file to be sent. */
const DRAIN_LIMIT = 3_000;
/** Added to the time on the wire for the way to it, in milliseconds: a USB bridge hands on once in 16. */
const DRAIN_MARGIN = 50;
/** From the news that a device vanished until reading must have ended by itself, in milliseconds. */
const VANISH_LIMIT = 500;

export type LinkEnd =
  | Exclude<ReadEnd, { readonly reason: 'stopped' }>
  | { readonly reason: 'send-failed'; readonly error: unknown };

export interface OpenedPort {
  /** Open, and nobody reads or writes it. */
  readonly device: SerialPort;
  /** What it was opened with. */
  readonly settings: PortSettings;
  readonly overruns: OverrunPolicy;
}

export interface LinkEvents extends ReadEvents {
  /** The link has ended by itself: called once at most, never after `close`. It still has to be closed. */
  readonly ended: (end: LinkEnd) => void;
}

export interface CloseReport {
  /** Bytes that the port had not taken when it was closed. */
  readonly unsent: number;
  /** False when the system refused, or did not answer in time. */
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
  /** When the last byte accepted so far has left the wire, if the device takes them at the speed of the line. */
  #wireFreeAt = Number.NEGATIVE_INFINITY;
  #unwritten = 0;
  readonly #over = new AbortController();
  /** Nothing can be written any more. */
  #mute = false;
  #cancelVanish: (() => void) | null = null;

  constructor(clock: Clock, { device, settings, overruns }: OpenedPort, events: LinkEvents) {
    this.device = device;
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    this.#loop = new ReadLoop(device, clock, overruns, events);
  }

  /** Aborts when the link ends by itself, and when it is being closed. */
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

  /** Resolves when the port has taken the bytes, which must not change until then. Rejects with what the port says. */
  async send(bytes: Uint8Array): Promise<void> {
    const now = this.#clock.now();
    this.#wireFreeAt = Math.max(now, this.#wireFreeAt) + wireTime(this.#settings, bytes.length);
    this.#unwritten += bytes.length;
    try {
      if (this.#writer === null) {
        throw new DOMException('The device has been lost.', 'NetworkError');
      }
      await this.#writer.write(bytes);
      this.#unwritten -= bytes.length;
    } catch (error) {
      if (errorName(error) === 'NetworkError') {
        this.#awaitLoss();
      } else {
        this.#end({ reason: 'send-failed', error });
      }
      throw error;
    }
  }

  /**
   * Resolves when all that was sent has left the wire, as far as the port and its speed tell; nothing may be sent meanwhile.
   * Rejects when the port does not take it any more, or is being closed.
   */
  async drain(): Promise<void> {
    const writer = this.#writer;
    if (writer !== null) {
      await writer.close();
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
   * Stops reading, lets what was sent leave the wire or drops it, and closes. Bounded in time; never rejects. A second call
   * does no harm.
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
   * `close` of a port drops what has not reached the wire, also after the writer closed (Chromium 156): so the time that
   * the bytes need is waited for.
   */
  async #finishWriting(isDropped: boolean): Promise<void> {
    const writer = this.#writer;
    if (writer === null) {
      return;
    }
    const now = this.#clock.now();
    const needed = isDropped ? 0 : Math.min(this.#wireFreeAt + DRAIN_MARGIN - now, DRAIN_LIMIT);
    const timeout = Math.max(needed, DRAIN_MARGIN);
    if (isDropped || (await within(this.#clock, timeout, writer.close())) !== 'fulfilled') {
      const why = this.#mute ? 'The device has been lost.' : 'The port was closed before all was sent.';
      await within(this.#clock, closeLimit, writer.abort(new DOMException(why, 'AbortError')));
    }
    const left = now + needed - this.#clock.now();
    if (left > 0) {
      await this.#clock.sleep(left);
    }
    writer.releaseLock();
  }

  readonly #onDisconnect = (): void => {
    this.#awaitLoss();
  };

  /** The device is gone. Reading ends by itself when the last bytes are read; only a reading that hangs is cut short. */
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
