/**
 * Report of one run of a test runner, the same for Vitest and Playwright. The two reporters beside this file write it.
 * Both runners' own reports leave out the load, and Vitest's leaves out failed hooks of a `describe`.
 */
import { appendFileSync, readFileSync } from 'node:fs';
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
  /** Seconds of its tests, and of loading it. They include waiting for a core. */
  readonly seconds: number;
}

/** A file of a run, before it ran. */
export type PlannedFile = Pick<ReportedFile, 'project' | 'path'>;

export interface TestReport {
  readonly files: readonly ReportedFile[];
  /** Files that do not load or did not run, and errors outside of tests, each in one line. */
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

/**
 * A line of a report. A run that is cut off leaves the files that ended and the names of the others. Of several lines
 * about a file, the last one counts.
 */
type ReportLine =
  | { readonly planned: readonly PlannedFile[] }
  | { readonly file: ReportedFile }
  | { readonly errors: readonly string[] };

/** @throws Error if no path is set: the reporters run only below the test command. */
export function reportLine(line: ReportLine): void {
  const path = process.env[REPORT_FILE];
  if (path === undefined) {
    throw new Error(`${REPORT_FILE} must name the file of the report.`);
  }
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** Reads the lines of a report. The last line may be cut off. */
export function readReport(path: string): TestReport {
  const files = new Map<string, ReportedFile>();
  const planned = new Map<string, PlannedFile>();
  const keyOf = ({ project, path: file }: PlannedFile) => `${project} ${file}`;
  let errors: readonly string[] | null = null;
  for (const text of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const line = JSON.parse(text) as ReportLine;
    if ('planned' in line) {
      line.planned.forEach((file) => {
        planned.set(keyOf(file), file);
      });
    } else if ('file' in line) {
      files.set(keyOf(line.file), line.file);
    } else {
      errors = line.errors;
    }
  }
  const missing = [...planned].filter(([key]) => !files.has(key)).map(([, { path: missed }]) => missed);
  return {
    files: [...files.values()],
    errors: [
      ...(errors ?? ['The run was cut off.']),
      // In one line, however many they are: the end of the output has to stay short.
      ...(missing.length === 0 ? [] : [`Not run: ${missing.join(', ')}`]),
    ],
  };
}
