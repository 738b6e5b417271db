/**
 * Compares parameters and variables with GDB, in every frame of programs that are built during the test and run into
 * a trap.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCoreDump } from '../core/read-core-dump.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { missingTools } from '../testing/toolchains.ts';
import { readCrashProgram } from '../unwind/crash-program.ts';
import { type CrashedProgram, crashedProgram, runTool } from '../unwind/testing/crashed-program.ts';
import { unwind } from '../unwind/unwind.ts';
import { type FrameVariable, frameVariables } from './frame-variables.ts';
import { unknownText } from './value-text.ts';

interface Seen {
  readonly parameters: readonly string[];
  /** Sorted by name, because GDB does not keep the order of the source within blocks. */
  readonly locals: readonly string[];
}

const settings = [
  'set width 0',
  'set print repeats unlimited',
  'set print static-members off',
  'set print vtbl off',
  'set print entry-values no',
];

/** Returns GDB's variables of each frame, including inlined calls. */
function theirs({ elf, core }: CrashedProgram, frames: number): Seen[] {
  const commands = Array.from({ length: frames }, (_, frame) => [
    `frame ${frame}`,
    'echo \\nARGS\\n',
    'info args',
    'echo LOCALS\\n',
    'info locals',
    'echo END\\n',
  ]).flat();
  const output = runTool('gdb-multiarch', [
    '-batch',
    '-nx',
    ...[...settings, ...commands].flatMap((command) => ['-ex', command]),
    elf,
    core,
  ]);
  return [...output.matchAll(/^ARGS\n(.*?)^LOCALS\n(.*?)^END$/gms)].map(([, args = '', locals = '']) => ({
    parameters: linesOf(args),
    locals: linesOf(locals).toSorted(),
  }));
}

const linesOf = (text: string) => text.split('\n').filter((line) => / = /.test(line));

async function ours({ elf, core }: CrashedProgram): Promise<{ seen: Seen[]; variables: FrameVariable[] }> {
  const program = await readCrashProgram(await openSymbolFile(bytesSource(readFileSync(elf))));
  const { machine, memory, tasks } = await readCoreDump(readFileSync(core));
  const registers = tasks[0]?.registers;
  if (registers === null || registers === undefined) {
    throw new Error('The core file has no registers');
  }
  const known = memory.with(program.memory);
  const groups = unwind(machine, program, known, registers).frames.flatMap((frame) =>
    frameVariables(program.variables, program.symbols.functionsAt(frame.lookedUp), frame, known),
  );
  return {
    seen: groups.map((variables) => ({
      parameters: variables.filter(({ isParameter }) => isParameter).map(lineOf),
      locals: variables
        .filter(({ isParameter }) => !isParameter)
        .map(lineOf)
        .toSorted(),
    })),
    variables: groups.flat(),
  };
}

const lineOf = ({ name, value, unknown }: FrameVariable) =>
  `${name} = ${value ?? `<${unknownText[unknown ?? 'damaged']}>`}`;

/** Replaces texts that GDB and this package word differently. */
const alike = (text: string) =>
  text
    .replaceAll('<optimised away>', '<optimized out>')
    .replaceAll(/<error reading variable \w+ \(Cannot access memory at address \w+\)>/g, `<${unknownText.memory}>`)
    // Removes namespaces, because entries do not name their namespace.
    .replaceAll('board::', '')
    .replaceAll(/ <vtable for [^>]*>/g, '');

/**
 * Returns true if this reader reports an unknown value that GDB shows. GDB computes the entry value of a register
 * from the caller's debug information. It also shows registers that the called function may have overwritten as if
 * they were unchanged.
 */
const isLeftOpen = (line: string) =>
  [unknownText['entry-value'], unknownText.pointer, unknownText.register].some((text) => line.includes(text));

function compare(mine: readonly string[], gdb: readonly string[]): void {
  expect(mine.map((line) => line.split(' = ')[0])).toEqual(gdb.map((line) => line.split(' = ')[0]));
  const compared = mine.map((line, index) => [alike(line), isLeftOpen(line) ? alike(line) : alike(gdb[index] ?? '')]);
  expect(compared.map(([line]) => line)).toEqual(compared.map(([, line]) => line));
}

const missing = missingTools(['riscv64-unknown-elf-gcc', 'riscv64-unknown-elf-objcopy', 'gdb-multiarch']);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: variables that are compared with GDB's.`);
}

describe.runIf(missing.length === 0)('GDB', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-variables-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const source of ['locals.c', 'locals.cpp', 'crash.c', 'flash.c']) {
    for (const level of ['-O0', '-Og', '-O2', '-Os']) {
      for (const version of [4, 5]) {
        const flags = ['-g', `-gdwarf-${version}`, level];
        it(`sees the same variables in ${source}: ${flags.slice(1).join(' ')}`, { timeout: 60_000 }, async () => {
          const name = `${source}${flags.join('')}`.replaceAll(/\W+/g, '_');
          const crashed = crashedProgram(folder, name, flags, source);
          const { seen, variables } = await ours(crashed);
          const gdb = theirs(crashed, seen.length);
          expect(gdb).toHaveLength(seen.length);
          for (const [index, { parameters, locals }] of seen.entries()) {
            compare(parameters, gdb[index]?.parameters ?? []);
            compare(locals, gdb[index]?.locals ?? []);
          }
          // Without optimisation every value is known; otherwise a good part.
          const known = variables.filter(({ value }) => value !== null).length;
          expect(known / variables.length).toBeGreaterThanOrEqual(level === '-O0' ? 1 : 0.3);
          expect(variables.length).toBeGreaterThan(8);
        });
      }
    }
  }
});
