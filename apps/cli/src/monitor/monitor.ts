/** `wirebench monitor`: up to four ports on one timeline, shown, kept in a log, and answered by keys. */
import { systemClock } from '@wirebench/clock';
import { whenAborted } from '@wirebench/port';
import {
  type AnswerWatch,
  Bench,
  type PortNumber,
  portNumbers,
  RateWatch,
  type Rule,
  rateSignText,
  SessionError,
} from '@wirebench/serial';
import { type AwaitedTexts, type CameText, forbiddenText, missedText, readAwaited, watchFor } from '../awaited-text.ts';
import { BoardScreen } from '../board-screen.ts';
import { paintFor } from '../colours.ts';
import { listOf, type OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import {
  absentPort,
  type GivenPort,
  givenPorts,
  holdersText,
  presentPort,
  refuseTwice,
  serialOf,
} from '../given-ports.ts';
import { interruption } from '../interruption.ts';
import { type GivenSettings, oneOf, readPieces, readSettings, readTimeout } from '../port-options.ts';
import { BoardKeys, enterWords } from './keys.ts';
import { LineView, lineLevels, timeFormats } from './line-view.ts';
import type { LiveCrashes } from './live-crashes.ts';
import { LogFile, type LogRotation, readRotation } from './log-file.ts';
import { readRuleFiles, ShownRules } from './shown-rules.ts';

/** Bytes kept of each port for a reader that is behind. */
const RING_BYTES = 16 * 1_024 * 1_024;
/** Pause between two looks at open lines and at the log, in milliseconds. */
const TICK = 100;

/** The ports of a monitor: of the system, or one simulated board. */
interface Source {
  readonly ports: readonly GivenPort[];
  readonly serial: Serial;
  /** Returns null while the port is not there. */
  find(port: GivenPort): Promise<SerialPort | null>;
  /** Looks for ports that come and go until the signal aborts. */
  watch(signal: AbortSignal): Promise<void>;
}

export async function runMonitor(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const settings = readSettings(options);
  const rules = await readRuleFiles(listOf(options['rules']));
  const source = await sourceOf(given, options, settings);
  const monitor = new Monitor(source, settings, options, rules);
  return monitor.run();
}

async function sourceOf(given: readonly string[], options: OptionValues, { native }: GivenSettings): Promise<Source> {
  const model = options['simulate'];
  if (typeof model === 'string') {
    const { simulatedPort } = await import('../simulated-boards.ts');
    const { port, serial } = await simulatedPort(model);
    const label = { name: model, path: model, label: model };
    return { ports: [label], serial, find: async () => port, watch: async () => undefined };
  }
  if (given.length > portNumbers.length) {
    throw new CommandError(exitCodes.usage, 'name one to four ports, or --simulate <model>.');
  }
  const ports = await givenPorts(given);
  await refuseTwice(ports);
  const serial = serialOf(ports);
  return {
    ports,
    serial,
    find: (port) => presentPort(serial, port, native),
    watch: (signal) => serial.watch(systemClock, signal),
  };
}

class Monitor {
  readonly #source: Source;
  readonly #given: GivenSettings;
  readonly #options: OptionValues;
  readonly #interruption = interruption();
  /** Aborts with the exit code. */
  readonly #end = new AbortController();
  readonly #bench: Bench;
  readonly #rates = new Map<PortNumber, RateWatch>();
  readonly #awaited: AwaitedTexts;
  /** Watches of the ports. With `--reset`, that of a port begins when its board leaves its reset. */
  readonly #watches = new Map<PortNumber, AnswerWatch | null>();
  /** Settles when every board was restarted. */
  #restarts: Promise<unknown> = Promise.resolve();
  readonly #labels: Readonly<Partial<Record<PortNumber, string>>>;
  readonly #lines: LineView;
  readonly #raw: RawView | null;
  readonly #screen: BoardScreen;
  readonly #rotation: LogRotation | null;
  #log: LogFile | null = null;
  #crashes: LiveCrashes | null = null;
  #isPrinting = false;
  #isBehind = false;
  readonly #keys: BoardKeys;
  readonly #rules: ShownRules | null;

  constructor(source: Source, given: GivenSettings, options: OptionValues, rules: readonly Rule[]) {
    this.#source = source;
    this.#given = given;
    this.#options = options;
    this.#awaited = readAwaited(options);
    this.#rotation = readRotation(options);
    const numbers = portNumbers.slice(0, source.ports.length);
    if (options['reset'] !== true) {
      for (const port of numbers) {
        this.#watch(port);
      }
    }
    this.#labels = Object.fromEntries(source.ports.map(({ label }, index) => [index + 1, label]));
    this.#bench = new Bench({
      clock: systemClock,
      ringBytes: RING_BYTES,
      reconnect: options['reconnect'] !== false,
      onChange: () => this.#changed(),
      onReceived: (port, bytes, at) => this.#received(port, bytes, at),
    });
    this.#keys = new BoardKeys({
      bench: this.#bench,
      ports: source.ports,
      settings: given.settings,
      enter: oneOf(options['enter'], '--enter', enterWords) ?? 'cr',
      quit: () => this.#finish(exitCodes.ok),
    });
    const pieces = readPieces(options);
    for (const port of numbers) {
      this.#bench.setPieces(port, pieces);
    }
    const time = oneOf(options['timeFormat'], '--time-format', timeFormats);
    const level = oneOf(options['level'] === 'warn' ? 'warning' : options['level'], '--level', lineLevels);
    const areLines =
      options['time'] === true || options['json'] === true || time !== null || level !== null || rules.length > 0;
    const isRaw = numbers.length === 1 && !areLines;
    const returns = oneOf(options['newline'], '--newline', ['auto', 'cr', 'lf'] as const) ?? 'auto';
    this.#screen = new BoardScreen(options['raw'] === true, returns);
    this.#raw = isRaw ? new RawView(this.#bench, 1, (bytes) => this.#screen.write(bytes)) : null;
    this.#rules = rules.length === 0 ? null : new ShownRules(this.#bench, rules);
    this.#lines = new LineView({
      bench: this.#bench,
      clock: systemClock,
      labels: this.#labels,
      format: options['json'] === true ? 'json' : 'text',
      time: time ?? 'clock',
      level,
      rules: this.#rules,
      paint: paintFor(isRaw ? process.stderr : process.stdout),
      ...(isRaw && { channels: ['notices'] }),
      write: (text, isNotice) => {
        const isError = isNotice && options['json'] !== true;
        // A raw terminal does not return the carriage.
        const line = process.stdin.isRaw === true ? text.replace('\n', '\r\n') : text;
        if (isError) {
          // Only the reader of the boards' lines can be behind.
          process.stderr.write(line);
          return true;
        }
        return process.stdout.write(line);
      },
    });
  }

  async run(): Promise<ExitCode> {
    const { log } = this.#options;
    const stop = AbortSignal.any([this.#end.signal, this.#interruption.signal]);
    if (typeof log === 'string') {
      const feed = this.#bench.logFeed({ ports: portNumbers, portNames: this.#labels });
      this.#log = await LogFile.open(log, feed, this.#rotation, (reason) => {
        this.#bench.notice('error', `The log ends here: ${reason}. The ports stay open.`, null);
      });
    }
    const { elf } = this.#options;
    if (Array.isArray(elf) && elf.length > 0) {
      const [{ openFiles }, { LiveCrashes }] = await Promise.all([import('../crash.ts'), import('./live-crashes.ts')]);
      const numbers = portNumbers.slice(0, this.#source.ports.length);
      this.#crashes = new LiveCrashes(this.#bench, systemClock, numbers, await openFiles(elf));
    }
    const timeout = readTimeout(this.#options);
    const cancelTimeout =
      timeout === null
        ? () => undefined
        : systemClock.schedule(timeout, () => this.#finish(this.#codeOfTimeout(timeout)));
    process.stdout.on('drain', () => {
      this.#isBehind = false;
      this.#changed();
    });
    let restoreKeys: () => void = () => undefined;
    const ticks = setInterval(() => this.#tick(), TICK);
    try {
      const watching = this.#source.watch(stop);
      this.#source.serial.addEventListener('connect', (event) => this.#appeared(event.target as SerialPort));
      await this.#openAll(stop);
      if (this.#options['reset'] === true) {
        this.#restarts = this.#resetBoards(stop);
        await this.#restarts;
      }
      restoreKeys = this.#options['tty'] === false ? restoreKeys : this.#keys.take();
      await whenAborted(stop);
      await watching;
      return this.#exitCode();
    } finally {
      cancelTimeout();
      clearInterval(ticks);
      for (const watch of this.#watches.values()) {
        watch?.stop();
      }
      restoreKeys();
      await this.#crashes?.end();
      this.#rules?.dispose();
      await this.#bench.dispose();
      this.#print(true);
      this.#screen.end();
      await this.#log?.close();
    }
  }

  #exitCode(): ExitCode {
    return this.#end.signal.aborted ? (this.#end.signal.reason as ExitCode) : this.#interruption.exitCode();
  }

  #codeOfTimeout(timeout: number): ExitCode {
    const { until } = this.#awaited;
    if (until === null) {
      return exitCodes.ok;
    }
    this.#bench.notice('error', missedText(until, timeout), null);
    return exitCodes.failed;
  }

  #came(port: PortNumber, { code, forbidden }: CameText): void {
    if (forbidden !== null && !this.#end.signal.aborted) {
      this.#bench.notice('error', forbiddenText(forbidden), port);
    }
    // The other boards have to leave their resets, too.
    const finish = () => this.#finish(code);
    void this.#restarts.then(finish, finish);
  }

  #finish(code: ExitCode): void {
    this.#end.abort(code);
  }

  /** Opens every port. @throws CommandError for a port that does not open. */
  async #openAll(stop: AbortSignal): Promise<void> {
    for (const [index, given] of this.#source.ports.entries()) {
      const number = portNumbers[index] ?? 1;
      const port = await this.#find(given, stop);
      if (port === null) {
        return;
      }
      await this.#connect(number, given, port);
    }
  }

  /** Waits for the port with `--wait`. Returns null after an end. */
  async #find(given: GivenPort, stop: AbortSignal): Promise<SerialPort | null> {
    for (let isFirst = true; !stop.aborted; isFirst = false) {
      const port = await this.#source.find(given).catch((error: unknown) => {
        if (this.#options['wait'] === true && error instanceof CommandError) {
          return null;
        }
        throw error;
      });
      if (port !== null) {
        return port;
      }
      if (this.#options['wait'] !== true) {
        throw await absentPort(given);
      }
      if (isFirst) {
        this.#bench.notice('info', `Waiting for ${given.path}`, null);
      }
      await systemClock.sleep(TICK, stop).catch(() => 'ended');
    }
    return null;
  }

  async #connect(number: PortNumber, given: GivenPort, port: SerialPort): Promise<void> {
    const { settings, native } = this.#given;
    try {
      await this.#bench.connect(number, port, settings);
    } catch (error) {
      if (error instanceof SessionError) {
        // The failure is on the timeline already, which is printed at the end.
        const holders = error.code === 'busy' ? await holdersText(given) : '';
        throw new CommandError(exitCodes.noPort, `${given.path} could not be opened.${holders}`, { cause: error });
      }
      throw error;
    }
    const beyond = [
      native.dataBits === undefined ? '' : `${native.dataBits} data bits`,
      native.parity === undefined ? '' : `parity ${native.parity}`,
      native.flowControl === undefined ? '' : 'XON and XOFF',
    ].filter((part) => part !== '');
    if (beyond.length > 0) {
      this.#bench.notice('info', `Port ${number} uses ${beyond.join(', ')}`, number);
    }
  }

  /** Looks for the awaited texts in what a port receives from now on. */
  #watch(port: PortNumber): void {
    this.#watches.get(port)?.stop();
    this.#watches.set(
      port,
      watchFor(this.#awaited, (text) => this.#came(port, text)),
    );
  }

  /**
   * Restarts each board once. An end leaves the board running. A failure is on the timeline, and ends the monitor if a
   * text is awaited, because that of the program before must not count.
   */
  async #resetBoards(stop: AbortSignal): Promise<void> {
    const { until, failOn } = this.#awaited;
    const reset = async (number: PortNumber) => {
      const released = () => this.#watch(number);
      await this.#bench.jobs.resetBoard(number, 'run', { signal: stop, released }).catch((error: unknown) => {
        if (stop.aborted) {
          return;
        }
        if (!(error instanceof SessionError)) {
          throw error;
        }
        const awaited = until ?? failOn[0];
        if (awaited !== undefined) {
          this.#bench.notice('error', `${awaited.name} is not awaited: the board was not restarted.`, number);
          this.#finish(exitCodes.failed);
        }
      });
    };
    await Promise.all(portNumbers.slice(0, this.#source.ports.length).map(reset));
  }

  /** Opens a port that came back, however late. */
  #appeared(port: SerialPort): void {
    this.#bench.deviceAppeared(port);
    for (const [index, given] of this.#source.ports.entries()) {
      const number = portNumbers[index] ?? 1;
      if (this.#bench.status().ports[number].notBack) {
        void this.#openLate(number, given, port);
      }
    }
  }

  async #openLate(number: PortNumber, given: GivenPort, port: SerialPort): Promise<void> {
    try {
      if ((await this.#source.find(given)) === port) {
        await this.#connect(number, given, port);
      }
    } catch (error) {
      this.#bench.notice('error', error instanceof Error ? error.message : String(error), number);
    }
  }

  #received(port: PortNumber, bytes: Uint8Array, at: number): void {
    const rate = this.#rates.get(port) ?? new RateWatch();
    this.#rates.set(port, rate);
    if (rate.received(bytes, at) && rate.sign !== null) {
      this.#bench.notice('warning', rateSignText(rate.sign, this.#given.settings), port);
    }
    this.#watches.get(port)?.take(bytes);
  }

  #changed(): void {
    this.#rules?.changed();
    if (!this.#isPrinting) {
      this.#isPrinting = true;
      setImmediate(() => {
        this.#isPrinting = false;
        this.#print(false);
      });
    }
  }

  #print(end: boolean): void {
    if (!this.#isBehind || end) {
      const isTaken = (this.#raw?.print() ?? true) && this.#lines.print(end);
      this.#isBehind = !isTaken && !end;
    }
  }

  /** Prints lines that have no end, writes the log, and ends when no port is left. */
  #tick(): void {
    this.#print(false);
    this.#crashes?.advance();
    this.#log?.write();
    const { ports } = this.#bench.status();
    const states = this.#source.ports.map((_, index) => ports[portNumbers[index] ?? 1]);
    const isOver = states.every(({ state, connectedAt }) => state === 'disconnected' && connectedAt !== null);
    if (isOver && this.#options['reconnect'] === false) {
      this.#finish(exitCodes.noPort);
    }
  }
}

/** Most bytes of one write. */
const PIECE = 65_536;

/** The bytes of one port as they come. A reader that is behind gets them later, from the port's ring. */
class RawView {
  readonly #feed: ReturnType<Bench['byteFeed']>;
  readonly #write: (bytes: Uint8Array) => boolean;
  #next = 0;

  /** @param write Prints bytes. Returns false while the reader is behind. */
  constructor(bench: Bench, port: PortNumber, write: (bytes: Uint8Array) => boolean) {
    this.#feed = bench.byteFeed(port);
    this.#write = write;
  }

  /** Prints what has come. Returns false while the reader is behind. */
  print(): boolean {
    const { start, end } = this.#feed;
    this.#next = Math.max(this.#next, start);
    while (this.#next < end) {
      const bytes = this.#feed.read(this.#next, PIECE);
      this.#next += bytes.length;
      if (!this.#write(bytes)) {
        return false;
      }
    }
    return true;
  }
}
