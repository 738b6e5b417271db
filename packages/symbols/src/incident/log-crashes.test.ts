import { describe, expect, it } from 'vitest';
import { crashesOfLog, lineOf } from './log-crashes.ts';

const panic = "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.";
const restart = 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)';
const dump = ['====== CORE DUMP START ======', 'AAAA', '====== CORE DUMP END ======'];

const shape = (lines: readonly string[]) =>
  crashesOfLog(lines.join('\n'), 1).crashes.map((crash) => [
    lineOf(crash),
    crash.incident?.lines[0]?.kind ?? null,
    crash.dump?.line ?? null,
  ]);

describe('crashes of a log', () => {
  it('have the dump that is printed after them', () => {
    expect(shape(['hello', panic, ...dump, restart])).toEqual([[2, 'panic', 3]]);
    expect(shape([panic, ...dump, restart, panic, ...dump])).toEqual([
      [1, 'panic', 2],
      [6, 'panic', 7],
    ]);
  });

  it('lack a dump that another event separates from them', () => {
    expect(shape([panic, restart, restart, ...dump])).toEqual([
      [1, 'panic', null],
      [3, 'reset', null],
      [4, null, 4],
    ]);
  });

  it('keep a second dump of one crash apart', () => {
    expect(shape([panic, ...dump, ...dump])).toEqual([
      [1, 'panic', 2],
      [5, null, 5],
    ]);
  });

  it('are read by port in a log of two boards', () => {
    const exported = (port: number, text: string) => `2026-11-20 14:03:05.123  Port ${port}  RX  ${text}`;
    const [first = '', ...rest] = [panic, ...dump].map((text) => exported(1, text));
    expect(shape([first, exported(2, restart), ...rest])).toEqual([
      [1, 'panic', 3],
      [2, 'reset', null],
    ]);
  });

  it('are counted where older ones are left out', () => {
    const { crashes, omitted } = crashesOfLog(Array.from({ length: 80 }, () => restart).join('\n'), 1);
    expect([crashes.length, omitted]).toEqual([50, 30]);
  });
});
