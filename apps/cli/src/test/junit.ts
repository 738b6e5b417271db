/**
 * Results as JUnit XML in the form of Maven Surefire (`surefire-test-report.xsd` 3.0.2), with `flakyFailure` and
 * `rerunFailure`. The file is well-formed XML 1.0 whatever bytes a board has sent.
 */
import type { CheckFault } from '@wirebench/runs';
import { isFlaky, type ReportedCase, reportedCases, secondsOf, type TestResult, verdictText } from './test-result.ts';

/** Characters that XML 1.0 forbids (section 2.2), and other controls, which a reader would not see. */
const invisible = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Writes controls and characters that XML has not as `\xNN` and `\u{NNNN}`. */
const visible = (text: string): string =>
  text.replaceAll(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });

const xmlText = (text: string): string =>
  visible(text).replaceAll(/[&<>]/g, (character) => entities[character] ?? character);

const xmlAttribute = (text: string): string =>
  visible(text).replaceAll(/[&<>"\n\t]/g, (character) => entities[character] ?? character);

const seconds = (value: number) => value.toFixed(3);

export function junitText(results: readonly TestResult[]): string {
  const suites = results.map(suiteText).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites}</testsuites>\n`;
}

function suiteText(result: TestResult): string {
  const cases = reportedCases(result);
  const count = (state: ReportedCase['state']) => cases.filter((one) => one.state === state).length;
  const flakes = cases.filter(isFlaky).length;
  const facts = {
    name: result.file,
    timestamp: new Date(result.startedAt).toISOString().slice(0, 19),
    time: seconds(secondsOf(result)),
    tests: String(cases.length),
    errors: String(count('error')),
    skipped: String(count('skipped')),
    failures: String(count('failed')),
    flakes: String(flakes),
  };
  const last = result.tries.at(-1);
  const properties = { jkit: result.name, verdict: verdictText(result), resets: String(result.resets) };
  return [
    `  <testsuite${attributes(facts)}>\n`,
    '    <properties>\n',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributes({ name, value })}/>\n`),
    '    </properties>\n',
    ...cases.map((one) => caseText(result, one)),
    `    <system-out>${xmlText(last?.transcript ?? '')}</system-out>\n`,
    `    <system-err>${xmlText(result.notes.join('\n'))}</system-err>\n`,
    '  </testsuite>\n',
  ].join('');
}

function caseText({ file }: TestResult, { name, state, seconds: time, fault, earlier }: ReportedCase): string {
  const parts = [
    ...(state === 'skipped' ? ['      <skipped message="not reached, or went on without an answer"/>\n'] : []),
    ...(fault === null ? [] : [faultText(state === 'error' ? 'error' : 'failure', fault)]),
    ...earlier.map((one) => earlierText(state === 'passed' ? 'flakyFailure' : 'rerunFailure', one)),
  ];
  const head = `    <testcase${attributes({ name, classname: file, time: seconds(time) })}`;
  return parts.length === 0 ? `${head}/>\n` : `${head}>\n${parts.join('')}    </testcase>\n`;
}

const faultText = (element: string, { type, message, text }: CheckFault) =>
  `      <${element}${attributes({ message, type })}>${xmlText(text)}</${element}>\n`;

const earlierText = (element: string, { type, message, text }: CheckFault) =>
  `      <${element}${attributes({ message, type })}><stackTrace>${xmlText(text)}</stackTrace></${element}>\n`;

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlAttribute(value)}"`)
    .join('');

/**
 * Returns the names of the suites with a failure or an error in a JUnit file.
 *
 * @throws SyntaxError for a text without suites.
 */
export function failedSuites(xml: string): ReadonlySet<string> {
  const suites = [...xml.matchAll(/<testsuite\s([^>]*)>/g)].map(([, facts = '']) =>
    Object.fromEntries(
      [...facts.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key, one, other]) => [
        key,
        plain(one ?? other ?? ''),
      ]),
    ),
  );
  if (suites.length === 0) {
    throw new SyntaxError('it has no test suites');
  }
  const isFailed = ({ failures = '0', errors = '0' }: Record<string, string>) => failures !== '0' || errors !== '0';
  return new Set(suites.filter(isFailed).map(({ name = '' }) => name));
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (named[name] ?? whole),
  );
