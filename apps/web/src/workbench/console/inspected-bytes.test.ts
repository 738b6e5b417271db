import { describe, expect, it } from 'vitest';
import { type PaintedRow, paintRow } from '../../protocol/rows/painted-row.ts';
import { byteAt, bytesBefore, inspectedBytes } from './inspected-bytes.ts';

const row = (sequence: number, part: number, ...bytes: number[]): PaintedRow =>
  paintRow(
    {
      sequence,
      part,
      port: 1,
      direction: 'received',
      level: null,
      at: 0,
      bytes: Uint8Array.from(bytes),
      lineLength: bytes.length,
      ending: new Uint8Array(),
      open: false,
    },
    'hex',
  );
const sixteen = Array.from({ length: 16 }, (_, byte) => byte);
const whole = { from: 0, to: 16 };

describe('position in a hex row', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 0],
    [2, 1, 0],
    [3, 1, 1],
    [23, 8, 7],
    [24, 8, 7],
    [25, 8, 8],
    [48, 16, 15],
  ])('%i has %i bytes before it, and is in byte %i', (position, before, byte) => {
    expect(bytesBefore(position)).toBe(before);
    expect(byteAt(position)).toBe(byte);
  });
});

describe('inspected bytes', () => {
  it('go on over the rows of their line, and no further', () => {
    const rows = [row(7, 0, ...sixteen), row(7, 1, 0xaa, 0xbb), row(8, 0, 0xcc)];
    const marked = [{ from: 14, to: 16 }, whole, whole];
    expect(inspectedBytes(rows.map((one, index) => ({ row: one, marked: marked[index] ?? whole })))).toEqual({
      offset: 14,
      bytes: [14, 15, 0xaa, 0xbb],
    });
  });

  it('are null if only a notice is marked', () => {
    const notice = { ...row(3, 0, 0x41), direction: 'notice' as const, offset: null, text: 'Port 1 connected' };
    expect(inspectedBytes([{ row: notice, marked: whole }])).toBeNull();
    expect(inspectedBytes([{ row: row(3, 0, 0x41), marked: { from: 0, to: 0 } }])).toBeNull();
  });
});
