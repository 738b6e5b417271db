/**
 * Reads an open port until it is told to stop or cannot go on, through the errors that a new stream cures
 * (W3C Web Serial: after a non-fatal error `readable` gives another stream). Knows no session and no texts.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from './error-name.ts';
import { type LineErrorKind, lineErrorOf } from './line-error.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Milliseconds between an overrun and the one retry (docs/behaviour.md, "Ports"). */
const OVERRUN_RETRY_DELAY = 1_000;
/** Errors in a row without a byte between them, after which reading pauses, so that a stuck line leaves time for others. */
const ERRORS_WITHOUT_PAUSE = 16;
/** Of each such pause, in milliseconds. */
const ERROR_PAUSE = 10;

/**
 * `retry-once`: reading goes on after a pause, and the second overrun of a connection ends it: what is shown to a person has
 * gaps. `read-on`: it goes on at once, however many there are: the caller has checksums, and deadlines.
 */
export type OverrunPolicy = 'retry-once' | 'read-on';

export interface ReadEvents {
  readonly bytes: (bytes: Uint8Array) => void;
  /** Asked before each read: reading waits for what it gives, and so holds back a device with hardware flow control. */
  readonly room?: () => Promise<void> | null;
  readonly lineError: (kind: LineErrorKind) => void;
  /** @param final reading ends. */
  readonly overrun: (final: boolean) => void;
}

export type ReadEnd =
  | { readonly reason: 'stopped' }
  /** The device is gone; without an error where the stream just ended. */
  | { readonly reason: 'lost'; readonly error?: unknown }
  | { readonly reason: 'overrun' }
  | { readonly reason: 'receive-failed'; readonly error: unknown };

export class ReadLoop {
  readonly #device: SerialPort;
  readonly #clock: Clock;
  readonly #overruns: OverrunPolicy;
  readonly #events: ReadEvents;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  readonly #stopping = new AbortController();
  #pause: AbortController | null = null;
  /** The one retry of this connection is used up. */
  #retried = false;
  #errorsInARow = 0;

  constructor(device: SerialPort, clock: Clock, overruns: OverrunPolicy, events: ReadEvents) {
    this.#device = device;
    this.#clock = clock;
    this.#overruns = overruns;
    this.#events = events;
  }

  /** Resolves when reading has ended and the stream is unlocked; never rejects for what the port does. */
  async run(): Promise<ReadEnd> {
    while (!this.#stopping.signal.aborted) {
      const { readable } = this.#device;
      if (readable === null) {
        return { reason: 'lost' };
      }
      const end = await this.#readStream(readable.getReader());
      if (end !== null) {
        return end;
      }
    }
    return { reason: 'stopped' };
  }

  /** Ends reading, also while there is no room; `run` resolves. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#reader?.cancel();
  }

  /** Ends a pause before its time: there is a reason to look at the port now. */
  wake(): void {
    this.#pause?.abort();
  }

  /** Null when a new stream may be read. */
  async #readStream(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadEnd | null> {
    this.#reader = reader;
    const failure = await this.#pump(reader);
    this.#reader = null;
    reader.releaseLock();
    if (this.#stopping.signal.aborted) {
      return { reason: 'stopped' };
    }
    // A stream that ends without an error was closed by somebody else.
    return failure === null ? { reason: 'lost' } : this.#survive(failure.error);
  }

  /** Hands on bytes until the stream ends (null) or fails. */
  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<{ readonly error: unknown } | null> {
    const { signal } = this.#stopping;
    for (;;) {
      const room = this.#events.room?.() ?? null;
      if (room !== null) {
        await unlessAborted(room, signal);
      }
      let bytes: Uint8Array | undefined;
      try {
        bytes = (await reader.read()).value;
      } catch (error) {
        return { error };
      }
      if (bytes === undefined) {
        return null;
      }
      this.#errorsInARow = 0;
      this.#events.bytes(bytes);
    }
  }

  async #survive(error: unknown): Promise<ReadEnd | null> {
    const kind = lineErrorOf(error);
    if (kind !== null) {
      this.#events.lineError(kind);
      return this.#readOn();
    }
    switch (errorName(error)) {
      case 'BufferOverrunError':
        return this.#surviveOverrun();
      case 'NetworkError':
        return { reason: 'lost', error };
      default:
        return { reason: 'receive-failed', error };
    }
  }

  async #surviveOverrun(): Promise<ReadEnd | null> {
    const final = this.#overruns === 'retry-once' && this.#retried;
    this.#retried = true;
    this.#events.overrun(final);
    if (final) {
      return { reason: 'overrun' };
    }
    if (this.#overruns === 'read-on') {
      return this.#readOn();
    }
    await this.#rest(OVERRUN_RETRY_DELAY);
    return null;
  }

  async #readOn(): Promise<null> {
    if (++this.#errorsInARow > ERRORS_WITHOUT_PAUSE) {
      await this.#rest(ERROR_PAUSE);
    }
    return null;
  }

  async #rest(duration: number): Promise<void> {
    const pause = new AbortController();
    this.#pause = pause;
    await this.#clock.sleep(duration, pause.signal).catch(() => undefined);
    this.#pause = null;
  }
}
