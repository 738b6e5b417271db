/** Compares stacks with GDB, for programs that are built during the test and run into a trap. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingTools } from '../testing/toolchains.ts';
import { gdbFrames, ourFrames } from './testing/compared-stacks.ts';
import { crashedProgram } from './testing/crashed-program.ts';

const levels = ['-O0', '-Og', '-O1', '-O2', '-Os', '-O3'];
const tables = {
  '.debug_frame': ['-fno-asynchronous-unwind-tables', '-fno-unwind-tables'],
  '.eh_frame': ['-fasynchronous-unwind-tables'],
  'a frame pointer': ['-fno-omit-frame-pointer'],
};

const missing = missingTools(['riscv64-unknown-elf-gcc', 'riscv64-unknown-elf-objcopy', 'gdb-multiarch']);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: stacks that are compared with GDB's.`);
}

describe.runIf(missing.length === 0)('GDB', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-unwind-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const level of levels) {
    for (const [table, flags] of Object.entries(tables)) {
      it(`sees the same stack: ${level}, ${table}`, { timeout: 60_000 }, async () => {
        const { elf, core } = crashedProgram(folder, `${level}-${table}`.replaceAll(/\W+/g, '_'), [
          '-g',
          level,
          ...flags,
        ]);
        const theirs = gdbFrames(elf, core);
        const ours = await ourFrames(elf, core);
        expect(theirs.length).toBeGreaterThan(8);
        expect(ours.lines).toEqual(theirs);
        expect(ours.sources).toEqual(['registers', ...ours.sources.slice(1).map(() => 'call-frames')]);
        expect(ours.end).toBe('whole');
      });
    }
  }
});
