/**
 * Report of one run of a test runner, the same for Vitest and Playwright. The two reporters beside this file write it.
 * Both runners' own reports leave out the load, and Vitest's leaves out failed hooks of a `describe`.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../build/web.ts';
import { type Counts, failedOnce, sum } from './step.ts';

export interface ReportedTest {
  /** Titles of the suites and of the test, or the name of a failed hook. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** True: the test itself asked to be skipped. False: it ran, or something else kept it from running. */
  readonly isSkippedOnPurpose: boolean;
  /** First line of the first error; empty if the test did not fail. */
  readonly error: string;
  /** Load average of the last minute when the test ended. */
  readonly load: number;
}

export interface ReportedFile {
  /** Name of the runner's project, which selects its settings. */
  readonly project: string;
  /** Path below the project's root folder, with slashes. */
  readonly path: string;
  readonly tests: readonly ReportedTest[];
  /** Hooks that failed outside of a test, such as `afterAll`. */
  readonly failedHooks: readonly ReportedTest[];
}

export interface TestReport {
  readonly files: readonly ReportedFile[];
  /** Files that do not load and errors outside of tests, each in one line. */
  readonly errors: readonly string[];
}

/** Name of the variable with the path of the report that a reporter writes. */
export const REPORT_FILE = 'WIREBENCH_TEST_REPORT';

export function currentLoad(): number {
  return loadavg()[0] ?? 0;
}

export function pathInProject(path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Characters of an error in the table. */
const MAX_ERROR = 160;

/** Returns the first line of a message that has text, without colours. */
export function firstLine(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  const line = lines.map((text) => text.trim()).find((text) => text !== '') ?? 'an error without a message';
  return line.length > MAX_ERROR ? `${line.slice(0, MAX_ERROR - 1)}…` : line;
}

export const failedTestsOf = ({ tests, failedHooks }: ReportedFile): readonly ReportedTest[] => [
  ...tests.filter(({ state }) => state === 'failed'),
  ...failedHooks,
];

export function countFile(file: ReportedFile): Counts {
  const count = (state: ReportedTest['state']) => file.tests.filter((test) => test.state === state).length;
  return { passed: count('passed'), failed: failedTestsOf(file).length, skipped: count('skipped') };
}

/** Counts a run without a second one. Null, for a runner that left no report, is one failure. */
export function countReport(report: TestReport | null): Counts {
  return report === null
    ? failedOnce
    : sum([...report.files.map(countFile), { passed: 0, failed: report.errors.length, skipped: 0 }]);
}

/** @throws Error if no path is set: the reporters run only below the test command. */
export function writeReport(report: TestReport): void {
  const path = process.env[REPORT_FILE];
  if (path === undefined) {
    throw new Error(`${REPORT_FILE} must name the file of the report.`);
  }
  writeFileSync(path, JSON.stringify(report));
}
