/**
 * `wirebench test` and Debian's `expect` (D. Libes, NIST) come to the same verdict about the same board with the same
 * steps. The board is a shell that answers each command with the bytes of a file. Linux with expect and socat.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, random } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCall, socatCall } from '../../../../packages/devices/src/testing/pseudo-terminal.ts';
import { ran } from '../testing/monitored-port.ts';

const programsAreHere = canCall(socatCall) && spawnSync('expect', ['-v'], { stdio: 'ignore' }).status === 0;

/** A command, what the board answers to it, and what is awaited. */
interface Step {
  readonly command: string;
  readonly answer: string;
  readonly awaited: { readonly text: string } | { readonly expression: string };
}

const words = ['ok', 'v1.2', 'v9.9', 'PASS', 'error', '[E]', 'a+b', 'ready>'];
/** Expressions that Tcl, told that `$` is also the end of a line, and a JKit read alike. */
const expressions = ['v[0-9]\\.[0-9]', 'PA+SS', '(ok|ready)', 'err.r', '\\[E\\]', 'b$'];

/** Returns the steps of one test. Nearly all of them are answered as awaited; those of the first test end without an answer. */
function steps(source: ReturnType<typeof random>, test: number): readonly Step[] {
  const pick = <Item>(items: readonly Item[]): Item => items[source.below(items.length)] as Item;
  return Array.from({ length: 1 + source.below(4) }, (_, index): Step => {
    const word = pick(words);
    const answer = `${pick(['', 'I (12) main: ', 'noise\r\n'])}${word}${pick(['\r\n', '\n', ''])}`;
    const isAny = source.below(15) === 0;
    const fitting = expressions.filter((expression) => isAny || new RegExp(expression).test(answer));
    const isExpression = fitting.length > 0 && source.below(2) === 0;
    const text = test === 0 && index === 0 ? 'never' : isAny ? pick(words) : word;
    return {
      command: `c${test}-${index}`,
      answer,
      awaited: isExpression && text !== 'never' ? { expression: pick(fitting) } : { text },
    };
  });
}

/** Longest wait of the JKit in milliseconds, and of expect in seconds, which it counts whole. */
const wait = { ours: 1_000, theirs: 2 };

/** Writes text for Tcl. */
const tcl = (text: string) => `[binary format H* ${Buffer.from(text, 'latin1').toString('hex')}]`;

describe.runIf(programsAreHere)('wirebench test', { timeout: 1_800_000 }, () => {
  let folder: string;
  let board: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-expect-'));
    board = join(folder, 'board.sh');
    writeFileSync(board, `cd ${folder}\nwhile read -r command; do cat "$command"; done\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns for each test the number of steps that were answered. */
  function theirs(tests: readonly (readonly Step[])[]): readonly number[] {
    const lines = tests.flatMap((test) => [
      `spawn -noecho sh ${board}`,
      'stty raw -echo < $spawn_out(slave,name)',
      'set passed 0',
      'while 1 {',
      ...test.flatMap(({ command, awaited }) => [
        `send ${tcl(`${command}\n`)}`,
        'set won 0',
        `expect ${'text' in awaited ? '-ex' : '-re'} ${tcl('text' in awaited ? awaited.text : `(?n)${awaited.expression}`)} { set won 1 } timeout {} eof {}`,
        'if {!$won} break',
        'incr passed',
      ]),
      'break',
      '}',
      'puts $passed',
      'close',
      'wait',
    ]);
    const file = join(folder, 'steps.exp');
    writeFileSync(file, [`log_user 0`, `set timeout ${wait.theirs}`, ...lines].join('\n'));
    const { stdout, stderr } = spawnSync('expect', [file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split(/\s+/).map(Number);
  }

  async function ours(tests: readonly (readonly Step[])[]): Promise<readonly number[]> {
    const path = join(folder, 'port');
    const socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, `exec:sh ${board}`], { stdio: 'ignore' });
    await expect.poll(() => existsSync(path)).toBe(true);
    // socat would end with its last reader.
    const keeper = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    try {
      const files = tests.map((test, index) => {
        const fields = test.map(({ command, awaited }) => {
          const answer = 'text' in awaited ? awaited : { expression: `/${awaited.expression}/` };
          return { content: command, timeoutMs: wait.ours, flow: { answers: [answer] } };
        });
        const file = join(folder, `${index}.json`);
        writeFileSync(file, JSON.stringify({ name: `${index}`, fields }));
        return file;
      });
      const { text } = await ran('test', ...files, '--port', path, '--settle', '0', '--json');
      const report = JSON.parse(text.slice(text.indexOf('{'))) as {
        readonly tests: readonly { readonly cases: readonly { readonly state: string }[] }[];
      };
      return report.tests.map(({ cases }) => cases.filter(({ state }) => state === 'passed').length);
    } finally {
      closeSync(keeper);
      const over = once(socat, 'exit');
      socat.kill();
      await over;
    }
  }

  it('answers as many steps as expect does', async () => {
    const source = random('steps');
    const tests = Array.from({ length: isLong ? 500 : 4 }, (_, test) => steps(source, test));
    for (const { command, answer } of tests.flat()) {
      writeFileSync(join(folder, command), answer);
    }
    const expected = theirs(tests);
    expect(await ours(tests)).toEqual(expected);
    const isPassed = expected.map((passed, index) => passed === tests[index]?.length);
    expect(new Set(isPassed)).toEqual(new Set([true, false]));
  });
});
