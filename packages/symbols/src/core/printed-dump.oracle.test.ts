/** Compares the stack from a printed RISC-V panic with the stack from the core dump of the same crash. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { panicsOfText } from '../panic/panic-text.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { missingTools } from '../testing/toolchains.ts';
import { readCrashProgram } from '../unwind/crash-program.ts';
import { crashedProgram } from '../unwind/testing/crashed-program.ts';
import type { CoreDump } from './core-dump.ts';
import { crashReport } from './crash-report.ts';
import { printedDump } from './printed-dump.ts';
import { readCoreDump } from './read-core-dump.ts';

const hex = (value = 0) => `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
const names = 'RA SP GP TP T0 T1 T2 S0/FP S1 A0 A1 A2 A3 A4 A5 A6 A7 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 T3 T4 T5 T6'.split(
  ' ',
);

/**
 * Prints a panic in the format of `panic_arch.c`: four registers per row, then 1,024 bytes of stack from the stack
 * pointer on.
 */
function printed({ tasks, memory }: CoreDump, prefix: string): string {
  const registers = tasks[0]?.registers;
  const values = [
    ['MEPC', registers?.pc] as const,
    ...names.map((name, index) => [name, registers?.general[index + 1]] as const),
  ];
  const cells = [...values, ['MCAUSE', 3] as const].map(([name, value]) => `${name.padEnd(8)}: ${hex(value)}`);
  const rows = Array.from({ length: Math.ceil(cells.length / 4) }, (_, row) =>
    cells.slice(4 * row, 4 * row + 4).join('  '),
  );
  const sp = registers?.general[2] ?? 0;
  const stack = Array.from({ length: 32 }, (_, row) => {
    const words = Array.from({ length: 8 }, (_word, column) => hex(memory.word(sp + 32 * row + 4 * column)));
    return `${hex(sp + 32 * row).slice(2)}: ${words.join(' ')}`;
  });
  const title = "Guru Meditation Error: Core  0 panic'ed (Breakpoint). Exception was unhandled.";
  return [
    title,
    '',
    'Core  0 register dump:',
    ...rows,
    '',
    'Stack memory:',
    ...stack,
    '',
    'ELF file SHA256: 0123456789abcdef',
  ]
    .map((line) => `${prefix}${line}`)
    .join('\r\n');
}

const missing = missingTools(['riscv64-unknown-elf-gcc', 'riscv64-unknown-elf-objcopy']);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: stacks of panics in a log.`);
}

describe.runIf(missing.length === 0)('a panic that was printed', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-printed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['-O0', ''],
    ['-Og', '[12:34:56] '],
    ['-O2', '2026-11-20 14:03:05.123  Port 1  RX  '],
    ['-Os', ''],
  ])('has the same frames as the core dump of the crash: %s, behind %j', { timeout: 60_000 }, async (level, prefix) => {
    const { elf, core } = crashedProgram(folder, `printed${level}`, ['-g', level]);
    const program = await readCrashProgram(await openSymbolFile(bytesSource(readFileSync(elf))));
    const dump = await readCoreDump(readFileSync(core));
    const marks = panicsOfText(printed(dump, prefix)).flatMap((port) => port.map(({ mark }) => mark));
    const read = printedDump(marks, '0123456789abcdef');
    const report = read && (await crashReport(read, program));
    const expected = await crashReport(dump, program);
    expect(expected.tasks[0]?.frames.length).toBeGreaterThan(8);
    expect(report?.tasks[0]?.frames.map(({ pc, source, sp }) => ({ pc, source, sp }))).toEqual(
      expected.tasks[0]?.frames.map(({ pc, source, sp }) => ({ pc, source, sp })),
    );
    expect(report?.tasks[0]?.end).toBe('whole');
    expect(report?.exception).toMatchObject({ number: 3, name: 'Breakpoint' });
  });
});
