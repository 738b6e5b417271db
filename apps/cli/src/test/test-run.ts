/** One test on its boards: its flash, its tries, its log. */
import { systemClock } from '@wirebench/clock';
import { messageName, plainFault, undecided, waitsForAnswer } from '@wirebench/runs';
import { Bench, type PortNumber, portNumbers, SessionError } from '@wirebench/serial';
import type { GivenText } from '../awaited-text.ts';
import { type BoardRun, portOf } from '../board/board-run.ts';
import type { OptionValues } from '../commands/command.ts';
import { crashTextOf, type GivenFiles } from '../crash.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { type GivenPort, holdersText } from '../given-ports.ts';
import type { Interruption } from '../interruption.ts';
import { LogFile } from '../monitor/log-file.ts';
import type { GivenSettings } from '../port-options.ts';
import { FlashFault, flashBoard } from './flash-board.ts';
import type { GivenTest } from './given-test.ts';
import { type TestResult, type TestTry, verdictOf, verdictText } from './test-result.ts';
import { forbiddenTitle, TryRun } from './try-test.ts';

/** Pause between two looks at what has come for the log, in milliseconds. */
const TICK = 100;

/** A board of the tests: its port, or a simulated one. */
export type Boards = ReadonlyMap<PortNumber, BoardRun['target']>;

export interface TestOptions {
  readonly options: OptionValues;
  readonly settings: GivenSettings;
  readonly settle: number;
  readonly limit: number | null;
  readonly retries: number;
  readonly reset: boolean;
  /** True: a board that says nothing is reset once and tried again. */
  readonly resetsSilent: boolean;
  readonly forbidden: readonly GivenText[];
  /** Builds by the number of their board. */
  readonly builds: ReadonlyMap<PortNumber, string>;
  readonly elf: GivenFiles;
}

/** Returns the first test with a board that has no port, and the number of this board; null if all have one. */
export function lackingBoard(
  tests: readonly GivenTest[],
  boards: Pick<Boards, 'keys'>,
): { readonly file: string; readonly board: number } | null {
  const numbers: readonly number[] = [...boards.keys()];
  for (const { file, test } of tests) {
    const board = test.boards.find((one) => !numbers.includes(one));
    if (board !== undefined) {
      return { file, board };
    }
  }
  return null;
}

export class TestRun {
  readonly #given: GivenTest;
  readonly #boards: Boards;
  readonly #parts: TestOptions;
  readonly #ended: Interruption;
  readonly #bench: Bench;
  readonly #notes: string[];
  readonly #ports: readonly PortNumber[];
  #try: TryRun | null = null;
  #resets = 0;

  constructor(given: GivenTest, boards: Boards, parts: TestOptions, ended: Interruption) {
    this.#given = given;
    this.#boards = boards;
    this.#parts = parts;
    this.#ended = ended;
    this.#notes = [...given.test.notes];
    this.#ports = portNumbers.filter((port) => given.test.boards.includes(port));
    this.#bench = new Bench({
      clock: systemClock,
      reconnect: true,
      onChange: () => this.#try?.changed(),
      onReceived: (port, bytes, at) => this.#try?.received(port, bytes, at),
    });
  }

  async run(): Promise<TestResult> {
    const startedAt = Date.now();
    const log = await this.#openLog();
    const ticks = setInterval(() => log?.write(), TICK);
    const tries: TestTry[] = [];
    try {
      const isReady = await this.#prepare(tries);
      for (let count = 0; isReady && count <= this.#parts.retries && !this.#ended.signal.aborted; count++) {
        tries.push(...(await this.#tryOnce(count)));
        if (tries.at(-1)?.exitCode !== exitCodes.failed) {
          break;
        }
      }
    } finally {
      clearInterval(ticks);
      await this.#bench.dispose();
    }
    const result = this.#resultOf(tries, startedAt);
    this.#bench.notice(verdictOf(result) === 'passed' ? 'success' : 'error', verdictText(result), null);
    await log?.close();
    return result;
  }

  #resultOf(tries: readonly TestTry[], startedAt: number): TestResult {
    const { file, test } = this.#given;
    return {
      file,
      name: test.name,
      startedAt,
      tries,
      resets: this.#resets,
      notes: this.#notes,
      exitCode: tries.at(-1)?.exitCode ?? exitCodes.failed,
    };
  }

  async #openLog(): Promise<LogFile | null> {
    const { log } = this.#parts.options;
    if (typeof log !== 'string') {
      return null;
    }
    const portNames = Object.fromEntries([...this.#boards].map(([port, { given }]) => [port, given.label]));
    const feed = this.#bench.logFeed({ ports: portNumbers, portNames });
    return LogFile.open(log, feed, null, (reason) => this.#say(`The log ends here: ${reason}.`));
  }

  /** Flashes and opens the boards. Returns false after a failure, which is an error of every case. */
  async #prepare(tries: TestTry[]): Promise<boolean> {
    const began = systemClock.now();
    try {
      for (const port of this.#ports) {
        const target = this.#target(port);
        const build = this.#parts.builds.get(port);
        const device =
          build === undefined
            ? portOf(target)
            : await flashBoard({
                build,
                target,
                others: [...this.#boards.values()].map(portOf).filter((one) => one !== target.port),
                options: this.#parts.options,
                ended: this.#ended,
                say: (text) => process.stderr.write(`${text}\n`),
              });
        await this.#connect(port, target.given, device);
      }
      return true;
    } catch (error) {
      const isFlash = error instanceof FlashFault;
      if (!isFlash && !(error instanceof CommandError)) {
        throw error;
      }
      const exitCode = this.#ended.signal.aborted ? this.#ended.exitCode() : error.exitCode;
      tries.push(this.#failedTry(isFlash ? 'flash' : 'port', error.message, exitCode, systemClock.now() - began));
      return false;
    }
  }

  #target(port: PortNumber): BoardRun['target'] {
    const target = this.#boards.get(port);
    if (target === undefined) {
      throw new Error(`board ${port} was found before the tests`);
    }
    return target;
  }

  async #connect(port: PortNumber, given: GivenPort, device: SerialPort): Promise<void> {
    try {
      await this.#bench.connect(port, device, this.#parts.settings.settings);
    } catch (error) {
      if (!(error instanceof SessionError)) {
        throw error;
      }
      const holders = error.code === 'busy' ? await holdersText(given) : '';
      throw new CommandError(exitCodes.noPort, `${given.path} could not be opened.${holders}`, { cause: error });
    }
  }

  /** Returns the try, and the one after a reset of boards that said nothing. */
  async #tryOnce(count: number): Promise<readonly TestTry[]> {
    const first = this.#begin();
    // The program of a board that was flashed prints again from its beginning.
    if (this.#parts.reset || this.#parts.builds.size > 0) {
      const why = count === 0 ? 'for the test' : 'for the next try';
      const fault = await this.#reset(first, this.#ports, `The board was reset ${why}.`);
      if (fault !== null) {
        this.#end(first);
        return [this.#failedTry('port', `the board was not reset: ${fault}`, exitCodes.noPort, 0)];
      }
    }
    const one = await this.#finish(first);
    const silent = first.silentBoards;
    const { resetsSilent } = this.#parts;
    if (one.exitCode !== exitCodes.failed || silent.length === 0 || !resetsSilent || this.#resets > 0) {
      return [one];
    }
    const again = this.#begin();
    const fault = await this.#reset(again, silent, `Board ${silent.join(', ')} said nothing: it was reset once.`);
    if (fault !== null) {
      this.#end(again);
      return [one];
    }
    this.#resets++;
    return [one, await this.#finish(again)];
  }

  #begin(): TryRun {
    const { settle, limit, forbidden, elf } = this.#parts;
    const { test, sent } = this.#given;
    const seconds = test.seconds === null ? null : test.seconds * 1_000;
    const run = new TryRun({
      clock: systemClock,
      bench: this.#bench,
      test,
      sent,
      forbidden,
      settle,
      limit: limit ?? seconds,
      signal: this.#ended.signal,
      crashes: (bytes) => crashTextOf(bytes, elf),
    });
    this.#try = run;
    return run;
  }

  async #finish(run: TryRun): Promise<TestTry> {
    try {
      return await run.run();
    } catch (error) {
      if (!(error instanceof SessionError)) {
        throw error;
      }
      return this.#failedTry('port', error.message, exitCodes.noPort, 0);
    } finally {
      this.#end(run);
    }
  }

  #end(run: TryRun): void {
    this.#try = null;
    run.dispose();
  }

  /** Resets boards, and says it. Returns the reason why one was not reset; null if all were. */
  async #reset(run: TryRun, ports: readonly PortNumber[], text: string): Promise<string | null> {
    const { jobs } = this.#bench;
    for (const port of ports) {
      try {
        await jobs.resetBoard(port, 'run', { released: () => run.restarted(port) });
      } catch (error) {
        if (!(error instanceof SessionError)) {
          throw error;
        }
        this.#say(`${error.message}.`);
        return error.message;
      }
    }
    this.#say(text);
    return null;
  }

  /** A try in which every case is an error. */
  #failedTry(type: string, message: string, exitCode: ExitCode, duration: number): TestTry {
    const { test } = this.#given;
    const fault = plainFault(type, message);
    const names = [
      ...test.messages.filter(waitsForAnswer).map(messageName),
      ...test.rules.map(({ name }) => `rule ${name}`),
      ...this.#parts.forbidden.map(forbiddenTitle),
    ];
    return {
      cases: names.map((name) => undecided(name, 'error', fault)),
      seconds: duration / 1_000,
      transcript: '',
      exitCode: exitCode === exitCodes.ok ? exitCodes.failed : exitCode,
    };
  }

  #say(text: string): void {
    this.#notes.push(text);
    this.#bench.notice('info', text, null);
  }
}
