import type { Terminal } from '@xterm/xterm';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTerminal } from './make-terminal.ts';

let terminal: Terminal;
afterEach(() => terminal.dispose());

function rig(allowed = true) {
  const answers: string[] = [];
  const typed: string[] = [];
  const made = makeTerminal({ cols: 80, rows: 24 }, { allowed: () => allowed, send: (answer) => answers.push(answer) });
  terminal = made.terminal;
  made.onInput((data) => typed.push(data));
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  const line = (row: number) => terminal.buffer.active.getLine(row)?.translateToString(true);
  return { answers, typed, write, line };
}

/** Queries of programs and the answers of an xterm (XTerm Control Sequences). */
const queries = [
  ['DA1', '\x1b[c', '\x1b[?1;2c'],
  ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
  ['DSR', '\x1b[5n', '\x1b[0n'],
  ['CPR', '\x1b[3;7H\x1b[6n', '\x1b[3;7R'],
  ['DECXCPR', '\x1b[3;7H\x1b[?6n', '\x1b[?3;7R'],
  ['DECRQM of a private mode', '\x1b[?7$p', '\x1b[?7;1$y'],
  ['DECRQM of an ANSI mode', '\x1b[4$p', '\x1b[4;2$y'],
  ['DECRQSS', '\x1bP$qr\x1b\\', '\x1bP1$r1;24r\x1b\\'],
  ['the size in characters', '\x1b[18t', '\x1b[8;24;80t'],
] as const;

describe('a terminal of a Screen', () => {
  it.each(queries)('answers %s exactly once', async (_, query, answer) => {
    const { answers, typed, write } = rig();
    await write(query);
    expect(answers).toEqual([answer]);
    expect(typed).toEqual([]);
  });

  it.each(queries)('does not answer %s while it must not', async (_, query) => {
    const { answers, typed, write } = rig(false);
    await write(`${query}${query}`);
    expect([...answers, ...typed]).toEqual([]);
  });

  it('answers no sequence at all while it must not', async () => {
    const { answers, typed, write } = rig(false);
    const finals = Array.from({ length: 63 }, (_, index) => String.fromCharCode(0x40 + index));
    const between = ['', ' ', '!', '"', '#', '$', '%', '&', "'", '*', '+', ',', '-', '.', '/'];
    for (const prefix of ['', '?', '>', '=', '<']) {
      for (const intermediate of between) {
        await write(
          finals
            .flatMap((final) =>
              ['', '0', '1', '5', '6', '14', '18', '21'].map(
                (count) => `\x1b[${prefix}${count}${intermediate}${final}`,
              ),
            )
            .join(''),
        );
      }
    }
    for (let code = 0; code < 200; code++) {
      await write(`\x1b]${code};?\x07\x1b]${code};1;?\x1b\\\x1bP+q${code}\x1b\\\x1bP$q${code}m\x1b\\`);
    }
    await write('\x05\x1bZ');
    expect([...answers, ...typed]).toEqual([]);
  });

  it('sends no answerback, title, colour or window report that a shell could run', async () => {
    const { answers, write } = rig();
    await write('\x05\x1b]2;rm -rf /\x07\x1b[21t\x1b[20t\x1b]0;x\x07\x1b[14t\x1b[16t\x1b[19t');
    expect(answers).toEqual([]);
  });

  it('keeps titles, links, the clipboard and notifications of a board without effect', async () => {
    const { answers, write, line } = rig();
    const titles: string[] = [];
    terminal.onTitleChange((title) => titles.push(title));
    await write('\x1b]52;c;aGVsbG8=\x07\x1b]0;title\x07\x1b]9;hi\x07\x1b]777;notify;a;b\x07\x1b]1337;File=:AA==\x07');
    await write('\x1b]8;;javascript:alert(1)\x1b\\link\x1b]8;;\x1b\\');
    expect(titles).toEqual([]);
    expect(answers).toEqual([]);
    expect(line(0)).toBe('link');
  });

  it('does nothing for counts that would take it minutes', async () => {
    const { write, line } = rig();
    await write('a\x1b[2147483647S\x1b[2147483647T\x1b[2147483647L\x1b[2147483647M\x1b[2147483647b');
    await write("\x1b[2147483647 @\x1b[2147483647 A\x1b[2147483647'}\x1b[2147483647'~b");
    expect(line(0)).toBe('ab');
  });

  it('distinguishes what a person types from answers', async () => {
    const { answers, typed, write } = rig();
    const parsed = write('\x1b[6n');
    terminal.input('x', true);
    await parsed;
    terminal.input('y', true);
    expect(typed).toEqual(['x', 'y']);
    expect(answers).toEqual(['\x1b[1;1R']);
  });
});
