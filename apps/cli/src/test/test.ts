/** `wirebench test`: runs of JKits and their rules as checks on boards. */
import { writeFile } from 'node:fs/promises';
import { systemClock } from '@wirebench/clock';
import { givenText } from '@wirebench/port/given-text';
import { messageName, waitsForAnswer } from '@wirebench/runs';
import { Bench, type PortNumber, portNumbers, SessionError } from '@wirebench/serial';
import { type GivenText, readForbidden } from '../awaited-text.ts';
import type { BoardRun } from '../board/board-run.ts';
import { paintFor } from '../colours.ts';
import { listOf, type OptionValue, type OptionValues } from '../commands/command.ts';
import { crashTextOf, type GivenFiles, openFiles } from '../crash.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { absentPort, type GivenPort, givenPort, holdersText, presentPort, serialOf } from '../given-ports.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { LogFile } from '../monitor/log-file.ts';
import { type GivenSettings, readSettings, readTimeout, wholeNumber } from '../port-options.ts';
import { FlashFault, flashBoard } from './flash-board.ts';
import { type GivenTest, readTests } from './given-test.ts';
import { failedSuites, junitText } from './junit.ts';
import { jsonText, screenText, tapText } from './reports.ts';
import { type TestResult, type TestTry, verdictOf, verdictText } from './test-result.ts';
import { forbiddenTitle, TryRun, undecided } from './try-test.ts';

/** Watch for rules that must not fire after the last wait, in milliseconds. */
const STANDARD_SETTLE = 1_000;
/** Pause between two looks at what has come for the log, in milliseconds. */
const TICK = 100;

/** A board of the tests: its port, or a simulated one. */
type Boards = ReadonlyMap<PortNumber, BoardRun['target']>;

interface TestOptions {
  readonly options: OptionValues;
  readonly settings: GivenSettings;
  readonly settle: number;
  readonly limit: number | null;
  readonly retries: number;
  readonly reset: boolean;
  readonly forbidden: readonly GivenText[];
  /** Builds by the number of their board. */
  readonly builds: ReadonlyMap<PortNumber, string>;
  readonly elf: GivenFiles;
}

export async function runTest(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  if (options['json'] === true && options['tap'] === true) {
    throw new CommandError(exitCodes.usage, '--json and --tap both print to standard output: choose one.');
  }
  const ended = interruption(true);
  const files = await filesToRun(given, options['onlyFailed']);
  if (files.length === 0) {
    throw new CommandError(exitCodes.usage, 'there is no test to run.');
  }
  const parts: TestOptions = {
    options,
    settings: readSettings(options),
    settle: readSeconds(options['settle'], '--settle') ?? STANDARD_SETTLE,
    limit: readTimeout(options),
    retries: wholeNumber(options['retries'], '--retries', 0, 100) ?? 0,
    reset: options['reset'] === true,
    forbidden: readForbidden(options['failOn']),
    builds: numbered(listOf(options['flash'])),
    elf: await openFiles(listOf(options['elf'])),
  };
  const tests = await readTests(files, ended.signal);
  const watching = new AbortController();
  try {
    const boards = await boardsFor(tests, parts, watching.signal);
    const results: TestResult[] = [];
    for (const test of tests) {
      const result = await new TestRun(test, boards, parts, ended).run();
      results.push(result);
      if (options['json'] !== true && options['tap'] !== true) {
        process.stdout.write(screenText(result, paintFor(process.stdout)));
      }
      if (ended.signal.aborted) {
        break;
      }
    }
    const exitCode = Math.max(...results.map((result) => result.exitCode)) as ExitCode;
    await report(results, exitCode, options);
    return ended.signal.aborted ? ended.exitCode() : exitCode;
  } finally {
    watching.abort();
  }
}

/** Leaves out the tests that passed in an earlier JUnit file. */
async function filesToRun(given: readonly string[], onlyFailed: OptionValue): Promise<readonly string[]> {
  if (typeof onlyFailed !== 'string') {
    return given;
  }
  try {
    const failed = failedSuites(givenText(await readGiven(onlyFailed)));
    return given.length === 0 ? [...failed] : given.filter((file) => failed.has(file));
  } catch (error) {
    throw error instanceof SyntaxError
      ? new CommandError(exitCodes.usage, `${onlyFailed} is no JUnit file: ${error.message}.`)
      : error;
  }
}

function readSeconds(value: OptionValue, flag: string): number | null {
  const seconds = Number(value);
  if (value !== undefined && !(seconds >= 0 && seconds <= 3_600)) {
    throw new CommandError(exitCodes.usage, `${flag} takes seconds from 0 to 3600, and not ${value}.`);
  }
  return value === undefined ? null : seconds * 1_000;
}

/** Reads values such as `2=/dev/ttyUSB1`; without a number the value is for board 1. */
function numbered(values: readonly string[]): ReadonlyMap<PortNumber, string> {
  return new Map(
    values.map((value): [PortNumber, string] => {
      const [, digit, rest = value] = /^([1-4])=(.+)$/.exec(value) ?? [];
      return [portNumbers.find((number) => String(number) === digit) ?? 1, rest];
    }),
  );
}

/** @throws CommandError for boards that are not there. */
async function boardsFor(
  tests: readonly GivenTest[],
  { options, settings }: TestOptions,
  signal: AbortSignal,
): Promise<Boards> {
  const paths = numbered(listOf(options['port']));
  const model = options['simulate'];
  const boards = new Map<PortNumber, BoardRun['target']>();
  if (typeof model === 'string') {
    const { simulatedPort } = await import('../simulated-boards.ts');
    boards.set(1, { given: { name: model, path: model, label: model }, isDemo: true, ...simulatedPort(model) });
  }
  const given = new Map<PortNumber, GivenPort>();
  for (const [number, path] of paths) {
    given.set(number, await givenPort(path));
  }
  const serial = serialOf([...given.values()]);
  for (const [number, one] of given) {
    const port = await presentPort(serial, one, settings.native);
    if (port === null) {
      throw await absentPort(one);
    }
    boards.set(number, { given: one, port, serial, isDemo: false, family: null });
  }
  void serial.watch(systemClock, signal);
  for (const { file, test } of tests) {
    const lacking = test.boards.find((board) => !portNumbers.some((number) => number === board && boards.has(number)));
    if (lacking !== undefined) {
      throw new CommandError(
        exitCodes.usage,
        `${file} needs board ${lacking}: name its port with --port ${lacking}=….`,
      );
    }
  }
  return boards;
}

async function report(results: readonly TestResult[], exitCode: ExitCode, options: OptionValues): Promise<void> {
  if (options['json'] === true) {
    process.stdout.write(jsonText(results, exitCode));
  }
  if (options['tap'] === true) {
    process.stdout.write(tapText(results));
  }
  const { junit } = options;
  if (typeof junit === 'string') {
    await writeFile(junit, junitText(results)).catch((error: Error) => {
      throw new CommandError(exitCodes.failed, `the report cannot be written: ${error.message}`);
    });
  }
}

/** One test: its flash, its tries, its log. */
class TestRun {
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
        const one = await this.#tryOnce(count);
        tries.push(one);
        if (one.exitCode !== exitCodes.failed) {
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
            ? target.port
            : await flashBoard({
                build,
                target,
                others: [...this.#boards.values()].map((one) => one.port).filter((one) => one !== target.port),
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

  async #tryOnce(count: number): Promise<TestTry> {
    const first = this.#begin();
    // The program of a board that was flashed prints again from its beginning.
    if (this.#parts.reset || this.#parts.builds.size > 0) {
      await this.#reset(
        first,
        this.#ports,
        count === 0 ? 'The board was reset for the test.' : 'The board was reset for the next try.',
      );
    }
    const one = await this.#finish(first);
    const silent = first.silentBoards;
    if (one.exitCode !== exitCodes.failed || silent.length === 0 || this.#resets > 0) {
      return one;
    }
    this.#resets++;
    const again = this.#begin();
    await this.#reset(again, silent, `Board ${silent.join(', ')} said nothing: it was reset once.`);
    return this.#finish(again);
  }

  #begin(): TryRun {
    const { settle, limit, forbidden, elf } = this.#parts;
    const { test } = this.#given;
    const seconds = test.seconds === null ? null : test.seconds * 1_000;
    const run = new TryRun({
      clock: systemClock,
      bench: this.#bench,
      test,
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
      this.#try = null;
      run.dispose();
    }
  }

  async #reset(run: TryRun, ports: readonly PortNumber[], text: string): Promise<void> {
    this.#say(text);
    for (const port of ports) {
      const released = () => run.restarted(port);
      const { jobs } = this.#bench;
      await jobs.resetBoard(port, 'run', { released }).catch((error: Error) => this.#say(`${error.message}.`));
    }
  }

  /** A try in which every case is an error. */
  #failedTry(type: string, message: string, exitCode: ExitCode, duration: number): TestTry {
    const { test } = this.#given;
    const fault = { type, message, text: message, awaited: [], came: [] };
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
