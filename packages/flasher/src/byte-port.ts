/**
 * The port of every bootloader client, made from any W3C `SerialPort`: writes, waits for complete answers, sets
 * control lines, changes the baud rate. Reads follow the arrival of bytes and never poll. An unplugged device ends a
 * pending wait.
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
} from '@wirebench/port';
import { PortError, type PortFailure } from './port-failure.ts';

export interface BytePortSettings {
  /** Symbols per second, 1 to 2³² − 1. */
  readonly baudRate: number;
  /** Default `none`. The port always uses eight data bits and one stop bit. */
  readonly parity?: ParityType;
}

/**
 * Failure to open → code of a flasher. A rate that the driver does not know and settings that the browser refuses
 * share one code.
 */
const openFailures = {
  busy: 'port-busy',
  'permission-denied': 'permission-denied',
  'device-gone': 'port-gone',
  'bad-settings': 'open-failed',
  'open-failed': 'open-failed',
} satisfies Record<OpenFailure, PortFailure>;

/** Silence after which a bootloader has finished its answers, in milliseconds. */
const SILENCE = 20;
/** Longest wait for silence, in milliseconds. */
const SILENCE_LIMIT = 300;

interface Waiting {
  readonly take: (bytes: Uint8Array) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Opens `device`. The driver raises DTR and RTS together.
 *
 * @throws PortError if opening fails.
 * @throws the reason of `signal` if it aborts; the port is closed then.
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

/** An open port. `openBytePort` creates it. */
export class BytePort {
  readonly device: SerialPort;
  readonly #clock: Clock;
  /** Timing of a remote board; null for a local one. */
  readonly #remote: RemoteTiming | null;
  #settings: PortSettings;
  #link: SerialLink;
  /** Chunks that arrived while no call was waiting. */
  readonly #chunks: Uint8Array[] = [];
  #waiting: Waiting | null = null;
  readonly #over = new AbortController();
  #lineErrors = 0;

  /** @param device Open port with its streams unlocked. */
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

  /** Aborts with a `PortError` if the device is gone, and when the port is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Number of framing, parity, break and overrun errors since the port was opened. */
  get lineErrors(): number {
    return this.#lineErrors;
  }

  /** True: a request can wait beside a remote board for the answer to the previous request. It saves a round trip. */
  get canWriteAhead(): boolean {
    return this.#remote !== null;
  }

  /** True: a write can wait beside a remote board until the board has sent exact bytes. It saves a round trip. */
  get canExpectBytes(): boolean {
    return this.#remote?.canExpectBytes ?? false;
  }

  /** Returns the milliseconds that `count` bytes take on the wire at the current rate. */
  wireTime(count: number): number {
    return wireTime(this.#settings, count);
  }

  /**
   * Sends bytes with one call to the port. They must not change until the device has answered. Errors are not
   * reported here: the wait for the answer rejects if the device is gone.
   *
   * @param after What the board has to send before this is written: a frame only if `canWriteAhead`, bytes only if
   *   `canExpectBytes`.
   */
  write(bytes: Uint8Array, after: AwaitedFrame | ExpectedBytes | null = null): void {
    // The port tells pending writes apart by their array, and the caller may write the same array twice.
    const written = after === null ? bytes : bytes.slice();
    if (after !== null) {
      this.#remote?.writeAfter(written, after);
    }
    this.#link.send(written).catch(() => undefined);
  }

  /** Drops the writes that wait beside a remote board for an answer. */
  dropWaiting(): void {
    this.#remote?.dropWaiting();
  }

  /**
   * Passes bytes to `take` in the order of their arrival until it returns a result, and resolves with that. Resolves
   * with null after `limit` milliseconds; for a remote board they are counted at the board. `take` consumes all bytes
   * that it gets. Only one call may wait at a time.
   *
   * @throws PortError if the device is gone.
   * @throws the reason of `signal` if it aborts, and errors of `take`.
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
          // Zero delay: bytes that have already arrived are read before the wait ends.
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

  /**
   * Waits until nothing has arrived for 20 ms, at most 300 ms. Passes everything before that to `take`.
   *
   * @throws PortError if the device is gone.
   * @throws the reason of `signal` if it aborts.
   */
  async untilSilent(take: (bytes: Uint8Array) => void, signal?: AbortSignal): Promise<void> {
    let heard = true;
    for (let waited = 0; heard && waited < SILENCE_LIMIT; waited += SILENCE) {
      heard = false;
      await this.until(
        (bytes) => {
          heard = true;
          take(bytes);
          return undefined;
        },
        SILENCE,
        signal,
      );
    }
  }

  /** Passes the chunks that arrived while no call was waiting to `take`. */
  takeWaiting(take: (bytes: Uint8Array) => void): void {
    for (const chunk of this.#chunks.splice(0)) {
      take(chunk);
    }
  }

  /** Sets both control lines with one call, if the port has them. */
  async setLines(dtr: boolean, rts: boolean): Promise<void> {
    // If the device is gone, reading ends and reports it. Any other error means a port without these lines, which is
    // still usable.
    await setControlLines(this.device, { dtr, rts }).catch(() => undefined);
  }

  /**
   * Closes the device and opens it with other settings, the only way to change the rate (W3C Web Serial, `open()`).
   * Afterwards both lines are raised. Bytes received before are kept.
   *
   * @throws PortError. With `open-failed` the port is open with its old settings, otherwise it is closed.
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

  /** Closes the device. Limited in time; never rejects. */
  async close(): Promise<void> {
    this.#end(new DOMException('The port is closed.', 'AbortError'));
    await this.#link.close('drop');
  }

  /** Opens the device again, unless this port was closed in the meantime. */
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

  /**
   * Returns the milliseconds of `limit` that remain at a remote board, because the written bytes took time to reach
   * it.
   */
  async #timeLeft(limit: number): Promise<number> {
    try {
      return limit - ((await this.#remote?.timeToAnswer()) ?? limit);
    } catch {
      // If the port is gone, the wait ends without this result.
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
 * Sets the control lines of `port` step by step. A remote port plays the steps itself.
 *
 * @param release Lines to set after an abort. Default: they keep their state.
 * @param afterLoss Steps that a remote port plays if this client disconnects for good. Default: it lowers both lines.
 * @throws the reason of `signal`, or PortError if the device is gone.
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
  // Other errors mean a port without control lines, as in `setLines`.
  await player.playSteps(steps, until, afterLoss).catch(() => undefined);
  if (until.aborted && release !== undefined) {
    await set(release);
  }
  until.throwIfAborted();
}

/**
 * @throws PortError if opening fails.
 * @throws the reason of the opening's signal.
 */
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
