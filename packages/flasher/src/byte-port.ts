/**
 * What the clients of all bootloaders speak: bytes out, bytes in until something is complete, control lines, another baud
 * rate, close. Made from any W3C `SerialPort`. Reading is driven by arrival, never by polling; an unplugged device ends
 * whoever waits. Knows no protocol.
 */
import type { Clock } from '@wirebench/clock';
import { errorName, openFailureOf, PortError, type PortFailure } from './port-failure.ts';

/** The browser's default of 255 bytes is read in tiny pieces and takes a block in as many. */
const BUFFER_BYTES = 1 << 20;
/** Longest wait for a system that is asked to let go of a port, in milliseconds. */
const CLOSE_LIMIT = 2_000;
/** From the news that a device vanished until reading must have ended by itself, in milliseconds. */
const VANISH_LIMIT = 500;
/** Line errors in a row without a byte between them, after which reading takes breath. */
const BREATHLESS_ERRORS = 16;
const BREATH = 10;

/** Errors after which `readable` gives another stream (W3C Web Serial, `readable`). */
const survivable: ReadonlySet<string> = new Set(['FramingError', 'ParityError', 'BreakError', 'BufferOverrunError']);

export interface BytePortSettings {
  /** Symbols a second, 1 to 2³² − 1. */
  readonly baudRate: number;
  /** `none` when left out. Eight data bits and one stop bit always. */
  readonly parity?: ParityType;
}

interface Waiting {
  readonly take: (bytes: Uint8Array) => boolean;
  readonly fail: (error: unknown) => void;
}

/**
 * Opens `device`; the driver raises DTR and RTS, both at once.
 * @throws PortError; the reason of `signal` when it aborts, and then the port is closed again.
 */
export async function openBytePort(
  device: SerialPort,
  settings: BytePortSettings,
  clock: Clock,
  signal?: AbortSignal,
): Promise<BytePort> {
  signal?.throwIfAborted();
  await openDevice(device, settings);
  const port = new BytePort(device, settings, clock);
  if (signal?.aborted) {
    await port.close();
    signal.throwIfAborted();
  }
  return port;
}

/** Comes from `openBytePort`. */
export class BytePort {
  readonly device: SerialPort;
  readonly #clock: Clock;
  #settings: BytePortSettings;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #reading: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Arrived while nobody waited. */
  readonly #chunks: Uint8Array[] = [];
  #waiting: Waiting | null = null;
  readonly #over = new AbortController();
  #cancelVanish: (() => void) | null = null;
  #lineErrors = 0;

  /** @param device open, and nobody reads or writes it. */
  constructor(device: SerialPort, settings: BytePortSettings, clock: Clock) {
    this.device = device;
    this.#settings = settings;
    this.#clock = clock;
    // Chromium never calls a listener that was added with `once`.
    device.addEventListener('disconnect', this.#onDisconnect);
    this.#start();
  }

  get baudRate(): number {
    return this.#settings.baudRate;
  }

  /** Aborts with a `PortError` when the device is gone, and when the port is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Framing, parity and break errors, and overruns, since the port was opened. */
  get lineErrors(): number {
    return this.#lineErrors;
  }

  /** Milliseconds that `count` bytes occupy the wire at the rate of now. */
  wireTime(count: number): number {
    const bitsPerByte = (this.#settings.parity ?? 'none') === 'none' ? 10 : 11;
    return (count * bitsPerByte * 1_000) / this.#settings.baudRate;
  }

  /**
   * Sends bytes with one call to the port; they must not change until the other side has answered. Who waits for that
   * answer hears of a device that is gone.
   */
  write(bytes: Uint8Array): void {
    this.#writer?.write(bytes).catch((error: unknown) => {
      if (!this.#stopped) {
        this.#fail(errorName(error) === 'NetworkError' ? 'unplugged' : 'port-failed', error);
      }
    });
  }

  /**
   * Hands bytes to `take` in the order of their arrival until it gives something, and gives that; null when that takes
   * longer than `limit` milliseconds. `take` has consumed what it was given. One caller at a time.
   * @throws PortError when the device is gone; the reason of `signal` when it aborts.
   */
  until<Result>(
    take: (bytes: Uint8Array) => Result | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Result | null> {
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      const result = take(chunk);
      if (result !== undefined) {
        return Promise.resolve(result);
      }
    }
    if (this.#over.signal.aborted || signal?.aborted) {
      return Promise.reject(signal?.aborted ? signal.reason : this.#over.signal.reason);
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => end(() => reject(signal?.reason));
      const end = (settle: () => void) => {
        cancel();
        signal?.removeEventListener('abort', onAbort);
        this.#waiting = null;
        settle();
      };
      const cancel = this.#clock.schedule(limit, () => end(() => resolve(null)));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting = {
        take: (bytes) => {
          const result = take(bytes);
          if (result === undefined) {
            return false;
          }
          end(() => resolve(result));
          return true;
        },
        fail: (error) => end(() => reject(error)),
      };
    });
  }

  /** Sets both control lines with one call. False when this port has none, or they cannot be set. */
  async setLines(dtr: boolean, rts: boolean): Promise<boolean> {
    try {
      await this.device.setSignals({ dataTerminalReady: dtr, requestToSend: rts });
      return true;
    } catch {
      // A device that is gone ends the reading; all else is a port without such lines.
      return false;
    }
  }

  /**
   * Closes the device and opens it with other settings: there is no other way to change the rate (W3C Web Serial, `open()`).
   * The lines end raised, both. What was received before is kept.
   * @throws PortError: with `open-failed` the port is open as it was, else it is closed.
   */
  async reopen(settings: BytePortSettings): Promise<void> {
    if (this.#over.signal.aborted) {
      throw this.#over.signal.reason;
    }
    await this.#release();
    try {
      await openDevice(this.device, settings).catch(async (error: unknown) => {
        if (error instanceof PortError && error.code === 'open-failed') {
          await openDevice(this.device, this.#settings);
          this.#start();
        }
        throw error;
      });
    } catch (error) {
      if (this.#stopped) {
        this.#end(error);
      }
      throw error;
    }
    this.#settings = settings;
    this.#start();
  }

  /** Bounded in time; never rejects. */
  async close(): Promise<void> {
    this.#end(new DOMException('The port is closed.', 'AbortError'));
    await this.#release();
  }

  #start(): void {
    this.#stopped = false;
    this.#writer = this.device.writable?.getWriter() ?? null;
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    let errorsInARow = 0;
    while (!this.#stopped) {
      const readable = this.device.readable;
      if (readable === null) {
        this.#fail('unplugged');
        return;
      }
      const reader = readable.getReader();
      this.#reader = reader;
      try {
        for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
          errorsInARow = 0;
          this.#receive(value);
        }
        if (!this.#stopped) {
          this.#fail('unplugged');
        }
        return;
      } catch (error) {
        if (!survivable.has(errorName(error))) {
          this.#fail(errorName(error) === 'NetworkError' ? 'unplugged' : 'port-failed', error);
          return;
        }
        this.#lineErrors++;
        if (++errorsInARow > BREATHLESS_ERRORS) {
          await this.#clock.sleep(BREATH);
        }
      } finally {
        this.#reader = null;
        reader.releaseLock();
      }
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#waiting === null) {
      this.#chunks.push(bytes);
    } else {
      this.#waiting.take(bytes);
    }
  }

  readonly #onDisconnect = (): void => {
    // What the device sent before it vanished is read first; only a reading that hangs is cut short.
    this.#cancelVanish ??= this.#clock.schedule(VANISH_LIMIT, () => this.#fail('unplugged'));
  };

  #fail(code: PortFailure, cause?: unknown): void {
    if (!this.#stopped) {
      this.#end(new PortError(code, { cause }));
    }
  }

  #end(reason: unknown): void {
    this.#cancelVanish?.();
    this.device.removeEventListener('disconnect', this.#onDisconnect);
    if (!this.#over.signal.aborted) {
      this.#over.abort(reason);
      this.#waiting?.fail(reason);
    }
  }

  /** Lets go of both streams and closes the device. */
  async #release(): Promise<void> {
    this.#stopped = true;
    const writer = this.#writer;
    this.#writer = null;
    await this.#bounded(this.#reader?.cancel());
    await this.#bounded(this.#reading);
    if (writer !== null) {
      await this.#bounded(writer.abort(new DOMException('The port is closed.', 'AbortError')));
      writer.releaseLock();
    }
    await this.#bounded(this.device.close());
  }

  /** What a system does not do in time, or refuses, does not keep anybody here. */
  async #bounded(work: Promise<unknown> | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.schedule(CLOSE_LIMIT, resolve);
      const done = () => {
        cancel();
        resolve();
      };
      Promise.resolve(work).then(done, done);
    });
  }
}

async function openDevice(device: SerialPort, { baudRate, parity = 'none' }: BytePortSettings): Promise<void> {
  try {
    await device.open({ baudRate, dataBits: 8, stopBits: 1, parity, flowControl: 'none', bufferSize: BUFFER_BYTES });
  } catch (error) {
    throw new PortError(openFailureOf(error, device), { cause: error });
  }
}
