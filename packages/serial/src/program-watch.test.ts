import { describe, expect, it } from 'vitest';
import { ProgramWatch } from './program-watch.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const moves = (count: number) => Array.from({ length: count }, (_, row) => `\x1b[${row + 1};1H~`).join('');
const lines = (count: number) => 'plain\r\n'.repeat(count);

/** Returns the states of a watch after each text, 100 ms apart. */
function statesAfter(...texts: readonly string[]): boolean[] {
  const watch = new ProgramWatch();
  return texts.map((text, index) => {
    watch.received(utf8(text), 100 * index);
    return watch.isRunning;
  });
}

describe('a full-screen program', () => {
  it.each([47, 1047, 1049])('runs in the alternate screen of mode %d until it is left', (mode) => {
    expect(statesAfter(`$ vi\r\n\x1b[?${mode}h`, 'text', `\x1b[?${mode}l$ `)).toEqual([true, true, false]);
  });

  it('is noticed in a sequence with other modes, and in one that is cut anywhere', () => {
    expect(statesAfter('\x1b[?1;1049h', '\x1b[?1049;25l')).toEqual([true, false]);
    for (let at = 1; at < 8; at++) {
      expect(statesAfter('\x1b[?1049h'.slice(0, at), '\x1b[?1049h'.slice(at))).toEqual([false, true]);
    }
  });

  it('runs after ten moves between rows within a second', () => {
    expect(statesAfter(moves(9), moves(1))).toEqual([false, true]);
    expect(statesAfter(...Array.from({ length: 30 }, () => '\x1b[3;1Htime'))).toContain(true);
    const slow = new ProgramWatch();
    for (let at = 0; at < 20_000; at += 200) {
      slow.received(utf8('\x1b[H12:00:01'), at);
    }
    expect(slow.isRunning).toBe(false);
  });

  it('is gone after a screen of lines without a move', () => {
    expect(statesAfter(moves(10), lines(23), lines(1))).toEqual([true, true, false]);
    expect(statesAfter(moves(10), lines(23), moves(1), lines(23))).toEqual([true, true, true, true]);
  });

  it('stays in the alternate screen while a pager scrolls by a tall window, and ends with the text of a restart', () => {
    expect(statesAfter('\x1b[?1049h', lines(79), moves(1), lines(79))).toEqual([true, true, true, true]);
    expect(statesAfter('\x1b[?1049h', lines(199), lines(1), lines(30))).toEqual([true, true, false, false]);
  });

  it('is not seen in a command line that is drawn again with each key, nor in a coloured log', () => {
    const keys = Array.from({ length: 40 }, (_, at) => `\r\x1b[0Kesp> ${'x'.repeat(at)}\x1b[0K\r\x1b[${at + 5}C`);
    expect(statesAfter(...keys, keys.join(''))).not.toContain(true);
    expect(statesAfter('\x1b[0;32mI (24) boot: ready\x1b[0m\r\n'.repeat(100))).toEqual([false]);
    expect(statesAfter('\x1b]0;title with 1049h\x07\x1b[?25l\x1b[?2004h$ ')).toEqual([false]);
  });

  it('says when it changes, and starts again with a connection', () => {
    const watch = new ProgramWatch();
    expect(watch.received(utf8('\x1b[?1049h'), 0)).toBe(true);
    expect(watch.received(utf8('\x1b[2J'), 1)).toBe(false);
    watch.reset();
    expect(watch.isRunning).toBe(false);
    expect(watch.received(utf8('049h'), 2)).toBe(false);
  });
});
