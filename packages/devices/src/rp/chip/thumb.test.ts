import { isLong, random, randomSeeds } from '@wirebench/test-input';
import { RP2040 } from 'rp2040js';
import { describe, expect, it } from 'vitest';
import type { Random } from '../../random.ts';
import { runThumb, type ThumbBus } from './thumb.ts';

const ram = 0x2000_0000;
const code = ram + 0x1000;
const stack = ram + 0x3000;
const data = ram + 0x2000;
const returnAddress = ram + 0x100;

function busOf(memory: Uint8Array): ThumbBus {
  return {
    load: (address, size) =>
      Array.from({ length: size }, (_, index) => memory[address - ram + index] ?? 0).reduceRight(
        (sum, byte) => sum * 256 + byte,
        0,
      ),
    store: (address, size, value) => {
      for (let index = 0; index < size; index++) {
        memory[address - ram + index] = value >>> (index * 8);
      }
    },
  };
}

/**
 * Data processing without the shifts by a register: the emulator changes the carry of a shift by 0, which ARMv6-M does
 * not (Architecture Reference Manual, section A2.2.1).
 */
const dataOperations = [0, 1, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** Returns random instructions on r0 to r6. r7 is the address of data, and the last instructions store the others. */
function program(source: Random): number[] {
  const below = (limit: number) => source.below(limit);
  const low = () => below(7);
  const instructions: readonly (() => number)[] = [
    () => (below(3) << 11) | (below(32) << 6) | (low() << 3) | low(),
    () => 0x1800 | (below(4) << 9) | (low() << 6) | (low() << 3) | low(),
    () => 0x2000 | (below(4) << 11) | (low() << 8) | below(256),
    () => 0x4000 | ((dataOperations[below(dataOperations.length)] ?? 0) << 6) | (low() << 3) | low(),
    () => 0x4400 | (below(3) << 8) | (low() << 3) | low(),
    () => 0xb200 | (below(4) << 6) | (low() << 3) | low(),
    () => 0xba00 | (([0, 1, 3][below(3)] ?? 0) << 6) | (low() << 3) | low(),
    // Loads and stores at r7 plus a small offset.
    () => 0x6000 | (below(2) << 11) | (below(8) << 6) | (7 << 3) | low(),
    () => 0x7000 | (below(2) << 11) | (below(8) << 6) | (7 << 3) | low(),
    () => 0x8000 | (below(2) << 11) | (below(8) << 6) | (7 << 3) | low(),
    // A branch over the next instruction, on each condition.
    () => 0xd000 | (below(14) << 8),
    () => 0xe000,
    () => 0x9000 | (below(2) << 11) | (low() << 8) | below(4),
  ];
  const body = Array.from({ length: 60 }, () => instructions[below(instructions.length)]?.() ?? 0xbf00);
  const stores = [0, 1, 2, 3, 4, 5, 6].map((register) => 0x9000 | (register << 8) | (8 + register));
  return [0xb510, 0xb0a0, 0x4f00 | 62, ...body, 0xbf00, 0xbf00, ...stores, 0xb020, 0xbd10];
}

function memoryWith(words: readonly number[], source: Random): Uint8Array {
  const memory = new Uint8Array(0x4000);
  memory.set(
    Array.from({ length: 64 }, () => source.below(256)),
    data - ram,
  );
  const view = new DataView(memory.buffer);
  for (const [index, word] of words.entries()) {
    view.setUint16(code - ram + index * 2, word, true);
  }
  // The literal that the third instruction loads into r7.
  view.setUint32(((code + 4 + 4) & ~3) - ram + 62 * 4, data, true);
  return memory;
}

describe('code in RAM', () => {
  it('does what an ARMv6-M of the emulator rp2040js does', () => {
    const chip = new RP2040();
    for (const seed of randomSeeds(isLong ? 2_000 : 100)) {
      const source = random(seed);
      const words = program(source);
      const memory = memoryWith(words, source);
      chip.sram.set(memory);
      const { core } = chip;
      core.registers.fill(0);
      Object.assign(core, { N: false, Z: false, C: false, V: false });
      core.registers[13] = stack;
      core.registers[14] = returnAddress | 1;
      core.PC = code;
      for (let count = 0; count < 500 && core.PC !== returnAddress; count++) {
        core.executeInstruction();
      }
      expect(core.PC).toBe(returnAddress);
      expect(runThumb(busOf(memory), code, stack)).toBe(true);
      // The return address on the stack differs and is not compared.
      const seen = (bytes: Uint8Array) => [
        ...bytes.subarray(data - ram, data - ram + 64),
        ...bytes.subarray(stack - ram - 0x88 + 0x20, stack - ram - 0x88 + 0x3c),
      ];
      expect({ seed, bytes: seen(memory) }).toEqual({ seed, bytes: seen(chip.sram) });
    }
  });

  it('calls and returns by BL, BLX, PUSH and POP, and multiplies by a loop', () => {
    // push {lr}; movs r0,#0; movs r1,#7; loop: bl add; subs r1,#1; bne loop; ldr r2,=data; str r0,[r2]; pop {pc}; add: adds r0,#6; bx lr
    const words = [0xb500, 0x2000, 0x2107, 0xf000, 0xf805, 0x3901, 0xd1fb, 0x4a02, 0x6010, 0xbd00, 0x3006, 0x4770];
    const memory = new Uint8Array(0x4000);
    const view = new DataView(memory.buffer);
    for (const [index, word] of words.entries()) {
      view.setUint16(code - ram + index * 2, word, true);
    }
    view.setUint32(code - ram + 24, data, true);
    expect(runThumb(busOf(memory), code, stack)).toBe(true);
    expect(view.getUint32(data - ram, true)).toBe(42);
  });

  it.each([
    // Shifts of 0x80000001 by the low byte of a register: result and carry.
    [0x4088, 0, 0x8000_0001, 1],
    [0x4088, 1, 2, 1],
    [0x4088, 32, 0, 1],
    [0x40c8, 0, 0x8000_0001, 1],
    [0x40c8, 1, 0x4000_0000, 1],
    [0x40c8, 33, 0, 0],
    [0x4108, 1, 0xc000_0000, 1],
    [0x4108, 40, 0xffff_ffff, 1],
    [0x41c8, 4, 0x1800_0000, 0],
    [0x41c8, 32, 0x8000_0001, 1],
  ])('shifts by a register: %i by %i', (instruction, by, result, carry) => {
    // movs r1,#by; ldr r0,=0x80000001; ldr r3,=data; cmp r3,r3 (carry set); <shift>; str r0,[r3]; movs r2,#0; adcs r2,r2; str r2,[r3,#4]; bx lr
    const words = [0x2100 | by, 0x4804, 0x4b04, 0x429b, instruction, 0x6018, 0x2200, 0x4152, 0x605a, 0x4770];
    const memory = new Uint8Array(0x4000);
    const view = new DataView(memory.buffer);
    for (const [index, word] of words.entries()) {
      view.setUint16(code - ram + index * 2, word, true);
    }
    view.setUint32(code - ram + 20, 0x8000_0001, true);
    view.setUint32(code - ram + 24, data, true);
    expect(runThumb(busOf(memory), code, stack)).toBe(true);
    expect([view.getUint32(data - ram, true), view.getUint32(data - ram + 4, true)]).toEqual([result, carry]);
  });

  it('never returns from a loop, from WFE and from an undefined instruction', () => {
    for (const word of [0xe7fe, 0xbf20, 0xde00]) {
      const memory = new Uint8Array(0x4000);
      new DataView(memory.buffer).setUint16(code - ram, word, true);
      expect(runThumb(busOf(memory), code, stack, 10_000)).toBe(false);
    }
  });
});
