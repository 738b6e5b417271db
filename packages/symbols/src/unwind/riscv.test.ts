import { describe, expect, it } from 'vitest';
import { CoreMemory } from '../core/core-memory.ts';
import { words } from '../core/testing/dump-files.ts';
import { CallFrameTable, type FrameEntry } from './call-frame-table.ts';
import { isGuess } from './stack-frame.ts';
import { unwind } from './unwind.ts';

const common = {
  codeAlignment: 1,
  dataAlignment: -4,
  returnColumn: 1,
  // DW_CFA_def_cfa x2, 0
  instructions: Uint8Array.of(0x0c, 2, 0),
  encoding: 0,
  hasAugmentation: false,
  isSignal: false,
};

/**
 * Function of 256 bytes with a frame of `size` bytes from its first instruction on. The return address is at the end
 * of the frame.
 */
const framed = (start: number, size: number): FrameEntry => ({
  common,
  start,
  end: start + 0x100,
  // DW_CFA_def_cfa_offset, DW_CFA_offset x1
  instructions: Uint8Array.of(0x0e, size, 0x81, 1),
});
/** Outermost function: DW_CFA_undefined x1. */
const outermost = (start: number): FrameEntry => ({ ...framed(start, 16), instructions: Uint8Array.of(0x07, 1) });

const isCode = (address: number) => address >= 0x4200_0000 && address < 0x4201_0000;
const programOf = (...entries: readonly FrameEntry[]) => ({
  symbols: {
    lookup: () => [{ name: 'nearest' }],
    isCode,
    isReturnAddress: (address: number) => isCode(address) && address % 16 === 4,
  },
  callFrames: new CallFrameTable(entries),
});
const base = 0x3fc8_0000;
const registersAt = (pc: number, sp: number, ra = 0) => ({
  pc,
  general: [0, ra, sp, 77, 88, 5, 6, 7, 8, 9],
  special: {},
});
const memoryOf = (values: Readonly<Record<number, number>>) =>
  new CoreMemory([{ address: base, bytes: words(...Array.from({ length: 64 }, (_, index) => values[index] ?? 0)) }]);

describe('a RISC-V stack', () => {
  it('is followed by the table of call frames, to the function without a caller', () => {
    const program = programOf(framed(0x4200_0000, 32), framed(0x4200_0100, 16), outermost(0x4200_0200));
    const memory = memoryOf({ 7: 0x4200_0114, 11: 0x4200_0224 });
    const { frames, end } = unwind('riscv', program, memory, registersAt(0x4200_0010, base));
    expect(frames.map(({ pc, sp, source }) => [pc, sp, source])).toEqual([
      [0x4200_0010, base, 'registers'],
      [0x4200_0114, base + 32, 'call-frames'],
      [0x4200_0224, base + 48, 'call-frames'],
    ]);
    expect(end).toBe('whole');
    // s0 and s1 are restored, temporary registers are lost, the global pointer is kept.
    expect(frames[1]?.registers.slice(3, 10)).toEqual([77, 88, undefined, undefined, undefined, 8, 9]);
  });

  it('takes the return address from its register where the innermost function has no entry, and says that it is a guess', () => {
    const program = programOf(outermost(0x4200_0200));
    const { frames } = unwind('riscv', program, memoryOf({}), registersAt(0x4200_0510, base, 0x4200_0224));
    expect(frames.map(({ pc, source }) => [pc, source])).toEqual([
      [0x4200_0510, 'registers'],
      [0x4200_0224, 'link-register'],
    ]);
    expect(isGuess(frames[1]?.source ?? 'registers')).toBe(true);
  });

  it('passes over code in ROM by the next return address that leads out of the stack, and not by leftovers', () => {
    const program = programOf(framed(0x4200_0100, 16), outermost(0x4200_0200), framed(0x4200_0300, 64));
    // Word 2 is a leftover without further frames; word 7 is the return address of the code in ROM.
    const memory = memoryOf({ 2: 0x4200_0334, 7: 0x4200_0114, 11: 0x4200_0224 });
    const { frames, end } = unwind('riscv', program, memory, registersAt(0x4000_1000, base));
    expect(frames.map(({ pc, source }) => [pc, source])).toEqual([
      [0x4000_1000, 'registers'],
      [0x4200_0114, 'scan'],
      [0x4200_0224, 'behind-guess'],
    ]);
    expect(frames.map(({ source }) => isGuess(source))).toEqual([false, true, true]);
    expect(end).toBe('whole');
  });

  it('passes over a function without an entry to the function without a caller, also to a direct one', () => {
    // The function at 0x4200_0300 has no entry. Its frame has a leftover in front of its return address.
    const program = programOf(framed(0x4200_0000, 32), outermost(0x4200_0200));
    const memory = memoryOf({ 7: 0x4200_0314, 8: 0x4200_0014, 11: 0x4200_0224 });
    const { frames, end } = unwind('riscv', program, memory, registersAt(0x4200_0010, base));
    expect(frames.map(({ pc, sp, source }) => [pc, sp, source])).toEqual([
      [0x4200_0010, base, 'registers'],
      [0x4200_0314, base + 32, 'call-frames'],
      [0x4200_0224, base + 48, 'scan'],
    ]);
    expect(end).toBe('whole');
  });

  it('passes over a function that never returns and saves no return address', () => {
    const neverReturns = { ...framed(0x4200_0300, 16), instructions: new Uint8Array() };
    const program = programOf(framed(0x4200_0000, 32), neverReturns, outermost(0x4200_0200));
    const at = registersAt(0x4200_0010, base);
    const { frames, end } = unwind('riscv', program, memoryOf({ 7: 0x4200_0314, 11: 0x4200_0224 }), at);
    expect(frames.map(({ pc, source }) => [pc, source])).toEqual([
      [0x4200_0010, 'registers'],
      [0x4200_0314, 'call-frames'],
      [0x4200_0224, 'scan'],
    ]);
    expect(end).toBe('whole');
    // Without the word on the stack, the next frame is unknown, and nothing is damaged.
    const short = unwind('riscv', program, memoryOf({ 7: 0x4200_0314 }), at);
    expect([short.frames.length, short.end]).toEqual([2, 'unknown']);
  });

  it('names no function of the program in ROM', () => {
    const program = programOf(framed(0x4200_0100, 16), outermost(0x4200_0200));
    const memory = memoryOf({ 7: 0x4200_0114, 11: 0x4200_0224 });
    const { frames } = unwind('riscv', program, memory, registersAt(0x4000_1000, base));
    expect(frames.map(({ places }) => places.length)).toEqual([0, 1, 1]);
  });

  it('takes no leftover that leads through a whole frame to a return address of zero', () => {
    const program = programOf(
      framed(0x4200_0100, 16),
      outermost(0x4200_0200),
      framed(0x4200_0300, 16),
      framed(0x4200_0400, 16),
    );
    // The leftover in word 2 leads to 0x42000414, whose return address is zero. Word 23 is the return address of the
    // code in ROM.
    const memory = memoryOf({ 2: 0x4200_0334, 7: 0x4200_0414, 23: 0x4200_0114, 27: 0x4200_0224 });
    const { frames, end } = unwind('riscv', program, memory, registersAt(0x4000_1000, base));
    expect(frames.map(({ pc }) => pc)).toEqual([0x4000_1000, 0x4200_0114, 0x4200_0224]);
    expect(end).toBe('whole');
  });

  it('ends where the only chain of return addresses leads to a zero', () => {
    const program = programOf(framed(0x4200_0300, 16), framed(0x4200_0400, 16));
    const memory = memoryOf({ 2: 0x4200_0334, 7: 0x4200_0414 });
    expect(unwind('riscv', program, memory, registersAt(0x4000_1000, base))).toMatchObject({
      end: 'unknown',
      frames: [{ source: 'registers' }],
    });
  });

  it('ends where a return address leads to no code', () => {
    const program = programOf(framed(0x4200_0000, 32));
    const unwound = unwind('riscv', program, memoryOf({ 7: 0x3fc8_0123 }), registersAt(0x4200_0010, base));
    expect(unwound).toMatchObject({ end: 'corrupt', frames: [{ source: 'registers' }] });
  });

  it('ends where the memory does', () => {
    const program = programOf(framed(0x4200_0000, 32));
    expect(unwind('riscv', program, new CoreMemory([]), registersAt(0x4200_0010, base)).end).toBe('unknown');
  });

  it('is cut off in an endless recursion', () => {
    const program = programOf(framed(0x4200_0000, 16));
    const memory = new CoreMemory([
      { address: base, bytes: words(...Array.from({ length: 4_000 }, () => 0x4200_0014)) },
    ]);
    expect(unwind('riscv', program, memory, registersAt(0x4200_0010, base)).end).toBe('too-many');
  });
});
