import { addressesOf, addressRows, PanicRecogniser } from '@wirebench/symbols';
import { expect, it } from 'vitest';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { alignedFrames, type ComparedFrame, comparedIncident, comparedRegisters } from './compare-crashes.ts';

const frame = (name: string | null, line = 1): ComparedFrame => ({
  pc: 0x4200_0000 + line,
  places: name === null ? [] : [{ name, file: 'main.c', line }],
});

const shown = (first: readonly ComparedFrame[], second: readonly ComparedFrame[]) =>
  alignedFrames(first, second).map(
    ({ first: one, second: other, sameness }) =>
      `${one?.places[0]?.name ?? '-'} ${other?.places[0]?.name ?? '-'} ${sameness}`,
  );

it('puts frames of the same function beside each other, also behind one that only one crash has', () => {
  expect(
    shown(
      [frame('strlen'), frame('parse', 7), frame('run'), frame('main')],
      [frame('parse', 9), frame('run'), frame('loop'), frame('main')],
    ),
  ).toEqual(['strlen - different', 'parse parse line', 'run run same', '- loop different', 'main main same']);
});

it('has every frame of both once, whatever they have in common', () => {
  expect(shown([], [frame('a')])).toEqual(['- a different']);
  expect(shown([frame('a'), frame('b')], [])).toEqual(['a - different', 'b - different']);
  expect(shown([frame('a')], [frame('b')])).toEqual(['a - different', '- b different']);
});

it('takes frames without functions for the same where their addresses are', () => {
  expect(alignedFrames([frame(null, 3)], [frame(null, 3)])[0]?.sameness).toBe('same');
  expect(alignedFrames([frame(null, 3)], [frame(null, 4)])).toHaveLength(2);
});

it('compares registers by name, also those that are not known', () => {
  const registers = (value: number | null) => [
    { name: 'a0', value },
    { name: 'a1', value: 5 },
  ];
  expect(comparedRegisters(registers(1), registers(null))).toEqual([
    { name: 'a0', first: 1, second: null, same: false },
    { name: 'a1', first: 5, second: 5, same: true },
  ]);
});

/** Returns an incident with only these log lines. */
function incidentOf(...texts: readonly string[]): Incident {
  const recogniser = new PanicRecogniser();
  const encoder = new TextEncoder();
  const lines = texts.flatMap((text, sequence) => {
    const mark = recogniser.line(encoder.encode(text));
    return mark === undefined ? [] : [{ ...mark, sequence, text }];
  });
  return { id: 1, port: 1, at: 0, until: 0, severity: 'fault', chip: null, hash: null, lines };
}

function comparedLog(...texts: readonly string[]) {
  const incident = incidentOf(...texts);
  return comparedIncident(incident, addressRows(addressesOf(incident), []).rows);
}

it('takes the frames of a log from its backtrace, and the registers by the names of core dumps', () => {
  const crash = comparedLog(
    "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
    'Core  1 register dump:',
    'PC      : 0x400d5b3e  PS      : 0x00060f30  A0      : 0x800d5c81  A1      : 0x3ffb4e10',
    'EXCVADDR: 0x00000000  LBEG    : 0x00000000  LEND    : 0x00000000  LCOUNT  : 0x00000000',
    'Backtrace: 0x400d5b3b:0x3ffb4e10 0x400d5c7e:0x3ffb4e30',
  );
  expect(crash.cause).toContain('The program read from an address');
  expect(crash.frames.map(({ pc }) => pc)).toEqual([0x400d_5b3b, 0x400d_5c7e]);
  expect(crash.registers.slice(0, 4)).toEqual([
    { name: 'pc', value: 0x400d_5b3e },
    { name: 'ps', value: 0x6_0f30 },
    { name: 'a0', value: 0x800d_5c81 },
    { name: 'a1', value: 0x3ffb_4e10 },
  ]);
  expect(crash.registers).toHaveLength(8);
});

it('takes where a RISC-V chip stopped and where that returns to, for want of a backtrace', () => {
  const crash = comparedLog(
    "Guru Meditation Error: Core  0 panic'ed (Load access fault). Exception was unhandled.",
    'Core  0 register dump:',
    'MEPC    : 0x42008a3c  RA      : 0x42008b12  SP      : 0x3fc94b10  GP      : 0x3fc8c600',
    'TP      : 0x3fc94d20  T0      : 0x40389e5c  S0/FP   : 0x3fc94b60  S1      : 0x00000000',
  );
  expect(crash.frames.map(({ pc }) => pc)).toEqual([0x4200_8a3c, 0x4200_8b12]);
  expect(crash.registers.map(({ name }) => name)).toEqual(['pc', 'ra', 'sp', 'gp', 'tp', 't0', 's0', 's1']);
});

it('has neither where the log reports neither', () => {
  expect(comparedLog('abort() was called at PC 0x400d1234 on core 0').registers).toEqual([]);
});
