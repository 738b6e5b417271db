/** Starts Vitest and Playwright, and reads the reports that `report.ts` describes. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { failedTestsOf, type PlannedFile, REPORT_FILE, readReport, type TestReport } from './report.ts';
import type { TestRunner } from './second-run.ts';
import { runNode } from './step.ts';

/** Folder of the runners' reports. */
const reports = join(root, '.cache', 'test-reports');
const reporter = (name: string) => join(import.meta.dirname, `${name}-reporter.ts`);
const bin = (...path: readonly string[]) => join(root, 'node_modules', ...path);

export interface RunnerOptions {
  /** Name of the runner's reports. */
  readonly name: string;
  /** Further arguments, such as the configuration. */
  readonly args?: readonly string[];
  /** Parts of the paths of the files in the first run. Default: all files. */
  readonly filters?: readonly string[];
  /** Part of the files in the first run, such as `2/4`. Default: all files. */
  readonly part?: string | undefined;
  /** Makes the variables of a run. */
  readonly env?: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** `inherit`, the default, prints the output of the runner; `ignore` drops it. */
  readonly output?: 'inherit' | 'ignore';
}

/** Runs a test program and reads its report. */
async function runAndRead(
  { name, env, output }: RunnerOptions,
  args: readonly string[],
  file: PlannedFile | undefined,
): Promise<TestReport | null> {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, `${name}${file === undefined ? '' : '-again'}.json`);
  rmSync(path, { force: true });
  const exitCode = await runNode(args, { ...(await env?.()), [REPORT_FILE]: path }, output);
  if (!existsSync(path)) {
    return null;
  }
  const report = readReport(path);
  const explained = report.errors.length > 0 || report.files.some((reported) => failedTestsOf(reported).length > 0);
  // Some failures are in no report, such as a process that does not end.
  return exitCode === 0 || explained
    ? report
    : { ...report, errors: [`The runner ended with ${exitCode} without a failed test.`] };
}

/** Both runners take a part by the same option. */
const firstFiles = ({ filters = [], part }: RunnerOptions): readonly string[] => [
  ...filters,
  ...(part === undefined ? [] : [`--shard=${part}`]),
];

/** Vitest with the project's configuration. A second run has one file, and so one worker whatever a project sets. */
export const vitest = (options: RunnerOptions): TestRunner => ({
  run: (file) => {
    const only = file === undefined ? firstFiles(options) : [`--project=${file.project}`, join(root, file.path)];
    const reporting = ['--reporter=default', `--reporter=${reporter('vitest')}`];
    return runAndRead(
      options,
      [bin('vitest', 'vitest.mjs'), 'run', ...reporting, ...(options.args ?? []), ...only],
      file,
    );
  },
});

const escapeForRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Playwright with the project's configuration. */
export const playwright = (options: RunnerOptions): TestRunner => ({
  run: (file) => {
    const only =
      file === undefined
        ? firstFiles(options)
        : [`--project=${file.project}`, '--workers=1', `^${escapeForRegExp(join(root, file.path))}$`];
    const reporting = [`--reporter=list,${reporter('playwright')}`, '--retries=0'];
    return runAndRead(
      options,
      [bin('@playwright', 'test', 'cli.js'), 'test', ...reporting, ...(options.args ?? []), ...only],
      file,
    );
  },
});
