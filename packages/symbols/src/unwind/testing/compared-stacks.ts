/** Reads the stack of a core file with GDB and with this package, for comparison. */
import { readFileSync } from 'node:fs';
import type { TaskRegisters } from '../../core/core-dump.ts';
import { readCoreDump } from '../../core/read-core-dump.ts';
import { openSymbolFile } from '../../symbol-file.ts';
import { bytesSource } from '../../testing/bytes-source.ts';
import { readCrashProgram } from '../crash-program.ts';
import type { StackEnd } from '../stack-frame.ts';
import { unwind } from '../unwind.ts';
import { runTool } from './crashed-program.ts';

export interface ComparedLine {
  readonly function: string;
  /** Base name and line. */
  readonly place: string;
}

/** Returns the frames that GDB's `bt` prints; inlined calls have frames of their own. */
export function gdbFrames(elf: string, core: string): ComparedLine[] {
  const output =
    runTool('gdb-multiarch', ['-batch', '-nx', '-ex', 'echo stack:\\n', '-ex', 'bt', elf, core]).split('stack:\n')[1] ??
    '';
  return framesOf(output);
}

/** Parses the output of GDB's `bt`. */
export function framesOf(output: string): ComparedLine[] {
  return [...output.matchAll(/^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(.*\) at (?:.*\/)?([^/]+:\d+)$/gm)].map(
    ([, name = '', place = '']) => ({ function: name, place }),
  );
}

interface OurFrames {
  readonly lines: readonly ComparedLine[];
  readonly sources: readonly string[];
  readonly end: StackEnd;
}

/**
 * Returns the frames that this package finds.
 * @param changed special registers that the core file does not hold
 */
export async function ourFrames(elf: string, core: string, changed: TaskRegisters['special'] = {}): Promise<OurFrames> {
  const program = await readCrashProgram(await openSymbolFile(bytesSource(readFileSync(elf))));
  const { machine, memory, tasks } = await readCoreDump(readFileSync(core));
  const registers = tasks[0]?.registers;
  if (registers === null || registers === undefined) {
    throw new Error('The core file has no registers');
  }
  const { frames, end } = unwind(machine, program, memory.with(program.memory), {
    ...registers,
    special: { ...registers.special, ...changed },
  });
  const lines = frames.flatMap(({ places }) =>
    // Removes the suffix of compiler-made copies: the linker names the copy, GDB the function.
    places.map(({ name = '', file = '', line }) => ({
      function: name.replace(/\..*/, ''),
      place: `${file.split('/').at(-1)}:${line}`,
    })),
  );
  return { lines, sources: frames.map(({ source }) => source), end };
}
