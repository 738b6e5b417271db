/** `wirebench test`: runs of JKits and their rules as checks on boards. */
import { systemClock } from '@wirebench/clock';
import { givenText } from '@wirebench/port/given-text';
import { SETTLE } from '@wirebench/runs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { readForbidden } from '../awaited-text.ts';
import type { BoardRun } from '../board/board-run.ts';
import { paintFor } from '../colours.ts';
import { listOf, type OptionValue, type OptionValues } from '../commands/command.ts';
import { openFiles } from '../crash.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { absentPort, type GivenPort, givenPort, presentPort, refuseTwice, serialOf } from '../given-ports.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { readSettings, readTimeout, wholeNumber } from '../port-options.ts';
import { type GivenTest, readTests } from './given-test.ts';
import { failedSuites } from './junit.ts';
import { checkReport, nameless, removeReport, standardOutput, unstarted, writeReport } from './report-file.ts';
import { jsonText, screenText, tapText } from './reports.ts';
import type { TestResult } from './test-result.ts';
import { type Boards, lackingBoard, type TestOptions, TestRun } from './test-run.ts';

export async function runTest(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  checkOutputs(options);
  const { junit, onlyFailed } = options;
  if (typeof junit === 'string') {
    await checkReport(junit);
  }
  const ended = interruption(true);
  const results: TestResult[] = [];
  let files = given;
  try {
    // Before the report is removed, which may be the one that is read here.
    files = await filesToRun(given, onlyFailed);
    if (typeof junit === 'string') {
      await removeReport(junit);
    }
    await runAll(files, options, ended, results);
    const exitCode = Math.max(...results.map((result) => result.exitCode)) as ExitCode;
    await report(results, exitCode, options);
    return ended.signal.aborted ? ended.exitCode() : exitCode;
  } catch (error) {
    const left = files.length === 0 ? [nameless] : files.slice(results.length);
    const all = [...results, ...left.map((file) => unstarted(file, error))];
    await report(all, error instanceof CommandError ? error.exitCode : exitCodes.failed, options).catch(
      (other: Error) => process.stderr.write(`wirebench: ${other.message}\n`),
    );
    throw error;
  }
}

/** Runs the tests one after the other. @param results Receives each result. */
async function runAll(
  files: readonly string[],
  options: OptionValues,
  ended: Interruption,
  results: TestResult[],
): Promise<void> {
  if (files.length === 0) {
    throw new CommandError(exitCodes.usage, 'there is no test to run.');
  }
  if (options['reset'] === false && listOf(options['flash']).length > 0) {
    throw new CommandError(exitCodes.usage, '--flash restarts the boards: leave --no-reset out.');
  }
  const parts: TestOptions = {
    options,
    settings: readSettings(options),
    settle: readSeconds(options['settle'], '--settle') ?? SETTLE,
    limit: readTimeout(options),
    retries: wholeNumber(options['retries'], '--retries', 0, 100) ?? 0,
    reset: options['reset'] === true,
    resetsSilent: options['reset'] !== false,
    forbidden: readForbidden(options['failOn']),
    builds: numbered(listOf(options['flash'])),
    elf: await openFiles(listOf(options['elf'])),
  };
  const tests = await readTests(files, listOf(options['file']), ended.signal);
  const watching = new AbortController();
  try {
    const boards = await boardsFor(tests, parts, watching.signal);
    for (const test of tests) {
      const result = await new TestRun(test, boards, parts, ended).run();
      results.push(result);
      if (options['json'] !== true && options['tap'] !== true && options['junit'] !== standardOutput) {
        process.stdout.write(screenText(result, paintFor(process.stdout)));
      }
      if (ended.signal.aborted) {
        break;
      }
    }
  } finally {
    watching.abort();
  }
}

/** @throws CommandError if two options print to standard output. */
function checkOutputs({ json, tap, junit }: OptionValues): void {
  const printing = [
    ...(json === true ? ['--json'] : []),
    ...(tap === true ? ['--tap'] : []),
    ...(junit === standardOutput ? ['--junit -'] : []),
  ];
  if (printing.length > 1) {
    throw new CommandError(exitCodes.usage, `${printing.join(' and ')} print to standard output: choose one.`);
  }
}

/** Leaves out the tests that passed in an earlier JUnit file. */
async function filesToRun(given: readonly string[], onlyFailed: OptionValue): Promise<readonly string[]> {
  if (typeof onlyFailed !== 'string') {
    return given;
  }
  try {
    const failed = [...failedSuites(givenText(await readGiven(onlyFailed)))].filter((name) => name !== nameless);
    return given.length === 0 ? failed : given.filter((file) => failed.includes(file));
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
    boards.set(1, { given: { name: model, path: model, label: model }, isDemo: true, ...(await simulatedPort(model)) });
  }
  const given = new Map<PortNumber, GivenPort>();
  for (const [number, path] of paths) {
    given.set(number, await givenPort(path));
  }
  await refuseTwice([...given.values()]);
  const serial = serialOf([...given.values()]);
  for (const [number, one] of given) {
    const port = await presentPort(serial, one, settings.native);
    if (port === null) {
      throw await absentPort(one);
    }
    boards.set(number, { given: one, port, serial, isDemo: false, family: null });
  }
  void serial.watch(systemClock, signal);
  const lacking = lackingBoard(tests, boards);
  if (lacking !== null) {
    const { file, board } = lacking;
    throw new CommandError(exitCodes.usage, `${file} needs board ${board}: name its port with --port ${board}=….`);
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
    await writeReport(junit, results);
  }
}
