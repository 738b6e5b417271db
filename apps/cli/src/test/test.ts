/** `wirebench test`: runs of JKits and their rules as checks on boards. */
import { writeFile } from 'node:fs/promises';
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
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from '../given-ports.ts';
import { interruption } from '../interruption.ts';
import { readSettings, readTimeout, wholeNumber } from '../port-options.ts';
import { type GivenTest, readTests } from './given-test.ts';
import { failedSuites, junitText } from './junit.ts';
import { jsonText, screenText, tapText } from './reports.ts';
import type { TestResult } from './test-result.ts';
import { type Boards, lackingBoard, type TestOptions, TestRun } from './test-run.ts';

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
    settle: readSeconds(options['settle'], '--settle') ?? SETTLE,
    limit: readTimeout(options),
    retries: wholeNumber(options['retries'], '--retries', 0, 100) ?? 0,
    reset: options['reset'] === true,
    resetsSilent: true,
    forbidden: readForbidden(options['failOn']),
    builds: numbered(listOf(options['flash'])),
    elf: await openFiles(listOf(options['elf'])),
  };
  const tests = await readTests(files, listOf(options['file']), ended.signal);
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
    boards.set(1, { given: { name: model, path: model, label: model }, isDemo: true, ...(await simulatedPort(model)) });
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
    await writeFile(junit, junitText(results)).catch((error: Error) => {
      throw new CommandError(exitCodes.failed, `the report cannot be written: ${error.message}`);
    });
  }
}
