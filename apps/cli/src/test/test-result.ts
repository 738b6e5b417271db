/** Results of tests on boards: what the screen, JUnit, TAP and JSON are made from. */
import { type CheckFault, checksText, type RunCheck, verdictOfChecks } from '@wirebench/runs';
import type { ExitCode } from '../exit-code.ts';

/** One try of a test. */
export interface TestTry {
  readonly cases: readonly RunCheck[];
  readonly seconds: number;
  readonly transcript: string;
  readonly exitCode: ExitCode;
}

/** A test case with the faults of the tries before its last one. */
export interface ReportedCase extends RunCheck {
  readonly earlier: readonly CheckFault[];
}

export interface TestResult {
  /** Path or link as it was given. */
  readonly file: string;
  readonly name: string;
  /** Start in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly tries: readonly TestTry[];
  /** Number of resets by the program because a board said nothing. */
  readonly resets: number;
  /** Sentences about the test and its boards. */
  readonly notes: readonly string[];
  readonly exitCode: ExitCode;
}

export const verdictWords = { passed: 'passed', failed: 'failed', error: 'error' } as const;

/** Verdict of a test by its last try. */
export const verdictOf = ({ tries }: Pick<TestResult, 'tries'>): keyof typeof verdictWords =>
  verdictOfChecks(tries.at(-1)?.cases ?? []);

/** Cases of the last try, each with its faults in the tries before. */
export function reportedCases({ tries }: Pick<TestResult, 'tries'>): readonly ReportedCase[] {
  const last = tries.at(-1)?.cases ?? [];
  return last.map((one, index) => ({
    ...one,
    earlier: tries.slice(0, -1).flatMap(({ cases }) => cases[index]?.fault ?? []),
  }));
}

/** Returns true for a case that passed after a try in which it did not. */
export const isFlaky = ({ state, earlier }: ReportedCase): boolean => state === 'passed' && earlier.length > 0;

export const secondsOf = ({ tries }: Pick<TestResult, 'tries'>): number =>
  tries.reduce((sum, { seconds }) => sum + seconds, 0);

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const endings = ['th', 'st', 'nd', 'rd'];
  const last = number % 100;
  return `${number}${(last >= 11 && last <= 13 ? undefined : endings[number % 10]) ?? 'th'}`;
}

/** Sentence about the whole test, for the screen and the log. */
export function verdictText(result: TestResult): string {
  const cases = reportedCases(result);
  const flaky = cases.filter(isFlaky).length;
  const parts = [
    `${checksText(cases)} passed`,
    ...(flaky > 0 ? [`${flaky} of them flaky`] : []),
    ...(result.tries.length > 1 ? [tryText(result)] : []),
    ...(result.resets > 0 ? ['after a reset by this program'] : []),
  ];
  return `Test ${verdictOf(result)}: ${result.name}, ${parts.join(', ')}`;
}

function tryText(result: TestResult): string {
  const { length } = result.tries;
  return verdictOf(result) === 'passed' ? `passed at the ${ordinal(length)} try` : `${length} tries`;
}
