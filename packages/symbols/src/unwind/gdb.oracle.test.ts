/** The same stacks as GDB, for programs that are built here and run into a trap. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesSource } from '../byte-source.ts';
import { readCoreDump } from '../core/read-core-dump.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { missingTools } from '../testing/toolchains.ts';
import { readCrashProgram } from './crash-program.ts';
import { crashedProgram, runTool } from './testing/crashed-program.ts';
import { unwind } from './unwind.ts';

interface Line {
  readonly function: string;
  /** Base name and line. */
  readonly place: string;
}

/** Frames as GDB's `bt` prints them, inlined calls on lines of their own. */
function gdbFrames(elf: string, core: string): Line[] {
  const output =
    runTool('gdb-multiarch', ['-batch', '-nx', '-ex', 'echo stack:\\n', '-ex', 'bt', elf, core]).split('stack:\n')[1] ??
    '';
  return [...output.matchAll(/^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(.*\) at (?:.*\/)?([^/]+:\d+)$/gm)].map(
    ([, name = '', place = '']) => ({ function: name, place }),
  );
}

async function ourFrames(elf: string, core: string): Promise<{ lines: Line[]; sources: string[]; end: string }> {
  const source = bytesSource(readFileSync(elf));
  const program = await readCrashProgram(await openSymbolFile(source));
  const { machine, memory, tasks } = await readCoreDump(readFileSync(core));
  const registers = tasks[0]?.registers;
  if (registers === null || registers === undefined) {
    throw new Error('The core file has no registers');
  }
  const { frames, end } = unwind(machine, program, memory.with(program.memory), registers);
  const lines = frames.flatMap(({ places }) =>
    // The linker names the copy that the compiler made of a function, GDB the function.
    places.map(({ name = '', file = '', line }) => ({
      function: name.replace(/\..*/, ''),
      place: `${file.split('/').at(-1)}:${line}`,
    })),
  );
  return { lines, sources: frames.map(({ source }) => source), end };
}

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
