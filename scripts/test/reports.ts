/** Counts passed, failed and skipped tests in the reports of Vitest and Playwright. Runs nothing itself. */
import { existsSync, readFileSync } from 'node:fs';
import { type Counts, failedOnce } from './step.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/**
 * Counts one failure if the runner failed without a failed test, such as a file that does not load or an error
 * outside of tests.
 */
const withExitCode = (counts: Counts, exitCode: number): Counts =>
  exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

export function countVitest(file: string, exitCode: number): Counts {
  if (!existsSync(file)) {
    return failedOnce;
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return withExitCode(counts, exitCode);
}

/** Counts a test as failed if it passed only on a retry: a race is a fault. */
export function countPlaywright(file: string, exitCode: number): Counts {
  if (!existsSync(file)) {
    return failedOnce;
  }
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  return withExitCode(counts, exitCode);
}
