/**
 * Debian's `expect` (D. Libes, NIST) decides the same answers, gives the same groups and leaves the same rest as a
 * conversation does. Thousands of random cases go through one process. Runs if expect is installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, latin1, utf8 } from '../testing/line-channels.ts';
import { Conversation } from './conversation.ts';

const hasExpect = spawnSync('expect', ['-v'], { stdio: 'ignore' }).status === 0;

interface Answer {
  readonly kind: 'text' | 'expression';
  readonly words: string;
}

/** @property before Bytes that arrive before anything waits for the answers. */
interface Wait {
  readonly before: string;
  readonly answers: readonly Answer[];
}

interface Case {
  readonly waits: readonly Wait[];
  /** Arrives while the waits go on, one after the other. */
  readonly stream: string;
}

const units = fc.constantFrom('a', 'b', '1', '2', ';', '\n');
const text = fc.string({ unit: units, minLength: 1, maxLength: 3 }).map((words): Answer => ({ kind: 'text', words }));
/**
 * Expressions whose end is the same whether they take as little or as much as they can. No group of them is empty: for
 * those expect gives the whole buffer.
 */
const expression = fc
  .constantFrom(
    '([0-9]+);',
    '(a|b)1',
    'a(b+)(1)',
    '^([ab]+);',
    '(a)(b)?;',
    '^1',
    '([^;\\n]+);',
    '(1|2)\n',
    'b[ab]*(;)',
    '(?:a|1)(b)',
  )
  .map((words): Answer => ({ kind: 'expression', words }));
const stream = fc.string({ unit: units, maxLength: 40 });

/** Several answers side by side: expect prefers the first of the list that is there, so each byte is one read. */
const sideBySide: fc.Arbitrary<Case> = fc.record({
  waits: fc.array(
    fc.record({
      before: fc.constant(''),
      answers: fc.array(fc.oneof(text, expression), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  stream,
});

/** One answer at a time, with bytes that come in between. */
const inTurn: fc.Arbitrary<Case> = fc.record({
  waits: fc.array(
    fc.record({
      before: fc.string({ unit: units, maxLength: 12 }),
      answers: fc.oneof(text, expression).map((answer) => [answer]),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  stream,
});

const hex = (words: string) => Buffer.from(words, 'latin1').toString('hex');
const word = (words: string) => `[binary format H* {${hex(words)}}]`;

/** Program for expect that prints the result of each wait: index, groups and taken bytes in hex. */
function script(cases: readonly Case[]): string {
  const lines = [
    'log_user 0',
    'set timeout 0',
    'proc hex {text} { binary scan $text H* digits; return $digits }',
    'proc group {number} { upvar expect_out out; if {[info exists out($number,string)]} { return [hex $out($number,string)] }; return - }',
  ];
  for (const { waits, stream } of cases) {
    lines.push(
      'lassign [chan pipe] r w',
      'fconfigure $w -buffering none -translation binary',
      'fconfigure $r -translation binary',
      'spawn -open $r',
      'match_max 100000',
      `set rest [list ${[...stream].map(word).join(' ')}]`,
      'set result {}',
      'set over 0',
      'set held 0',
    );
    for (const { before, answers } of waits) {
      const patterns = answers.map(({ kind, words }, index) => {
        const flag = kind === 'text' ? '-ex' : '-re';
        const pattern = word(kind === 'text' ? words : `(?n)${words}`);
        return `${flag} ${pattern} { set won ${index} }`;
      });
      lines.push(
        'if {!$over} {',
        ...(before === '' ? [] : [`puts -nonewline $w ${word(before)}`, `incr held ${before.length}`]),
        'set won -1',
        'array unset expect_out',
        'while 1 {',
        // With a timeout of 0, expect looks at what it has read. A thread of Tcl reads, at a time of its own: wait for it.
        'set timeout 60',
        'if {$held > 0} { expect -notransfer -re "^.{$held}" {} timeout { error "Not read: $held bytes." } }',
        'set timeout 0',
        'array unset expect_out',
        `expect ${patterns.join(' ')} timeout {}`,
        'if {$won >= 0 || [llength $rest] == 0} break',
        'puts -nonewline $w [lindex $rest 0]',
        'set rest [lrange $rest 1 end]',
        'incr held',
        '}',
        'if {$won < 0} { set over 1; lappend result none } else {',
        'lappend result "$won [group 1] [group 2] [hex $expect_out(buffer)]"',
        'incr held -[string length $expect_out(buffer)]',
        '}',
        '}',
      );
    }
    lines.push('puts [join $result ,]', 'close', 'wait', 'close $w');
  }
  return lines.join('\n');
}

function theirs(cases: readonly Case[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-expect-'));
  try {
    const file = join(folder, 'cases.exp');
    writeFileSync(file, script(cases));
    const { stdout, stderr } = spawnSync('expect', [file], { encoding: 'utf8', timeout: 100_000 });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param cuts Places at which the stream is cut into pieces, which must not matter. */
async function ours({ waits, stream }: Case, cuts: readonly number[]): Promise<string> {
  const clock = new VirtualClock();
  const conversation = new Conversation({
    clock,
    send: () => Promise.resolve(),
    asksForSecret: () => false,
    sendTime: () => 0,
    stopSending: () => undefined,
    isOpen: () => true,
    onEnd: () => undefined,
  });
  const results: string[] = [];
  const pieces = cutAt(utf8(stream), cuts);
  let taken = '';
  for (const { before, answers } of waits) {
    if (before !== '') {
      conversation.received(utf8(before), 0);
      taken += before;
    }
    const patterns = answers.map(({ kind, words }) =>
      kind === 'text'
        ? ({ kind: 'bytes', bytes: utf8(words) } as const)
        : ({ kind: 'expression', source: words, flags: '' } as const),
    );
    const asked = conversation.exchange(
      { bytes: null, answers: patterns, fresh: false, timeout: 1_000 },
      new AbortController().signal,
    );
    let isOver = false;
    void asked.then(() => {
      isOver = true;
    });
    await clock.settle();
    while (!isOver && pieces.length > 0) {
      const piece = pieces.shift() ?? new Uint8Array();
      taken += latin1(piece);
      conversation.received(piece, 0);
      await clock.settle();
    }
    await clock.advance(2_000);
    const outcome = await asked;
    if (outcome.kind !== 'answered') {
      results.push('none');
      break;
    }
    const group = (number: number) => {
      const value = outcome.groups[number];
      return value === undefined || value === null ? '-' : hex(latin1(value));
    };
    results.push(`${outcome.answer} ${group(1)} ${group(2)} ${hex(taken.slice(0, outcome.taken))}`);
    taken = taken.slice(outcome.taken);
  }
  return results.join(',');
}

describe.runIf(hasExpect)('expect', { timeout: 120_000 }, () => {
  it.each([
    ['several answers side by side, however the bytes are cut', sideBySide, 2_000, false],
    ['one answer at a time, with bytes that come in between', inTurn, 1_000, true],
  ])('decides %s, as a conversation does', async (_what, arbitrary, count, isByteByByte) => {
    const cases = fc.sample(fc.tuple(arbitrary, fc.array(fc.nat({ max: 40 }), { maxLength: 8 })), {
      numRuns: count,
    });
    const expected = theirs(cases.map(([given]) => given));
    const got = [];
    for (const [given, cuts] of cases) {
      got.push(await ours(given, isByteByByte ? [...given.stream].map((_, index) => index) : cuts));
    }
    expect(got.length).toBe(expected.length);
    const wrong = got.flatMap((result, index) =>
      result === expected[index] ? [] : [{ given: cases[index], result, expected: expected[index] }],
    );
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(got.filter((result) => !result.endsWith('none')).length).toBeGreaterThan(count / 20);
  });
});
