/**
 * Unwinds stacks of Xtensa's windowed calls, written by hand from the ISA reference manual (4.7.1.4 and the window
 * overflow handlers). The caller's a0 to a3 are below the stack pointer of each function.
 */
import { describe, expect, it } from 'vitest';
import { CoreMemory } from '../core/core-memory.ts';
import { words } from '../core/testing/dump-files.ts';
import { CallFrameTable } from './call-frame-table.ts';
import { unwind } from './unwind.ts';

const isCode = (address: number) => address >= 0x4008_0000 && address < 0x4010_0000;
const program = {
  symbols: {
    lookup: (address: number) => [{ name: `f${address.toString(16)}` }],
    isCode,
    isReturnAddress: isCode,
  },
  callFrames: new CallFrameTable([]),
};
const special = { ps: 0x60020 };
const call4 = (address: number) => ((address & 0x3fff_ffff) | 0x4000_0000) >>> 0;
const call8 = (address: number) => ((address & 0x3fff_ffff) | 0x8000_0000) >>> 0;
const call12 = (address: number) => ((address & 0x3fff_ffff) | 0xc000_0000) >>> 0;

/**
 * Returns a stack from frames, innermost first: return address into the caller, the caller's stack pointer, a2 and
 * a3.
 */
function stack(...frames: readonly (readonly [number, number, number?, number?])[]): CoreMemory {
  return new CoreMemory(
    frames.slice(1).map(([returnAddress, sp, a2 = 0, a3 = 0], index) => ({
      address: (frames[index]?.[1] ?? 0) - 16,
      bytes: words(returnAddress, sp, a2, a3),
    })),
  );
}

describe('an Xtensa stack', () => {
  it('is followed through calls of all three sizes, to the first function of the task', () => {
    const memory = stack(
      [call8(0x4008_510c), 0x3ffb_4ec0],
      [call4(0x4008_a6f0), 0x3ffb_4ee0],
      [call12(0x400d_66bc), 0x3ffb_4f00],
      [0, 0x3ffb_4f70, 7, 8],
    );
    const { frames, end } = unwind('xtensa', program, memory, {
      pc: 0x4008_110d,
      general: [call8(0x4008_510c), 0x3ffb_4ec0, 1, 2],
      special,
    });
    expect(frames.map(({ pc, lookedUp, sp, source }) => [pc, lookedUp, sp, source])).toEqual([
      [0x4008_110d, 0x4008_110d, 0x3ffb_4ec0, 'registers'],
      [0x4008_510c, 0x4008_5109, 0x3ffb_4ee0, 'window'],
      [0x4008_a6f0, 0x4008_a6ed, 0x3ffb_4f00, 'window'],
      [0x400d_66bc, 0x400d_66b9, 0x3ffb_4f70, 'window'],
    ]);
    expect(frames[3]?.registers.slice(0, 4)).toEqual([0, 0x3ffb_4f70, 7, 8]);
    expect(end).toBe('whole');
  });

  it('has the registers from a4 on where the caller of a CALL8 saved them', () => {
    const memory = stack([call8(0x4008_510c), 0x3ffb_4ec0], [call8(0x4008_a6f0), 0x3ffb_4ee0], [0, 0x3ffb_4f80]).with([
      // Window overflow of the second function: a4 to a7 are 32 bytes below its caller's stack pointer.
      { address: 0x3ffb_4f80 - 32, bytes: words(44, 55, 66, 77) },
    ]);
    const registers = { pc: 0x4008_110d, general: [call8(0x4008_510c), 0x3ffb_4ec0], special };
    const { frames } = unwind('xtensa', program, memory, registers);
    expect(frames[1]?.registers).toEqual([call8(0x4008_a6f0), 0x3ffb_4ee0, 0, 0, 44, 55, 66, 77]);
  });

  it.each([
    ['CALL4', call4, 'CALL8', call8, [44, 55, 66, 77]],
    ['CALL12', call12, 'CALL8', call8, [44, 55, 66, 77]],
    ['CALL8', call8, 'CALL4', call4, []],
    ['CALL12', call12, 'CALL4', call4, []],
    ['CALL4', call4, 'CALL12', call12, [4, 5, 6, 7, 44, 55, 66, 77]],
    ['CALL8', call8, 'CALL12', call12, [4, 5, 6, 7, 44, 55, 66, 77]],
  ])(
    'has the registers from a4 on of a function that a %s entered by the %s that it made',
    (_in, entered, _out, made, extra) => {
      const memory = stack(
        [made(0x4008_510c), 0x3ffb_4ec0],
        [entered(0x4008_a6f0), 0x3ffb_4ee0],
        [0, 0x3ffb_4f80],
      ).with([
        // The words below those of CALL8 are saved by the overflow handler of CALL12, a4 first.
        {
          address: 0x3ffb_4f80 - 48,
          bytes: words(4, 5, 6, 7, 44, 55, 66, 77),
        },
      ]);
      const registers = { pc: 0x4008_110d, general: [made(0x4008_510c), 0x3ffb_4ec0], special };
      const { frames } = unwind('xtensa', program, memory, registers);
      expect(frames[1]?.registers.slice(4)).toEqual(extra);
    },
  );

  it('names no function of the program in ROM', () => {
    const memory = stack([call8(0x4000_7c78), 0x3ffb_4ec0], [call8(0x400d_66d4), 0x3ffb_4ee0], [0, 0x3ffb_4f00]);
    const registers = { pc: 0x4008_110d, general: [call8(0x4000_7c78), 0x3ffb_4ec0], special };
    expect(unwind('xtensa', program, memory, registers).frames.map(({ places }) => places.length)).toEqual([1, 0, 1]);
  });

  it('passes through code in ROM, which the program does not know', () => {
    const memory = stack([call8(0x4000_7c78), 0x3ffb_4ec0], [call8(0x400d_66d4), 0x3ffb_4ee0], [0, 0x3ffb_4f00]);
    const registers = { pc: 0x4008_110d, general: [call8(0x4000_7c78), 0x3ffb_4ec0], special };
    expect(unwind('xtensa', program, memory, registers).frames.map(({ pc }) => pc)).toEqual([
      0x4008_110d, 0x4000_7c78, 0x400d_66d4,
    ]);
  });

  it.each([
    ['a window that was not spilled', new CoreMemory([]), 'unknown'],
    [
      'a stack pointer that goes down',
      stack([call8(0x4008_510c), 0x3ffb_4ec0], [call8(0x4008_a6f0), 0x3ffb_4000]),
      'corrupt',
    ],
    ['a stack that was overwritten with zeros', stack([call8(0x4008_510c), 0x3ffb_4ec0], [0, 0]), 'unknown'],
    [
      'a return address into data',
      stack([call8(0x4008_510c), 0x3ffb_4ec0], [call8(0x7fb_0000), 0x3ffb_4ee0], [0, 0x3ffb_5000]),
      'corrupt',
    ],
  ] as const)('ends at %s', (_what, memory, end) => {
    const registers = { pc: 0x4008_110d, general: [call8(0x4008_510c), 0x3ffb_4ec0], special };
    expect(unwind('xtensa', program, memory, registers).end).toBe(end);
  });

  it('is cut off in an endless recursion', () => {
    const frames = Array.from({ length: 500 }, (_, index) => [call8(0x4008_510c), 0x3ffb_0000 + 32 * index] as const);
    const registers = { pc: 0x4008_110d, general: [call8(0x4008_510c), 0x3ffb_0000], special };
    const unwound = unwind('xtensa', program, stack(...frames), registers);
    expect(unwound.end).toBe('too-many');
    expect(unwound.frames).toHaveLength(128);
  });
});
