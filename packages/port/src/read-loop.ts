/**
 * Reads an open port until it is stopped or cannot continue. It survives errors after which Web Serial offers a new
 * stream (W3C Web Serial: after a non-fatal error `readable` gives another stream).
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from './error-name.ts';
import { type LineErrorKind, lineErrorOf } from './line-error.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Time between an overrun and the one retry, in milliseconds (docs/behaviour.md, "Ports"). */
const OVERRUN_RETRY_DELAY = 1_000;
/**
 * Errors in a row, without a byte between them, after which reading pauses. A stuck line must leave time for other
 * work.
 */
const ERRORS_WITHOUT_PAUSE = 16;
/** Length of each such pause, in milliseconds. */
const ERROR_PAUSE = 10;

/**
 * Reaction to a buffer overrun. `retry-once`: reading continues after a pause, and the second overrun of a connection
 * ends it, because the shown log has gaps. `read-on`: reading continues at once, any number of times, for callers
 * with checksums and deadlines.
 */
export type OverrunPolicy = 'retry-once' | 'read-on';

export interface ReadEvents {
  readonly bytes: (bytes: Uint8Array) => void;
  /**
   * Called before each read. Reading waits for the returned promise, which stops a device with hardware flow control.
   */
  readonly room?: () => Promise<void> | null;
  readonly lineError: (kind: LineErrorKind) => void;
  /** @param final True: reading ends. */
  readonly overrun: (final: boolean) => void;
}

export type ReadEnd =
  | { readonly reason: 'stopped' }
  /** The device is gone. Without `error`, the stream just ended. */
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
  /** True once the one retry of this connection is used up. */
  #retried = false;
  #errorsInARow = 0;

  constructor(device: SerialPort, clock: Clock, overruns: OverrunPolicy, events: ReadEvents) {
    this.#device = device;
    this.#clock = clock;
    this.#overruns = overruns;
    this.#events = events;
  }

  /** Resolves when reading has ended and the stream is unlocked. Never rejects because of the port. */
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

  /** Ends reading, even while it waits for room. `run` then resolves. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#reader?.cancel();
  }

  /** Ends a pause early, because the port must be looked at now. */
  wake(): void {
    this.#pause?.abort();
  }

  /** Reads one stream to its end. Returns null if a new stream may be read. */
  async #readStream(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadEnd | null> {
    this.#reader = reader;
    const failure = await this.#pump(reader);
    this.#reader = null;
    reader.releaseLock();
    if (this.#stopping.signal.aborted) {
      return { reason: 'stopped' };
    }
    // A stream that ends without an error was closed from outside this loop.
    return failure === null ? { reason: 'lost' } : this.#survive(failure.error);
  }

  /** Passes bytes on until the stream ends (null) or fails. */
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
