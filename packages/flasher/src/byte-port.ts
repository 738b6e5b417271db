/**
 * What the clients of all bootloaders speak: bytes out, bytes in until something is complete, control lines, another baud
 * rate, close. Made from any W3C `SerialPort`. Reading is driven by arrival, never by polling; an unplugged device ends
 * whoever waits. Knows no protocol.
 */
import type { Clock } from '@wirebench/clock';
import {
  type AwaitedFrame,
  type ControlLines,
  defaultPortSettings,
  type ExpectedBytes,
  type LineStep,
  type LinkEnd,
  OpenError,
  type OpenFailure,
  openPort,
  type PortOpening,
  type PortSettings,
  playSteps,
  type RemoteTiming,
  remoteTimingOf,
  SerialLink,
  setControlLines,
  stepPlayerOf,
  wireTime,
} from '@wirebench/serial/port';
import { PortError, type PortFailure } from './port-failure.ts';

export interface BytePortSettings {
  /** Symbols a second, 1 to 2³² − 1. */
  readonly baudRate: number;
  /** `none` when left out. Eight data bits and one stop bit always. */
  readonly parity?: ParityType;
}

/** A rate that the driver does not know and settings that the browser refuses are one to a flasher. */
const openFailures = {
  busy: 'port-busy',
  'permission-denied': 'permission-denied',
  'device-gone': 'port-gone',
  'bad-settings': 'open-failed',
  'open-failed': 'open-failed',
} satisfies Record<OpenFailure, PortFailure>;

interface Waiting {
  readonly take: (bytes: Uint8Array) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Opens `device`; the driver raises DTR and RTS, both at once.
 * @throws PortError; the reason of `signal` when it aborts, and then the port is closed again.
 */
export function openBytePort(
  device: SerialPort,
  settings: BytePortSettings,
  clock: Clock,
  signal?: AbortSignal,
): Promise<BytePort> {
  const all = { ...defaultPortSettings, ...settings };
  return openOrFail(clock, { device, settings: all, signal, onOpen: () => new BytePort(device, all, clock) });
}

/** Comes from `openBytePort`. */
export class BytePort {
  readonly device: SerialPort;
  readonly #clock: Clock;
  /** Of a board that is somewhere else. */
  readonly #remote: RemoteTiming | null;
  #settings: PortSettings;
  #link: SerialLink;
  /** Arrived while nobody waited. */
  readonly #chunks: Uint8Array[] = [];
  #waiting: Waiting | null = null;
  readonly #over = new AbortController();
  #lineErrors = 0;

  /** @param device open, and nobody reads or writes it. */
  constructor(device: SerialPort, settings: PortSettings, clock: Clock) {
    this.device = device;
    this.#settings = settings;
    this.#clock = clock;
    this.#remote = remoteTimingOf(device);
    this.#link = this.#start(settings);
  }

  get clock(): Clock {
    return this.#clock;
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

  /** Whether a request can wait at the board for the answer to the one before it, so that it is there at once. */
  get canWriteAhead(): boolean {
    return this.#remote !== null;
  }

  /** Whether a write can wait at the board until the board has sent exactly what is expected, so that no round trip passes before it. */
  get canExpectBytes(): boolean {
    return this.#remote?.canExpectBytes ?? false;
  }

  /** Milliseconds that `count` bytes occupy the wire at the rate of now. */
  wireTime(count: number): number {
    return wireTime(this.#settings, count);
  }

  /**
   * Sends bytes with one call to the port; they must not change until the other side has answered. Who waits for that
   * answer hears of a device that is gone.
   * @param after what the board has to send first: a frame only where `canWriteAhead`, bytes only where `canExpectBytes`.
   */
  write(bytes: Uint8Array, after: AwaitedFrame | ExpectedBytes | null = null): void {
    // The port tells writes that wait apart by their array: the caller's may be written a second time.
    const written = after === null ? bytes : bytes.slice();
    if (after !== null) {
      this.#remote?.writeAfter(written, after);
    }
    this.#link.send(written).catch(() => undefined);
  }

  /** Drops what waits at the board for an answer. */
  dropWaiting(): void {
    this.#remote?.dropWaiting();
  }

  /**
   * Hands bytes to `take` in the order of their arrival until it gives something, and gives that; null when that takes
   * longer than `limit` milliseconds; at a board that is somewhere else these are counted there.
   * `take` has consumed what it was given. One caller at a time.
   * @throws PortError when the device is gone; the reason of `signal` when it aborts; what `take` throws.
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
      let isOver = false;
      const onAbort = () => end(() => reject(signal?.reason));
      const end = (settle: () => void) => {
        isOver = true;
        cancel();
        signal?.removeEventListener('abort', onAbort);
        this.#waiting = null;
        settle();
      };
      const late = () => end(() => resolve(null));
      const expire = async () => {
        const left = await this.#timeLeft(limit);
        if (!isOver) {
          // What has arrived is read before the wait ends.
          cancel = this.#clock.schedule(Math.max(left, 0), left > 0 ? () => void expire() : late);
        }
      };
      let cancel = this.#clock.schedule(limit, this.#remote === null ? late : () => void expire());
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting = {
        take: (bytes) => {
          try {
            const result = take(bytes);
            if (result !== undefined) {
              end(() => resolve(result));
            }
          } catch (error) {
            end(() => reject(error));
          }
        },
        fail: (error) => end(() => reject(error)),
      };
    });
  }

  /** Hands on what has arrived while nobody waited. */
  takeWaiting(take: (bytes: Uint8Array) => void): void {
    for (const chunk of this.#chunks.splice(0)) {
      take(chunk);
    }
  }

  /** Sets both control lines with one call, where the port has any. */
  async setLines(dtr: boolean, rts: boolean): Promise<void> {
    // A device that is gone ends the reading; all else is a port without such lines, which is used all the same.
    await setControlLines(this.device, { dtr, rts }).catch(() => undefined);
  }

  /**
   * Closes the device and opens it with other settings: there is no other way to change the rate (W3C Web Serial, `open()`).
   * The lines end raised, both. What was received before is kept.
   * @throws PortError: with `open-failed` the port is open as it was, else it is closed.
   */
  async reopen(settings: BytePortSettings): Promise<void> {
    this.#over.signal.throwIfAborted();
    await this.#link.close('drop');
    try {
      await this.#openAgain({ ...defaultPortSettings, ...settings }).catch(async (error: unknown) => {
        if (error instanceof PortError && error.code === 'open-failed') {
          await this.#openAgain(this.#settings);
        }
        throw error;
      });
    } catch (error) {
      if (this.#link.over.aborted) {
        this.#end(error);
      }
      throw error;
    }
  }

  /** Bounded in time; never rejects. */
  async close(): Promise<void> {
    this.#end(new DOMException('The port is closed.', 'AbortError'));
    await this.#link.close('drop');
  }

  /** Leaves the device closed when this port was closed meanwhile. */
  async #openAgain(settings: PortSettings): Promise<void> {
    const { device } = this;
    await openOrFail(this.#clock, {
      device,
      settings,
      signal: this.over,
      onOpen: () => {
        this.#link = this.#start(settings);
        this.#settings = settings;
      },
    });
  }

  #start(settings: PortSettings): SerialLink {
    const countError = () => {
      this.#lineErrors++;
    };
    const link = new SerialLink(
      this.#clock,
      { device: this.device, settings, overruns: 'read-on' },
      {
        bytes: (bytes) => this.#receive(bytes),
        lineError: countError,
        overrun: countError,
        ended: (end) => this.#end(lossOf(end)),
      },
    );
    link.start();
    return link;
  }

  /** Milliseconds of `limit` that the board has not had yet, because what was written took its time to get there. */
  async #timeLeft(limit: number): Promise<number> {
    try {
      return limit - ((await this.#remote?.timeToAnswer()) ?? limit);
    } catch {
      // A port that is gone ends the wait by itself.
      return 0;
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#waiting === null) {
      this.#chunks.push(bytes);
    } else {
      this.#waiting.take(bytes);
    }
  }

  #end(reason: unknown): void {
    if (!this.#over.signal.aborted) {
      this.#over.abort(reason);
      this.#waiting?.fail(reason);
    }
  }
}

/**
 * Sets the lines of `port` step by step; a port that is somewhere else plays them there.
 * @param release how an abort leaves the lines; left out: as they are then.
 * @param afterLoss what a port that is somewhere else plays when this client is gone for good; left out: both lines are lowered.
 * @throws the reason of `signal`; PortError when the device is gone.
 */
export async function playLines(
  clock: Clock,
  port: BytePort,
  steps: readonly LineStep[],
  signal: AbortSignal,
  release?: ControlLines,
  afterLoss: readonly LineStep[] = [],
): Promise<void> {
  const set = ({ dtr, rts }: ControlLines) => port.setLines(dtr, rts);
  const until = AbortSignal.any([signal, port.over]);
  const player = stepPlayerOf(port.device);
  if (player === null) {
    return playSteps(clock, steps, set, until, release);
  }
  // What fails besides is what `setLines` passes over, too.
  await player.playSteps(steps, until, afterLoss).catch(() => undefined);
  if (until.aborted && release !== undefined) {
    await set(release);
  }
  until.throwIfAborted();
}

/** @throws PortError; the reason of the opening's signal. */
async function openOrFail<Result>(clock: Clock, opening: PortOpening<Result>): Promise<Result> {
  try {
    return await openPort(clock, opening);
  } catch (error) {
    throw error instanceof OpenError ? new PortError(openFailures[error.code], { cause: error.cause }) : error;
  }
}

function lossOf(end: LinkEnd): PortError {
  const cause = 'error' in end ? end.error : undefined;
  return new PortError(end.reason === 'lost' ? 'unplugged' : 'port-failed', { cause });
}
