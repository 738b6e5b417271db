/**
 * Builds a big crashed RISC-V program and its core dump, with as many tasks as firmware has. One source with many
 * functions and types is compiled once. Its copies are linked under other names beside the one that runs. Throws if
 * the RISC-V compiler or the binutils are missing.
 */
import { execFileSync } from 'node:child_process';
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobSource, elfHash, readCoreDump } from '@wirebench/symbols';
import { appInfo, coreElf, riscvStatus } from '@wirebench/symbols/testing';
import { crashedProgram, riscvTarget } from '@wirebench/symbols/testing/crashed-program';
import { orShortest } from '../shortest.ts';

/** Functions of one copy. Nine copies give an ELF file of 20 MB. */
const FUNCTIONS = orShortest(1_500, 20);
const COPIES = orShortest(9, 1);
/** Number of tasks of an application with a network stack. */
const TASKS = 12;
/** `e_machine` of RISC-V in ELF files. */
const EM_RISCV = 243;

export interface CrashedFirmware {
  readonly elf: string;
  /** Path of an ELF core file. */
  readonly dump: string;
}

export async function crashedFirmware(folder: string): Promise<CrashedFirmware> {
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'beside.c'), source());
  run('riscv64-unknown-elf-gcc', ...riscvTarget, '-mno-relax', '-g', '-O2', '-c', 'beside.c', '-o', 'beside.o');
  const objects = Array.from({ length: COPIES }, (_, copy) => {
    const name = `copy${copy}.o`;
    run(
      'riscv64-unknown-elf-objcopy',
      `--prefix-symbols=copy${copy}_`,
      '--rename-section',
      '.text=.beside',
      'beside.o',
      name,
    );
    return join(folder, name);
  });
  const { elf, core } = crashedProgram(folder, 'firmware', ['-g', '-O2', '-Wl,--discard-all'], 'crash.c', objects);
  const { tasks, memory } = await readCoreDump(readFileSync(core));
  const registers = tasks[0]?.registers;
  if (!registers) {
    throw new Error('The core file has no registers');
  }
  const hash = await elfHash(blobSource(await openAsBlob(elf)));
  const words = [registers.pc, ...registers.general.slice(1).map((word) => word ?? 0)];
  const dump = join(folder, 'dump.elf');
  const status = (task: number) => riscvStatus(0x3fc8_f000 + 0x10 * task, words);
  const notes = [...Array.from({ length: TASKS }, (_, task) => status(task)), appInfo(0x0103, hash)];
  writeFileSync(dump, coreElf({ machine: EM_RISCV, notes, memory: memory.segments }));
  return { elf, dump };
}

/**
 * Returns source code with functions like firmware's: structures, inlined calls, loops, variables that move between
 * registers.
 */
function source(): string {
  const lines = [
    'struct reading { int value; unsigned short channel; struct reading *next; union { float ratio; unsigned raw; } scale; };',
    'static inline int clamped(int value, int low, int high) { return value < low ? low : value > high ? high : value; }',
  ];
  for (let n = 0; n < FUNCTIONS; n++) {
    const length = 4 + (n % 13);
    lines.push(
      `struct state_${n} { struct reading last; int history[${length}]; int (*weigh)(const struct reading *, int); };`,
      `int step_${n}(struct state_${n} *state, const struct reading *reading, int gain) {`,
      `  int sum = clamped(reading->value * gain, -${n + 100}, ${n + 1_000});`,
      `  for (int index = 0; index < ${length}; index++) {`,
      `    int weight = state->weigh ? state->weigh(reading, index) : clamped(index, 1, ${3 + (n % 7)});`,
      '    sum += state->history[index] * weight;',
      '    state->history[index] = clamped(sum - state->last.value, -32768, 32767);',
      '  }',
      '  state->last = *reading;',
      `  return ${n === 0 ? '' : `sum > ${n} ? step_${n - 1}((void *)state, reading, gain + 1) : `}sum;`,
      '}',
    );
  }
  return lines.join('\n');
}
