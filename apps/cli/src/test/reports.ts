/** Results for the screen, as TAP 14 and as JSON. */
import { stopwatchText } from '@wirebench/port/numbers';
import type { CheckFault } from '@wirebench/runs';
import type { Colour, Paint } from '../colours.ts';
import { printable } from '../printable.ts';
import {
  isFlaky,
  ordinal,
  type ReportedCase,
  reportedCases,
  secondsOf,
  type TestResult,
  verdictOf,
  verdictText,
} from './test-result.ts';

/** A test for people: its cases, the details of those that did not pass, and its verdict. */
export function screenText(result: TestResult, paint: Paint): string {
  const lines = [
    paint('bold', printable(result.file)),
    ...result.notes.map((note) => `  note    ${printable(note)}`),
    ...reportedCases(result).flatMap((one) => caseLines(one, paint)),
    paint(verdictColour(result), printable(verdictText(result))),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictColour(result: TestResult): Colour {
  return verdictOf(result) !== 'passed' ? 'red' : reportedCases(result).some(isFlaky) ? 'yellow' : 'green';
}

const colours = { passed: 'green', flaky: 'yellow', failed: 'red', error: 'red', skipped: 'dim' } as const;

function caseLines(one: ReportedCase, paint: Paint): readonly string[] {
  const { name, state, seconds, fault, earlier } = one;
  const word = isFlaky(one) ? 'flaky' : state;
  const time = state === 'skipped' ? 'undecided' : `${stopwatchText(seconds * 1_000)} s`;
  return [
    `  ${paint(colours[word], word.padEnd(7))} ${printable(name)} (${time})`,
    ...earlier.map(({ message }, index) => `          ${ordinal(index + 1)} try: ${printable(message)}`),
    ...(fault === null ? [] : fault.text.split('\n').map((line) => `          ${printable(line)}`)),
  ];
}

/** TAP version 14 (testanything.org). Values of a diagnostic are JSON, which is YAML too. */
export function tapText(results: readonly TestResult[]): string {
  const all = results.flatMap((result) => reportedCases(result).map((one) => ({ file: result.file, one })));
  const lines = all.flatMap(({ file, one }, index) => {
    const title = printable(`${file}: ${one.name}`).replaceAll(/[\\#]/g, '\\$&');
    const isOk = one.state === 'passed' || one.state === 'skipped';
    const skip = one.state === 'skipped' ? ' # SKIP undecided' : isFlaky(one) ? ' (flaky)' : '';
    return [`${isOk ? 'ok' : 'not ok'} ${index + 1} - ${title}${skip}`, ...diagnostic(one)];
  });
  const said = results.flatMap((result) => [...result.notes, verdictText(result)]);
  return ['TAP version 14', `1..${all.length}`, ...lines, ...said.map((note) => `# ${printable(note)}`), ''].join('\n');
}

function diagnostic({ fault, earlier, seconds }: ReportedCase): readonly string[] {
  if (fault === null && earlier.length === 0) {
    return [];
  }
  const facts = {
    ...(fault !== null && faultFacts(fault)),
    ...(earlier.length > 0 && { earlier: earlier.map(({ message }) => message) }),
    duration_ms: Math.round(seconds * 1_000),
  };
  return ['  ---', ...Object.entries(facts).map(([key, value]) => `  ${key}: ${asciiJson(value)}`), '  ...'];
}

/** JSON whose characters are all printable ASCII: YAML forbids some that JSON allows. */
const asciiJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Shape of `--json`, documented in `docs/behaviour.md`. */
export function jsonText(results: readonly TestResult[], exitCode: number): string {
  const tests = results.map((result) => ({
    file: result.file,
    name: result.name,
    verdict: verdictOf(result),
    exitCode: result.exitCode,
    startedAt: new Date(result.startedAt).toISOString(),
    seconds: secondsOf(result),
    tries: result.tries.length,
    resets: result.resets,
    flaky: verdictOf(result) === 'passed' && reportedCases(result).some(isFlaky),
    notes: result.notes,
    cases: reportedCases(result).map(({ fault, ...one }) => ({
      name: one.name,
      state: one.state,
      flaky: isFlaky({ fault, ...one }),
      seconds: one.seconds,
      ...(fault === null ? {} : faultFacts(fault)),
      earlier: one.earlier.map(faultFacts),
    })),
    transcript: result.tries.at(-1)?.transcript ?? '',
  }));
  return `${JSON.stringify({ exitCode, tests }, null, 2)}\n`;
}

const faultFacts = ({ type, message, text, awaited, came }: CheckFault) => ({ type, message, text, awaited, came });
