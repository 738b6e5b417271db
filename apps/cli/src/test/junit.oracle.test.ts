/** JUnit files whatever a board has sent: well-formed for `xmllint`, accepted by Debian's `python3-junitparser`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckFault, plainFault, type RunCheck } from '@wirebench/runs';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedSuites, junitText } from './junit.ts';
import { tapText } from './reports.ts';
import type { TestResult } from './test-result.ts';

const python = '/usr/bin/python3';
const parserIsHere = spawnSync(python, ['-c', 'import junitparser']).status === 0;
const linterIsHere = spawnSync('xmllint', ['--version']).status === 0;

/** Reads a file with junitparser and prints names and kinds of results. */
const script = `
import json, sys
from junitparser import JUnitXml
print(json.dumps([[[case.name, [type(result).__name__ for result in case.result]] for case in suite] for suite in JUnitXml.fromfile(sys.argv[1])]))
`;

/** Texts with what XML cannot have: NUL, ESC, C1, lone surrogates, U+FFFE, the end of CDATA. */
const hostile = fc
  .array(
    fc.constantFrom(
      '\0',
      '\x1b[31m',
      ']]>',
      '\ufffe',
      '\uffff',
      '\ud800',
      '\udc00',
      '<![CDATA[',
      '&amp;',
      '"',
      '\x85',
      '\u{1f600}',
      'a',
      '\n',
      ' ',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const fault: fc.Arbitrary<CheckFault> = hostile.map((text) => ({
  type: 'no-answer',
  message: text,
  text,
  command: text,
  cause: text,
  awaited: [text],
  came: [{ at: 1, text }],
  last: text,
  at: 1,
}));

const one: fc.Arbitrary<RunCheck> = fc
  .record({ name: hostile, state: fc.constantFrom('passed', 'failed', 'error', 'skipped'), fault, seconds: fc.nat(9) })
  .map(({ name, state, fault: why, seconds }) => ({
    name,
    state,
    seconds,
    fault: state === 'failed' || state === 'error' ? why : null,
  }));

const result: fc.Arbitrary<TestResult> = fc
  .record({
    file: hostile,
    name: hostile,
    cases: fc.array(one, { minLength: 1, maxLength: 4 }),
    transcript: hostile,
    note: hostile,
  })
  .map(({ file, name, cases, transcript, note }) => ({
    file,
    name,
    startedAt: 0,
    resets: 0,
    notes: [note],
    exitCode: 1,
    tries: [
      {
        cases: cases.map((item) => ({
          ...item,
          state: 'failed',
          fault: plainFault('x', name),
        })),
        seconds: 1,
        transcript: '',
        exitCode: 1,
      },
      { cases, seconds: 1, transcript, exitCode: 1 },
    ],
  }));

describe('JUnit file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-junit-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has no character that XML 1.0 forbids, and each text in one line of TAP', () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 3 }), (results) => {
        const text = junitText(results);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
        expect(tapText(results)).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  it('names the suites that failed, which are read back', () => {
    const failed = (file: string, state: RunCheck['state']): TestResult => ({
      file,
      name: 'x',
      startedAt: 0,
      resets: 0,
      notes: [],
      exitCode: 1,
      tries: [{ cases: [{ name: 'x', state, seconds: 0, fault: null }], seconds: 0, transcript: '', exitCode: 1 }],
    });
    const text = junitText([failed('a <&>".json', 'failed'), failed('b.json', 'passed'), failed('c.json', 'error')]);
    expect(failedSuites(text)).toEqual(new Set(['a <&>".json', 'c.json']));
    expect(() => failedSuites('no xml')).toThrow(SyntaxError);
  });

  it.runIf(parserIsHere && linterIsHere)('is accepted by xmllint and junitparser', { timeout: 300_000 }, () => {
    const files: string[] = [];
    const expected: unknown[] = [];
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 3 }), (results) => {
        const file = join(folder, `${files.length}.xml`);
        writeFileSync(file, junitText(results));
        files.push(file);
        expected.push(results.map(({ tries }) => tries[1]?.cases.length));
      }),
      { numRuns: isLong ? 200 : 10 },
    );
    expect(spawnSync('xmllint', ['--noout', ...files], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    for (const [index, file] of files.entries()) {
      const { stdout, stderr } = spawnSync(python, ['-c', script, file], { encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout).map((suite: unknown[]) => suite.length)).toEqual(expected[index]);
    }
  });
});
