import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineHeader } from './line-header.ts';
import { runLineProgram } from './line-program.ts';

const header: LineHeader = {
  version: 4,
  addressSize: 4,
  offsetSize: 4,
  programStart: 0,
  programEnd: 0,
  minimumInstructionLength: 1,
  operationsPerInstruction: 1,
  lineBase: -3,
  lineRange: 12,
  opcodeBase: 14,
  // Opcode 13 is not in the standard and has two operands.
  operandCounts: [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2],
  directories: [''],
  files: [undefined],
};

function rowsOf(program: readonly number[], changes: Partial<LineHeader> = {}): unknown[][] {
  const rows: unknown[][] = [];
  runLineProgram(
    Uint8Array.from(program),
    true,
    { ...header, programEnd: program.length, ...changes },
    {
      row: (address, file, line) => rows.push([address, file, line]),
      endSequence: (address) => rows.push([address, 'end']),
    },
  );
  return rows;
}

const setAddress = (address: number) => [0, 5, 2, address & 0xff, address >> 8, 0, 0];
const endSequence = [0, 1, 1];

describe('line program', () => {
  it('moves by special opcodes, by constants and by given amounts', () => {
    const program = [
      ...setAddress(0x1000),
      ...[3, 9, 1], // line + 9, row
      ...[14 + 3 + 12 * 2], // address + 2, line + 0, row
      ...[8, 1], // address + (255 − 14) / 12, row
      ...[9, 0x10, 0x00, 4, 2, 1], // address + 16, file 2, row
      ...[2, 0x80, 0x01], // address + 128
      ...endSequence,
    ];
    expect(rowsOf(program)).toEqual([
      [0x1000, 1, 10],
      [0x1002, 1, 10],
      [0x1016, 1, 10],
      [0x1026, 2, 10],
      [0x10a6, 'end'],
    ]);
  });

  it('counts in instructions of more than a byte', () => {
    expect(rowsOf([...setAddress(0), 2, 3, 1, ...endSequence], { minimumInstructionLength: 4 })).toEqual([
      [12, 1, 1],
      [12, 'end'],
    ]);
  });

  it('counts operations inside of very long instructions', () => {
    // Three operations in 16 bytes: five steps lead to the third operation of the second instruction.
    const program = [...setAddress(0x100), 2, 5, 1, 2, 1, 1, ...endSequence];
    expect(rowsOf(program, { minimumInstructionLength: 16, operationsPerInstruction: 3 })).toEqual([
      [0x110, 1, 1],
      [0x120, 1, 1],
      [0x120, 'end'],
    ]);
  });

  it('passes over opcodes that it does not know', () => {
    const program = [...setAddress(4), 13, 0x81, 0x01, 0x05, 0, 4, 0x80, 1, 2, 3, 1, ...endSequence];
    expect(rowsOf(program)).toEqual([
      [4, 1, 1],
      [4, 'end'],
    ]);
  });

  it('adds the files that a program defines', () => {
    const files: LineHeader['files'] = [undefined];
    rowsOf([0, 6, 3, 0x61, 0, 1, 0, 0], { files });
    expect(files).toEqual([undefined, { name: 'a', directory: 1 }]);
  });

  it('starts again behind the end of a run', () => {
    const program = [...setAddress(8), 4, 7, 3, 41, 1, ...endSequence, 1];
    expect(rowsOf(program)).toEqual([
      [8, 7, 42],
      [8, 'end'],
      [0, 1, 1],
    ]);
  });

  it('ends on any bytes, if need be by reading past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (program) => {
        try {
          rowsOf([...program]);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
