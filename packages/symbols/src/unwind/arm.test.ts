/**
 * Unwinds stacks of Cortex-M, written by hand from the Exception Handling ABI (IHI 0038) and the Architecture
 * Reference Manuals (DDI 0403, DDI 0553).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoreMemory } from '../core/core-memory.ts';
import { words } from '../core/testing/dump-files.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import { CallFrameTable, type FrameEntry } from './call-frame-table.ts';
import { ExceptionIndex } from './exception-index.ts';
import { runIndexInstructions } from './index-instructions.ts';
import { isGuess } from './stack-frame.ts';
import { unwind } from './unwind.ts';

const common = {
  codeAlignment: 2,
  dataAlignment: -4,
  returnColumn: 14,
  // DW_CFA_def_cfa r13, 0
  instructions: Uint8Array.of(0x0c, 13, 0),
  encoding: 0,
  hasAugmentation: false,
  isSignal: false,
};
/** Function of 256 bytes with a frame of `size` bytes and LR at its end. */
const framed = (start: number, size: number): FrameEntry => ({
  common,
  start,
  end: start + 0x100,
  // DW_CFA_def_cfa_offset, DW_CFA_offset r14
  instructions: Uint8Array.of(0x0e, size, 0x8e, 1),
});

const [main, middle, inner, handler] = [0x0800_0100, 0x0800_0200, 0x0800_0300, 0x0800_0400];
const base = 0x2000_0000;
const isCode = (address: number) => address >= 0x0800_0000 && address < 0x0801_0000;
/** Return addresses in these tests: odd, after a 4-byte call at a multiple of 16. */
const isReturnAddress = (address: number) => isCode(address) && address % 16 === 5;
const symbols = { lookup: () => [], isCode, isReturnAddress };
const programOf = (entries: readonly FrameEntry[], exceptionIndex: ExceptionIndex | null = null) => ({
  symbols,
  callFrames: new CallFrameTable(entries),
  exceptionIndex,
});
const memoryOf = (values: Readonly<Record<number, number>>) =>
  new CoreMemory([{ address: base, bytes: words(...Array.from({ length: 128 }, (_, index) => values[index] ?? 0)) }]);
const general = (sp: number, lr = 0) => [...Array.from({ length: 13 }, (_, index) => 100 + index), sp, lr];
const registersAt = (pc: number, sp: number, lr = 0, special = {}) => ({ pc, general: general(sp, lr), special });
const [toMain, toMiddle, toInner] = [main + 0x15, middle + 0x15, inner + 0x15];
const seen = (unwound: ReturnType<typeof unwind>) => unwound.frames.map(({ pc, sp, source }) => [pc, sp, source]);

describe('an ARM stack', () => {
  it('is followed without the Thumb bits of return addresses, to the LR of a reset', () => {
    const program = programOf([framed(inner, 16), framed(middle, 32), framed(main, 8)]);
    const memory = memoryOf({ 3: toMiddle, 11: toMain, 13: 0xffff_ffff });
    const unwound = unwind('arm', program, memory, registersAt(inner + 8, base));
    expect(seen(unwound)).toEqual([
      [inner + 8, base, 'registers'],
      [toMiddle - 1, base + 16, 'call-frames'],
      [toMain - 1, base + 48, 'call-frames'],
    ]);
    expect(unwound.end).toBe('whole');
    // The call is looked up, r4 to r11 are restored, and r0 to r3 are lost.
    expect(unwound.frames[1]?.lookedUp).toBe(toMiddle - 2);
    expect(unwound.frames[1]?.registers.slice(3, 6)).toEqual([undefined, 104, 105]);
  });

  it('ends in a function that has called others without saving its return address', () => {
    const unframed = { ...framed(main, 0), instructions: new Uint8Array() };
    const program = programOf([framed(inner, 16), unframed]);
    const unwound = unwind('arm', program, memoryOf({ 3: toMain }), registersAt(inner + 8, base));
    expect(unwound).toMatchObject({ end: 'whole', frames: [{ pc: inner + 8 }, { pc: toMain - 1 }] });
  });

  it.each([
    ['basic', 0xffff_fff9, 8, 0x2100_0000, 32],
    ['basic and aligned', 0xffff_fff9, 8, 0x2100_0200, 36],
    ['extended', 0xffff_ffe9, 8, 0x2100_0000, 104],
    ['of an interrupted handler', 0xffff_fff1, 8, 0x2100_0000, 32],
    ['of ARMv8-M', 0xffff_ffb8, 8, 0x2100_0000, 32],
  ])('goes on behind an exception frame: %s', (_, exceptionReturn, size, status, frameSize) => {
    const program = programOf([framed(handler, size), framed(inner, 16), framed(main, 8)]);
    const after = (size + frameSize) / 4;
    const memory = memoryOf({
      1: exceptionReturn,
      ...{ 2: 1, 3: 2, 4: 3, 5: 4, 6: 12, 7: toMiddle, 8: inner + 8, 9: status },
      [after + 3]: toMain,
      [after + 5]: 0xffff_ffff,
    });
    const unwound = unwind('arm', program, memory, registersAt(handler + 8, base));
    expect(seen(unwound)).toEqual([
      [handler + 8, base, 'registers'],
      [inner + 8, base + size + frameSize, 'exception-frame'],
      [toMain - 1, base + size + frameSize + 16, 'call-frames'],
    ]);
    expect(unwound.end).toBe('whole');
    // The code was interrupted at this instruction; it is not a call.
    expect(unwound.frames[1]).toMatchObject({ lookedUp: inner + 8 });
    expect(unwound.frames[1]?.registers.slice(0, 5)).toEqual([1, 2, 3, 4, 104]);
    expect(unwound.frames[0]?.frameEnd).toBe(base + size);
  });

  it('finds r4 to r11 of secure code that was interrupted by an exception that is not secure', () => {
    const program = programOf([framed(handler, 8), framed(inner, 16)]);
    const memory = memoryOf({
      ...{ 1: 0xffff_fff8, 2: 0xfefa_125b, 4: 44, 5: 55, 11: 111 },
      ...{ 12: 1, 18: inner + 8, 19: 0x2100_0000, 23: 0xffff_ffff },
    });
    const { frames, end } = unwind('arm', program, memory, registersAt(handler + 8, base));
    expect(frames[1]?.registers.slice(4, 14)).toEqual([44, 55, 0, 0, 0, 0, 0, 111, 0, base + 80]);
    expect(end).toBe('whole');
  });

  it('goes on at the process stack pointer where the dump has it, and says that it is not known otherwise', () => {
    const program = programOf([framed(handler, 8), framed(inner, 16)]);
    const memory = memoryOf({ 1: 0xffff_fffd, 66: inner + 8, 67: 0x2100_0000, 71: 0xffff_ffff });
    const stopped = (special: object) => unwind('arm', program, memory, registersAt(handler + 8, base, 0, special));
    expect(stopped({ psp: base + 240 })).toMatchObject({ end: 'whole', frames: [{}, { sp: base + 272 }] });
    expect(stopped({})).toMatchObject({ end: 'unknown', frames: [{ source: 'registers' }] });
  });

  it('takes the return address from LR where a null function was called, and says that it is a guess', () => {
    const program = programOf([framed(main, 8)]);
    const unwound = unwind('arm', program, memoryOf({ 1: 0xffff_ffff }), registersAt(0, base, toMain));
    expect(seen(unwound)).toEqual([
      [0, base, 'registers'],
      [toMain - 1, base, 'link-register'],
    ]);
    expect(isGuess(unwound.frames[1]?.source ?? 'registers')).toBe(true);
  });

  it('ends where a return address leads to no code', () => {
    const program = programOf([framed(inner, 16)]);
    const unwound = unwind('arm', program, memoryOf({ 3: 0x2000_0123 }), registersAt(inner + 8, base));
    expect(unwound).toMatchObject({ end: 'corrupt', frames: [{ source: 'registers' }] });
  });
});

/** Returns an index with inline entries of 3 instruction bytes. */
function indexOf(entries: readonly (readonly [number, readonly number[] | null])[]): ExceptionIndex {
  const address = 0x0800_8000;
  const content = entries.flatMap(([start, bytes], index) => [
    (start - (address + 8 * index)) & 0x7fff_ffff,
    bytes === null ? 1 : (0x8000_0000 | ((bytes[0] ?? 0) << 16) | ((bytes[1] ?? 0) << 8) | (bytes[2] ?? 0)) >>> 0,
  ]);
  return new ExceptionIndex(words(...content), address, new CoreMemory([]));
}

describe('an exception index', () => {
  it('finds callers where there is no table of call frames', () => {
    // vsp += 8, pop {r4, r14}; pop {r14}; cannot unwind.
    const index = indexOf([
      [main, [0xb0, 0xb0, 0xb0]],
      [middle, [0x84, 0x00, 0xb0]],
      [inner, [0x01, 0xa8, 0xb0]],
      [handler, null],
    ]);
    const memory = memoryOf({ 2: 44, 3: toMiddle, 4: toMain });
    const unwound = unwind('arm', programOf([], index), memory, registersAt(inner + 0x20, base, toInner));
    expect(seen(unwound)).toEqual([
      [inner + 0x20, base, 'registers'],
      [toMiddle - 1, base + 16, 'exception-index-guess'],
      [toMain - 1, base + 20, 'behind-guess'],
    ]);
    expect(unwound.end).toBe('whole');
    expect(unwound.frames[1]?.registers[4]).toBe(44);
    // Nothing is saved at the first instruction, so LR is certain.
    const first = unwind('arm', programOf([], index), memory, registersAt(inner, base, toMiddle));
    expect(seen(first)[1]).toEqual([toMiddle - 1, base, 'exception-index']);
    // A function that cannot be unwound only gives a guess.
    const none = unwind('arm', programOf([], index), memoryOf({}), registersAt(handler + 8, base, 7));
    expect(none).toMatchObject({ end: 'unknown', frames: [{ pc: handler + 8 }] });
  });

  it('reads entries of its table: compact with further words, and generic as C++ has it', () => {
    const [address, table] = [0x0800_8000, 0x0800_9000];
    const content = [
      (main - address) & 0x7fff_ffff,
      table - (address + 4),
      (middle - address - 8) & 0x7fff_ffff,
      table + 8 - (address + 12),
    ];
    const extab = new CoreMemory([
      { address: table, bytes: words(0x8101_a8b1, 0x0fb0_b0b0, 0x0000_0040, 0x0101_0203, 0x0405_0607) },
    ]);
    const index = new ExceptionIndex(words(...content), address, extab);
    expect(index.find(main + 2)).toEqual({
      start: main,
      instructions: Uint8Array.of(0xa8, 0xb1, 0x0f, 0xb0, 0xb0, 0xb0),
    });
    expect(index.find(middle)).toEqual({ start: middle, instructions: Uint8Array.of(1, 2, 3, 4, 5, 6, 7) });
    expect(index.find(main - 2)).toBeUndefined();
    const broken = new ExceptionIndex(words(...content), address, new CoreMemory([]));
    expect(() => broken.find(main)).toThrow(RangeError);
  });
});

describe('an instruction of the index', () => {
  const run = (...bytes: number[]) =>
    runIndexInstructions(
      Uint8Array.from(bytes),
      general(base + 64, 77),
      memoryOf({ 16: 1, 17: 2, 18: 3, 19: 4, 20: 5 }),
    );

  it.each([
    ['vsp += 8', [0x01], 72],
    ['vsp += 256', [0x3f], 320],
    ['vsp -= 4', [0x40], 60],
    ['vsp += 0x204 + (1 << 2)', [0xb2, 0x01], 64 + 0x208],
    ['pop {r4, r5}', [0xa1], 72],
    ['pop {r4, r5, r14}', [0xa9], 76],
    ['pop {r4, r15}', [0x88, 0x01], 72],
    ['pop {r0, r3}', [0xb1, 0x09], 72],
    ['pop {D8}, by FSTMFDX', [0xb8], 76],
    ['pop {D8, D9}', [0xd1], 80],
    ['pop {D8}, by VPUSH', [0xc9, 0x80], 72],
    ['pop {D16, D17}', [0xc8, 0x01], 80],
    ['pop {D8, D9}, by FSTMFDX', [0xb3, 0x81], 84],
    ['pop {wR10}', [0xc0], 72],
    ['pop {wCGR0, wCGR1}', [0xc7, 0x03], 72],
    ['pop {ra_auth_code}', [0xb4], 68],
    ['finish', [0xb0, 0x01], 64],
  ])('%s', (_, bytes, sp) => {
    expect(run(...bytes)?.[13]).toBe(base + sp);
  });

  it('sets what it pops', () => {
    expect(run(0xa9)?.slice(4, 6)).toEqual([1, 2]);
    expect(run(0xa9)?.[15]).toBe(3);
    expect(run(0x88, 0x01)?.[15]).toBe(2);
    expect(run(0xb0)?.[15]).toBe(77);
    // vsp = r7
    expect(run(0x97)?.[13]).toBe(107);
    expect(run(0x80, 0x00)).toBeUndefined();
  });

  it('is refused where it is reserved, and ends whatever it is', () => {
    expect(() => run(0x9d)).toThrow(RangeError);
    expect(() => run(0xcf)).toThrow(RangeError);
    expect(() => run(0x84)).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const values = unlessDamaged(() => run(...bytes), undefined);
        expect(values === undefined || values.length === 16).toBe(true);
      }),
    );
  });
});
