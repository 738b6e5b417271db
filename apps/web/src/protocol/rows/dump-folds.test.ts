import { describe, expect, it } from 'vitest';
import { DumpFolds } from './dump-folds.ts';

const start = '================= CORE DUMP START =================';
const end = '================= CORE DUMP END =================';

/** Feeds the lines, numbered from 0. */
function feed(folds: DumpFolds, lines: readonly string[], from = 0): void {
  for (const [index, line] of lines.entries()) {
    folds.line(line, from + index, 1_000 + from + index);
  }
}

describe('the lines of a core dump', () => {
  it('are folded from its first line on, up to whatever still comes', () => {
    const folds = new DumpFolds();
    feed(folds, ['I (1) main: up', start]);
    expect(folds.folds).toBeUndefined();
    feed(folds, ['AAAA', 'BBB='], 2);
    expect(folds.folds).toEqual([{ from: 1, end: Number.POSITIVE_INFINITY }]);
    expect(folds.stripAt(3)).toMatchObject({ state: 'receiving', lines: 2, bytes: 5, at: 1_001 });
    feed(folds, [end, 'Rebooting...'], 4);
    expect(folds.folds).toEqual([{ from: 1, end: 5 }]);
    expect(folds.stripAt(4)).toMatchObject({ state: 'whole', lines: 2, shown: false });
    expect(folds.stripAt(5)).toBeNull();
  });

  it('are folded for Zephyr, behind the prefix of its log', () => {
    const folds = new DumpFolds();
    const log = '[00:00:00.010,000] <err> coredump: ';
    feed(folds, [`${log}#CD:BEGIN#`, `${log}#CD:5a4502000300050004000000`, `${log}#CD:4101`, `${log}#CD:END#`, 'done']);
    expect(folds.folds).toEqual([{ from: 0, end: 4 }]);
    expect(folds.stripAt(1)).toMatchObject({ state: 'whole', lines: 2, bytes: 14 });
  });

  it('continue after one foreign line', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'AAAA', 'W (2) wifi: other core']);
    expect(folds.folds).toEqual([{ from: 0, end: 2 }]);
    feed(folds, ['BBBB', end], 3);
    expect(folds.folds).toEqual([{ from: 0, end: 5 }]);
  });

  it('end where the board restarts in the middle: what comes then is shown, also a word that could be Base64', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'AAAA', 'BBESP-ROM:esp32c3-api1-20210207', 'Build:Feb  7 2021', 'done']);
    expect(folds.folds).toEqual([{ from: 0, end: 2 }]);
    expect(folds.stripAt(1)?.state).toBe('unfinished');
    expect(folds.concerns('done\n')).toBe(false);
  });

  it('end where the next dump begins', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'AAAA', start, 'BBBB', end]);
    expect(folds.folds).toEqual([
      { from: 0, end: 2 },
      { from: 2, end: 5 },
    ]);
    expect(folds.stripAt(1)?.state).toBe('unfinished');
  });

  it('are unfinished after a silence, and go on with the next one', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'AAAA']);
    expect(folds.stop()).toBe(true);
    expect(folds.stop()).toBe(false);
    expect(folds.folds).toEqual([{ from: 0, end: 2 }]);
    feed(folds, ['BBBB'], 2);
    expect(folds.stripAt(2)?.state).toBe('receiving');
  });

  it('do not include words that come after it stopped', () => {
    const full = 'A'.repeat(64);
    const folds = new DumpFolds();
    feed(folds, [start, full, full, 'AAAAAA==']);
    folds.stop();
    feed(folds, ['help', 'done', 'wifi'], 4);
    expect(folds.folds).toEqual([{ from: 0, end: 4 }]);
    expect(folds.stripAt(3)).toMatchObject({ state: 'unfinished', lines: 3, bytes: 100 });
  });

  it('do not include words that come while it stops', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'A'.repeat(64), 'help', 'wifiDone', 'okay']);
    expect(folds.folds).toEqual([{ from: 0, end: 2 }]);
  });

  it('are folded behind the prefix of a tool', () => {
    const folds = new DumpFolds();
    feed(
      folds,
      [start, 'AAAA', 'BBBB', end].map((line, index) => `\u001b[K<esp ${index + 8}> ${line}`),
    );
    expect(folds.folds).toEqual([{ from: 0, end: 4 }]);
    expect(folds.stripAt(1)).toMatchObject({ state: 'whole', lines: 2, bytes: 6 });
  });

  it('are shown one by one when a person wants them', () => {
    const folds = new DumpFolds();
    feed(folds, [start, 'AAAA', end]);
    expect(folds.show(1, true)).toBe(true);
    expect(folds.show(1, true)).toBe(false);
    expect(folds.show(7, true)).toBe(false);
    expect(folds.folds).toBeUndefined();
    expect(folds.stripAt(0)?.shown).toBe(true);
  });

  it('are not folded for a mark alone', () => {
    const folds = new DumpFolds();
    feed(folds, ['> echo CORE DUMP START', 'demo> help', 'demo> info']);
    expect(folds.folds).toBeUndefined();
    expect(folds.stripAt(0)).toBeNull();
  });
});
