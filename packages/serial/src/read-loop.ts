/**
 * Reads an open port until it is told to stop or cannot go on, through the errors that a new stream cures
 * (W3C Web Serial: after a non-fatal error `readable` gives another stream). Knows no session and no texts.
 */
import type { Clock } from '@wirebench/clock';
import { type LineErrorKind, lineErrorOf } from './line-errors.ts';
import { errorName } from './session-failure.ts';

/** Milliseconds between an overrun and the one retry (specification, section 9). */
const OVERRUN_RETRY_DELAY = 1_000;
/** Errors in a row without a byte between them, after which reading takes breath, so that a stuck line leaves time for others. */
const BREATHLESS_ERRORS = 16;
const BREATH = 10;

export interface ReadEvents {
  readonly bytes: (bytes: Uint8Array) => void;
  readonly lineError: (kind: LineErrorKind) => void;
  /** @param final the second one: reading ends. */
  readonly overrun: (final: boolean) => void;
}

export type ReadEnd =
  | { readonly reason: 'stopped' }
  | { readonly reason: 'lost' }
  | { readonly reason: 'overrun' }
  | { readonly reason: 'receive-failed'; readonly error: unknown };

export class ReadLoop {
  readonly #device: SerialPort;
  readonly #clock: Clock;
  readonly #events: ReadEvents;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #stopped = false;
  #pause: AbortController | null = null;
  /** The one retry of this connection is used up. */
  #retried = false;
  #errorsInARow = 0;

  constructor(device: SerialPort, clock: Clock, events: ReadEvents) {
    this.#device = device;
    this.#clock = clock;
    this.#events = events;
  }

  /** Resolves when reading has ended and the stream is unlocked; never rejects for what the port does. */
  async run(): Promise<ReadEnd> {
    while (!this.#stopped) {
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

  /** Ends reading; `run` resolves. */
  async stop(): Promise<void> {
    this.#stopped = true;
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
    if (this.#stopped) {
      return { reason: 'stopped' };
    }
    // A stream that ends without an error was closed by somebody else.
    return failure === null ? { reason: 'lost' } : this.#survive(failure.error);
  }

  /** Hands on bytes until the stream ends (null) or fails. */
  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<{ readonly error: unknown } | null> {
    for (;;) {
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
      if (++this.#errorsInARow > BREATHLESS_ERRORS) {
        await this.#rest(BREATH);
      }
      return null;
    }
    if (errorName(error) === 'BufferOverrunError') {
      return this.#surviveOverrun();
    }
    return errorName(error) === 'NetworkError' ? { reason: 'lost' } : { reason: 'receive-failed', error };
  }

  async #surviveOverrun(): Promise<ReadEnd | null> {
    const final = this.#retried;
    this.#retried = true;
    this.#events.overrun(final);
    if (final) {
      return { reason: 'overrun' };
    }
    await this.#rest(OVERRUN_RETRY_DELAY);
    return null;
  }

  async #rest(duration: number): Promise<void> {
    const pause = new AbortController();
    this.#pause = pause;
    await this.#clock.sleep(duration, pause.signal).catch(() => undefined);
    this.#pause = null;
  }
}
