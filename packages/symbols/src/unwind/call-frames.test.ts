/** Damaged call frames and expressions terminate and only throw a `RangeError`. */
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { joined, words } from '../core/testing/dump-files.ts';
import { readCallFrames } from './call-frame-table.ts';
import { evaluate } from './expression.ts';
import { rulesAt } from './frame-rules.ts';

const seeds = isLong ? 10_000 : 1_000;

/** Returns a `.debug_frame` with a common entry of version 3 and one function at `start`. */
function debugFrame(start: number, size: number, instructions: readonly number[], augmentation = ''): Uint8Array {
  // Alignments 1 and −4, return address in x1; DW_CFA_def_cfa x2, 0.
  const commonBody = joined(
    Uint8Array.of(3),
    new TextEncoder().encode(augmentation),
    Uint8Array.of(0, 1, 0x7c, 1, 0x0c, 2, 0),
  );
  const padding = new Uint8Array(-commonBody.length & 3);
  const common = joined(words(4 + commonBody.length + padding.length, 0xffff_ffff), commonBody, padding);
  const body = joined(words(0, start, size), Uint8Array.from(instructions));
  return joined(common, words(body.length), body);
}

const unchanged = debugFrame(0x4200_0000, 0x40, [0x44, 0x0e, 32, 0x81, 1, 0x48, 0x88, 2, 0x0a, 0x48, 0x0e, 0, 0x0b]);

describe('call frames', () => {
  it('have one rule for each register at each address', () => {
    const entry = readCallFrames({ debugFrame: unchanged, ehFrame: null }, true).find(0x4200_0010);
    expect(entry).toMatchObject({ start: 0x4200_0000, end: 0x4200_0040 });
    const at = (address: number) => entry && rulesAt(entry, address);
    expect(at(0x4200_0000)).toEqual({ cfa: { kind: 'register', register: 2, offset: 0 }, registers: new Map() });
    expect(at(0x4200_0004)?.registers.get(1)).toEqual({ kind: 'saved', offset: -4 });
    expect(at(0x4200_0010)?.registers.get(8)).toEqual({ kind: 'saved', offset: -8 });
    expect(at(0x4200_0014)?.cfa).toEqual({ kind: 'register', register: 2, offset: 32 });
  });

  it('are left out for functions that the linker dropped', () => {
    expect(readCallFrames({ debugFrame: debugFrame(0, 0x40, []), ehFrame: null }, true)).toHaveLength(0);
  });

  it.each([
    ['armcc+', -8],
    ['armcc', 8],
  ])('have offsets in units of the data alignment for Arm Compiler 5: %s', (augmentation, offset) => {
    const entry = readCallFrames(
      { debugFrame: debugFrame(0x0800_0100, 0x40, [0x0e, 2, 0x81, 1], augmentation), ehFrame: null },
      true,
    ).find(0x0800_0100);
    expect(entry && rulesAt(entry, 0x0800_0104)).toEqual({
      cfa: { kind: 'register', register: 2, offset },
      registers: new Map([[1, { kind: 'saved', offset: -4 }]]),
    });
  });

  it('restore remembered states, one within the other', () => {
    // x1 saved at −4; remembered; x1 at −8 and x8 at −12; remembered; x8 restored; both states restored.
    const nested = [0x0e, 16, 0x81, 1, 0x0a, 0x81, 2, 0x88, 3, 0x0a, 0xc8, 0x44, 0x0b, 0x44, 0x0b, 0x44, 0x0e, 8];
    const entry = readCallFrames({ debugFrame: debugFrame(0x4200_0000, 0x40, nested), ehFrame: null }, true).find(
      0x4200_0000,
    );
    const at = (address: number) => entry && rulesAt(entry, address).registers;
    const saved = (offset: number) => ({ kind: 'saved', offset });
    expect(at(0x4200_0000)).toEqual(new Map([[1, saved(-8)]]));
    expect(at(0x4200_0004)).toEqual(
      new Map([
        [1, saved(-8)],
        [8, saved(-12)],
      ]),
    );
    expect(at(0x4200_0008)).toEqual(new Map([[1, saved(-4)]]));
  });

  it('keep no more rules than four for each byte that they are made from, however often states are remembered', () => {
    const registers = Array.from({ length: 120 }, (_, register) => [0x05, register, 1]).flat();
    const hostile = [...registers, ...new Array<number>(250).fill(0x0a)];
    const bytes = debugFrame(0x4200_0000, 0x40, hostile);
    const made = vi.spyOn(Map.prototype, 'set');
    try {
      const entry = readCallFrames({ debugFrame: bytes, ehFrame: null }, true).find(0x4200_0010);
      expect(entry && rulesAt(entry, 0x4200_0010).registers.size).toBe(120);
      expect(made.mock.calls.length).toBeLessThan(4 * bytes.length);
    } finally {
      made.mockRestore();
    }
  });

  it('survive damage', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 10 }), (changes) => {
        const bytes = unchanged.slice();
        for (const [at, value] of changes) {
          bytes[at % bytes.length] = value;
        }
        for (const sections of [
          { debugFrame: bytes, ehFrame: null },
          { debugFrame: new Uint8Array(), ehFrame: { bytes, address: 0x3c02_0000 } },
        ]) {
          const entry = readCallFrames(sections, true).find(0x4200_0010);
          let thrown: unknown;
          try {
            entry && rulesAt(entry, 0x4200_0010);
          } catch (error) {
            thrown = error;
          }
          expect(thrown === undefined || thrown instanceof RangeError, `${thrown}`).toBe(true);
        }
      }),
      { numRuns: seeds },
    );
  });
});

describe('an expression', () => {
  const context = {
    register: (number: number) => (number < 32 ? 0x1000 * number : undefined),
    memory: (address: number) => (address < 0x1_0000 ? address + 1 : undefined),
    cfa: 0x3fc8_0000,
  };
  it.each([
    ['a register with an offset', [0x72, 0x7c], { kind: 'address', address: 0x1ffc }],
    ['a register', [0x5a], { kind: 'register', register: 10 }],
    ['a value', [0x08, 7, 0x08, 5, 0x1e, 0x9f], { kind: 'value', value: 35 }],
    ['memory', [0x03, 0x10, 0, 0, 0, 0x06], { kind: 'address', address: 0x11 }],
    ['the frame', [0x9c, 0x23, 8], { kind: 'address', address: 0x3fc8_0008 }],
    ['a jump', [0x31, 0x28, 2, 0, 0x08, 9, 0x08, 3], { kind: 'address', address: 3 }],
    ['signed division', [0x09, 0xf9, 0x09, 2, 0x1b, 0x9f], { kind: 'value', value: 0xffff_fffd }],
    ['memory that is not there', [0x03, 0, 0, 2, 0, 0x06], { kind: 'unknown', why: 'memory' }],
    ['a register that is not known', [0x90, 40], { kind: 'register', register: 40 }],
    ['from a register that is not known', [0x92, 40, 0], { kind: 'unknown', why: 'register' }],
    ['a division by zero', [0x31, 0x30, 0x1b], { kind: 'unknown', why: 'damaged' }],
    [
      'pieces, one of them nowhere',
      [0x5a, 0x93, 4, 0x93, 2, 0x08, 7, 0x9f, 0x93, 1],
      {
        kind: 'pieces',
        pieces: [
          { size: 4, place: { kind: 'register', register: 10 } },
          { size: 2, place: { kind: 'unknown', why: 'optimised' } },
          { size: 1, place: { kind: 'value', value: 7 } },
        ],
      },
    ],
    ['bytes', [0x9e, 3, 1, 2, 3], { kind: 'bytes', bytes: Uint8Array.of(1, 2, 3) }],
    ['the value of a register at the call', [0xa3, 1, 0x5a, 0x9f], { kind: 'unknown', why: 'entry-value' }],
    ['a pointer to what is nowhere', [0xa0, 0, 0, 0, 0, 0], { kind: 'unknown', why: 'pointer' }],
    ['something behind a register', [0x5a, 0x31], { kind: 'unknown', why: 'operation' }],
    ['nothing', [], { kind: 'unknown', why: 'optimised' }],
  ])('computes %s', (_what, bytes, place) => {
    expect(evaluate(Uint8Array.from(bytes), context)).toEqual(place);
  });

  it.each([
    ['an endless loop', [0x2f, 0xfd, 0xff]],
    ['a loop that fills the stack', [0x31, 0x2f, 0xfc, 0xff]],
    ['an empty stack', [0x22]],
    ['a jump out of it', [0x2f, 0x00, 0x10]],
    ['an operand that is cut off', [0x03, 1, 2]],
  ])('ends at %s', (_what, bytes) => {
    expect(() => evaluate(Uint8Array.from(bytes), context)).toThrow(RangeError);
  });

  it('ends for any bytes, and its result is no larger than its input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          const place = evaluate(bytes, context);
          const held = place.kind === 'bytes' ? place.bytes.length : place.kind === 'pieces' ? place.pieces.length : 0;
          expect(held).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: seeds },
    );
  });
});
