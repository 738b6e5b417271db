/** Damaged debug information, registers and memory give variables or a coded failure, within a bounded time. */
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CoreDump } from '../core/core-dump.ts';
import { CoreMemory } from '../core/core-memory.ts';
import { crashReport } from '../core/crash-report.ts';
import { readElfFile } from '../elf/elf-file.ts';
import { SymbolFileError } from '../symbol-failure.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { codeAddresses } from '../testing/code-addresses.ts';
import { fixture } from '../testing/fixtures.ts';
import { readCrashProgram } from '../unwind/crash-program.ts';

const seeds = isLong ? 10_000 : 1_000;
const elf = fixture('bare-riscv32');
const base = 0x3fc8_0000;
const stack = Uint8Array.from({ length: 1_024 }, (_, index) => (index * 37) & 0xff);

function dumpAt(pc: number): CoreDump {
  return {
    header: null,
    machine: 'riscv',
    memory: new CoreMemory([{ address: base, bytes: stack }]),
    tasks: [
      { tcb: 1, registers: { pc, general: Array.from({ length: 32 }, (_, index) => base + 4 * index), special: {} } },
    ],
    elf: null,
    crashedTask: 1,
    inInterrupt: false,
    cause: null,
    panicDetails: null,
    appHash: null,
  };
}

const file = await readElfFile(bytesSource(elf));
const debug = file.sections.filter(({ name, size }) => name.startsWith('.debug_') && size > 0);
const sound = await openSymbolFile(bytesSource(elf));
const addresses = codeAddresses(sound);

async function variablesIn(bytes: Uint8Array, pc: number) {
  const symbols = await openSymbolFile(bytesSource(bytes));
  const report = await crashReport(dumpAt(pc), await readCrashProgram(symbols));
  return report.tasks.flatMap(({ frames }) =>
    frames.flatMap(({ places }) => places.flatMap(({ variables }) => variables ?? [])),
  );
}

describe('the variables of a program', () => {
  it('are found in the undamaged program', async () => {
    const found = await Promise.all(addresses.map((address) => variablesIn(elf, address)));
    expect(found.flat().filter(({ isKnown }) => isKnown).length).toBeGreaterThan(30);
  });

  it('are found, or refused with a code, after random damage', { timeout: 600_000 }, async () => {
    const change = fc.tuple(fc.constantFrom(...debug), fc.nat(0xffff), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...addresses),
        async (changes, pc) => {
          const bytes = elf.slice();
          for (const [{ offset, size }, at, value] of changes) {
            bytes[offset + (at % size)] = value;
          }
          const error: unknown = await variablesIn(bytes, pc).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          expect(error === undefined || error instanceof SymbolFileError, `${error}`).toBe(true);
        },
      ),
      { numRuns: seeds },
    );
  });
});
