/** Opens core files written by this package in GDB and compares tasks and stacks. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { missingTools } from '../testing/toolchains.ts';
import { readCrashProgram } from '../unwind/crash-program.ts';
import { crashedProgram, runTool } from '../unwind/testing/crashed-program.ts';
import type { CoreDump } from './core-dump.ts';
import { coreFileOf } from './core-file.ts';
import { crashReport } from './crash-report.ts';
import { readCoreDump } from './read-core-dump.ts';

const missing = missingTools(['riscv64-unknown-elf-gcc', 'riscv64-unknown-elf-objcopy', 'gdb-multiarch']);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: core files in GDB.`);
}

describe.runIf(missing.length === 0)('GDB', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-core-file-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('opens a core file made of a dump in another format, with all its tasks and their stacks', {
    timeout: 60_000,
  }, async () => {
    const { elf, core } = crashedProgram(folder, 'crash', ['-g', '-Og']);
    const read = await readCoreDump(readFileSync(core));
    const [crashed] = read.tasks;
    if (crashed === undefined) {
      throw new Error('The core file has no task');
    }
    // Adds a second task that stopped at the same place. `elf: null` makes it a dump without an ELF core file.
    const dump: CoreDump = { ...read, elf: null, tasks: [crashed, { ...crashed, tcb: crashed.tcb + 0x200 }] };
    const saved = join(folder, 'saved.core');
    writeFileSync(saved, coreFileOf(dump));
    const commands = ['-ex', 'info threads', '-ex', 'thread apply all bt'];
    const output = runTool('gdb-multiarch', ['-batch', '-nx', ...commands, elf, saved]);
    expect(output.match(/^[* ] \d+ +LWP \d+/gm)).toHaveLength(2);
    const stacks = output.split(/^Thread /m).slice(1);
    const theirs = stacks.map((stack) =>
      [...stack.matchAll(/^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(/gm)].map(([, name]) => name),
    );
    const { tasks } = await crashReport(
      dump,
      await readCrashProgram(await openSymbolFile(bytesSource(readFileSync(elf)))),
    );
    const ours = tasks.map(({ frames }) =>
      frames.flatMap(({ places }) => places.map(({ name }) => name?.replace(/\..*/, ''))),
    );
    expect(ours[0]?.length).toBeGreaterThan(8);
    expect(theirs).toEqual(ours);
    // Reads the saved file back.
    const again = await readCoreDump(readFileSync(saved));
    expect(again.tasks).toEqual(dump.tasks);
    expect(again.memory.segments.map(({ address, bytes }) => [address, bytes.length])).toEqual(
      dump.memory.segments.map(({ address, bytes }) => [address, bytes.length]),
    );
  });
});

describe('an ELF core file', () => {
  it('is the dump’s own ELF file, unchanged, if it has one', async () => {
    const elf = Uint8Array.of(1, 2, 3);
    const dump = { elf } as unknown as CoreDump;
    expect(coreFileOf(dump)).toBe(elf);
  });
});
