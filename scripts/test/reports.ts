/** Reads how many tests passed, failed and were skipped from what Vitest and Playwright write. Never runs anything. */
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

/** A runner that failed without a failed test (a file that does not load, an error outside of tests) counts as one. */
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

/** A test that passed only when it was tried again is a failed one: a race is a fault. */
export function countPlaywright(file: string, exitCode: number): Counts {
  if (!existsSync(file)) {
    return failedOnce;
  }
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  return withExitCode(counts, exitCode);
}
