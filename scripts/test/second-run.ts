/**
 * Decides a test run: files with a failed test run once more, alone, after everything else has ended. Tests that pass
 * then are listed and do not make the run red. Everything else that failed is failed.
 */
import {
  countFile,
  failedTestsOf,
  type PlannedFile,
  type ReportedFile,
  type ReportedTest,
  type TestReport,
} from './report.ts';
import { type Counts, sum } from './step.ts';

/** Files that may run a second time. More failed files are a fault of the change or of the machine. */
const MAX_FILES = 10;

/**
 * Tests that passed only in the second run twice, as the table prints them. They have no second run until they are
 * mended.
 */
const unmended: readonly string[] = [];

/** Starts a test runner. */
export interface TestRunner {
  /**
   * Runs all tests, or one file in a process and a worker of its own. Null if the runner left no report. A runner that
   * exits with a failure reports at least one failed test, failed hook or error.
   */
  run(file?: PlannedFile): Promise<TestReport | null>;
}

/** A failed test that passed in the second run. */
interface PassedLater {
  readonly test: string;
  readonly error: string;
  readonly load: number;
}

/** Result of both runs of a file, or of all files of a runner. */
export interface Verdict {
  readonly counts: Counts;
  readonly passedLater: readonly PassedLater[];
  /** Failures that remain, each in one line. */
  readonly failures: readonly string[];
}

/** A first run of a runner. `report` is null if the runner left none. */
export interface FirstRun {
  readonly runner: TestRunner;
  readonly report: TestReport | null;
}

/** Benchmarks measure a machine and are not repeated until they pass. */
const isBenchmark = ({ path }: ReportedFile): boolean =>
  path.startsWith('benchmarks/') || path === 'e2e/tests/benchmarks.spec.ts';

/** Makes names unique: tests of a file may have the same name. */
function byName(tests: readonly ReportedTest[]): ReadonlyMap<string, ReportedTest> {
  const named = new Map<string, ReportedTest>();
  for (const test of tests) {
    let number = 1;
    while (named.has(`${test.name} ${number}`)) {
      number++;
    }
    named.set(`${test.name} ${number}`, test);
  }
  return named;
}

/** The verdict of a file that does not run again. */
const verdictOf = (file: ReportedFile): Verdict => ({
  counts: countFile(file),
  passedLater: [],
  failures: failedTestsOf(file).map(({ name, error }) => `${file.path} › ${name}: ${error}`),
});

/**
 * Compares the runs of a file. Only tests that ran and passed count. Tests that are missing in the second run, or
 * skipped in it without having been skipped on purpose in both runs, are failed.
 */
export function judgeFile(
  first: ReportedFile,
  second: TestReport | null,
  withoutSecondRun: readonly string[] = unmended,
): Verdict {
  const again = second?.files.find(({ project, path }) => project === first.project && path === first.path);
  if (again === undefined) {
    const verdict = verdictOf(first);
    const reason = second?.errors[0] ?? 'no report, or no time left';
    return { ...verdict, failures: [`${first.path}: it did not run a second time (${reason}).`, ...verdict.failures] };
  }
  const later = byName(again.tests);
  const earlier = byName(first.tests);
  const failures = [
    ...again.failedHooks.map(({ name, error }) => `${first.path} › ${name}: ${error}`),
    ...(second?.errors ?? []).map((error) => `${first.path}: ${error}`),
  ];
  let passed = 0;
  let skipped = 0;
  const passedLater: PassedLater[] = [];
  for (const [key, { name, state, error, load, isSkippedOnPurpose }] of earlier) {
    const now = later.get(key);
    const test = `${first.path} › ${name}`;
    if (state === 'failed' && withoutSecondRun.includes(test)) {
      failures.push(`${test}: ${error} (no second run until it is mended)`);
    } else if (now?.state === 'passed') {
      passed++;
      if (state === 'failed') {
        passedLater.push({ test, error, load });
      }
    } else if (now?.state === 'skipped' && now.isSkippedOnPurpose && isSkippedOnPurpose) {
      skipped++;
    } else {
      const reason =
        now === undefined ? 'missing in the second run' : now.state === 'skipped' ? 'skipped in the second run' : '';
      failures.push(`${test}: ${reason || now?.error}`);
    }
  }
  for (const { name, error, load } of first.failedHooks) {
    const test = `${first.path} › ${name}`;
    if (withoutSecondRun.includes(test)) {
      failures.push(`${test}: ${error} (no second run until it is mended)`);
    } else if (again.failedHooks.length === 0) {
      passedLater.push({ test, error, load });
    }
  }
  for (const key of later.keys()) {
    if (!earlier.has(key)) {
      failures.push(`${first.path} › ${key}: ran only in the second run`);
    }
  }
  return { counts: { passed, failed: failures.length, skipped }, passedLater, failures };
}

/** Joins the verdicts of parts. */
const joined = (verdicts: readonly Verdict[]): Verdict => ({
  counts: sum(verdicts.map(({ counts }) => counts)),
  passedLater: verdicts.flatMap(({ passedLater }) => passedLater),
  failures: verdicts.flatMap(({ failures }) => failures),
});

/** The verdict of failures outside of tests, which have no second run. */
const failed = (...failures: readonly string[]): Verdict => ({
  counts: { passed: 0, failed: failures.length, skipped: 0 },
  passedLater: [],
  failures,
});

const runsAgain = (file: ReportedFile) => failedTestsOf(file).length > 0 && !isBenchmark(file);

/**
 * Runs the failed files of all runners a second time, one after the other.
 *
 * @param firstRuns By a name of the caller, which is that of the returned verdict.
 * @param announce Called before each file with its path.
 * @param within Starts a run, or resolves with null if no time is left for it.
 */
export async function decide(
  firstRuns: ReadonlyMap<string, FirstRun>,
  announce: (path: string) => void,
  within: (start: () => Promise<TestReport | null>) => Promise<TestReport | null> = (start) => start(),
): Promise<ReadonlyMap<string, Verdict>> {
  const failedFiles = [...firstRuns.values()].flatMap(({ report }) => report?.files.filter(runsAgain) ?? []);
  const isTooMany = failedFiles.length > MAX_FILES;
  if (isTooMany) {
    announce(`none of ${failedFiles.length} failed files: more than ${MAX_FILES} are red at once`);
  }
  const verdicts = new Map<string, Verdict>();
  for (const [name, { runner, report }] of firstRuns) {
    const parts = [report === null ? failed('The runner left no report.') : failed(...report.errors)];
    for (const file of report?.files ?? []) {
      if (runsAgain(file) && !isTooMany) {
        announce(file.path);
        parts.push(judgeFile(file, await within(() => runner.run(file))));
      } else {
        parts.push(verdictOf(file));
      }
    }
    verdicts.set(name, joined(parts));
  }
  return verdicts;
}
