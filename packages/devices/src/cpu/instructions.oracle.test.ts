/** Random instruction sequences leave the same registers as in QEMU, an independent implementation. */
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { hexOf } from '../testing/hex.ts';
import { riscvProgram, xtensaProgram } from './testing/random-programs.ts';
import {
  hasCompiler,
  hasEmulator,
  outputElsewhere,
  outputHere,
  riscv,
  withBuilt,
  xtensa,
} from './testing/toolchain.ts';

const seeds = Array.from({ length: isLong ? 200 : 3 }, (_, index) => index + 1);

describe.each([
  { target: riscv, program: riscvProgram },
  { target: xtensa, program: xtensaProgram },
])('random instructions of $target.name', ({ target, program }) => {
  const isHere = hasCompiler(target) && hasEmulator(target);

  it.skipIf(!isHere).each(seeds)('leave the registers that QEMU leaves, seed %i', (seed) => {
    const text = program(createRandom(seed, `instructions of ${target.name}`));
    withBuilt(target, { name: 'random.S', text }, [], (image, elf) => {
      const expected = outputElsewhere(target, elf);
      expect(expected.length).toBeGreaterThan(5_000);
      expect(hexOf(outputHere(target, image))).toBe(hexOf(expected));
    });
  });
});
