/** Arbitrary memory contents. A run ends within its budget, with a coded fault at most, and accesses only its bus. */
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataStart, processorWith } from './testing/processors.ts';

const runs = isLong ? 20_000 : 300;
const budget = 2_000;

describe.each(['riscv', 'xtensa'] as const)('any bytes as %s code', (kind) => {
  it('end in a stop', () => {
    const registers = fc.array(fc.integer(), { minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 512 }), registers, (code, values) => {
        const { cpu } = processorWith(kind, code);
        // Half of the registers point into memory, so that loads and stores succeed.
        for (const [register, value] of values.entries()) {
          cpu.registers[register] = register % 2 === 0 ? value : dataStart + (value & 0x1ffc);
        }
        cpu.registers[0] = 0;
        const stop = cpu.run(budget);
        expect(cpu.cycles).toBeLessThanOrEqual(budget);
        expect(stop.kind === 'budget' ? cpu.cycles : budget).toBe(budget);
        if (stop.kind === 'fault') {
          expect(stop.fault.name).toBe('CpuFault');
          expect(cpu.pc).toBe(stop.pc);
        }
      }),
      { numRuns: runs },
    );
  });
});
