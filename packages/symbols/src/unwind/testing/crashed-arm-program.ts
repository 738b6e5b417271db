/**
 * Builds programs for Cortex-M during the test and runs them in QEMU until their exception handler has stopped. GDB
 * then reads the processor's state, which becomes a core file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coreFileOf } from '../../core/core-file.ts';
import { CoreMemory } from '../../core/core-memory.ts';
import { type ComparedLine, framesOf } from './compared-stacks.ts';
import { type CrashedProgram, runTool } from './crashed-program.ts';

const programs = join(import.meta.dirname, '../../testing/programs');
interface ArmMemory {
  readonly flash: number;
  readonly ram: number;
}

/** Bytes of RAM that the programs use. */
export const ramSize = 0x4000;
const usualMemory: ArmMemory = { flash: 0, ram: 0x2000_0000 };

const linkerScript = ({ flash, ram }: ArmMemory) => `ENTRY(_start)
SECTIONS {
  .text ${flash} : { KEEP(*(.vectors)) *(.text .text.*) *(.rodata .rodata.*) }
  .ARM.extab : { *(.ARM.extab*) }
  .ARM.exidx : { *(.ARM.exidx*) }
  .data ${ram} : { *(.data .data.*) *(.bss .bss.* COMMON) BYTE(0) }
  stack_top = ${ram + ramSize};
}
`;

/** Processors, each with a QEMU board that contains it, and the addresses of its flash and RAM. */
export const armTargets = {
  'Cortex-M0': { board: 'microbit', flags: ['-mcpu=cortex-m0'], ...usualMemory },
  'Cortex-M3': { board: 'lm3s6965evb', flags: ['-mcpu=cortex-m3'], ...usualMemory },
  'Cortex-M4F': {
    board: 'mps2-an386',
    flags: ['-mcpu=cortex-m4', '-mfloat-abi=hard', '-mfpu=fpv4-sp-d16'],
    ...usualMemory,
  },
  // In the secure state, as an RP2350 runs its programs.
  'Cortex-M33': { board: 'mps2-an505', flags: ['-mcpu=cortex-m33+nofp'], flash: 0x1000_0000, ram: 0x3000_0000 },
} as const;

export type ArmTarget = keyof typeof armTargets;

const GDB = 'gdb-multiarch';
export const armTools = ['arm-none-eabi-gcc', 'arm-none-eabi-objcopy', GDB, 'qemu-system-arm'];

interface CrashedArmProgram extends CrashedProgram {
  readonly memory: CoreMemory;
  /** Stack that GDB shows while QEMU runs. GDB cannot read exception frames with floating point from a core file. */
  readonly stack: readonly ComparedLine[];
}

/**
 * Builds and runs `crash.c`.
 * @param name base name of the files in `folder`
 * @throws Error if a tool fails, or the program does not crash.
 */
export function crashedArmProgram(
  folder: string,
  name: string,
  target: ArmTarget,
  flags: readonly string[],
): CrashedArmProgram {
  const [elf, core, dump, script] = ['elf', 'core', 'ram', 'ld'].map((ending) => join(folder, `${name}.${ending}`));
  if (elf === undefined || core === undefined || dump === undefined || script === undefined) {
    throw new Error('A path is missing');
  }
  const { ram } = armTargets[target];
  writeFileSync(script, linkerScript(armTargets[target]));
  runTool('arm-none-eabi-gcc', [
    ...armTargets[target].flags,
    ...['-mthumb', '-ffreestanding', '-nostdlib', '-fno-builtin', '-Wl,--no-warn-rwx-segments'],
    ...flags,
    ...['-T', script, '-o', elf, join(programs, 'crash.c'), '-lgcc'],
  ]);
  const qemu = `qemu-system-arm -M ${armTargets[target].board} -nographic -monitor none -serial null -gdb stdio -S -kernel ${elf}`;
  const commands = [
    'set confirm off',
    `target remote | ${qemu}`,
    'break stopped',
    'continue',
    'echo registers:\\n',
    'info registers',
    'echo stack:\\n',
    'bt',
    `dump binary memory ${dump} ${ram} ${ram + ramSize}`,
    'kill',
  ];
  // The status is ignored, because the connection may break while QEMU ends.
  const { stdout } = spawnSync(GDB, ['-batch', '-nx', ...commands.flatMap((one) => ['-ex', one]), elf], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  const [, printed = '', stack = ''] = stdout.split(/^(?:registers|stack):\n/m);
  const values = new Map(
    [...printed.matchAll(/^(\w+) +0x([0-9a-f]+)/gm)].map(([, register, digits = '']) => [
      register,
      Number.parseInt(digits, 16),
    ]),
  );
  const general = [...Array.from({ length: 13 }, (_, index) => `r${index}`), 'sp', 'lr'].map((one) => values.get(one));
  const [pc, xpsr] = [values.get('pc'), values.get('xpsr')];
  if (pc === undefined || xpsr === undefined || general.includes(undefined)) {
    throw new Error(`The program did not crash: ${stdout}`);
  }
  const memory = new CoreMemory([{ address: ram, bytes: new Uint8Array(readFileSync(dump)) }]);
  const task = { tcb: 1, registers: { pc, general, special: { xpsr } } };
  const unknown = { header: null, crashedTask: 1, inInterrupt: false, cause: null, panicDetails: null, appHash: null };
  writeFileSync(core, coreFileOf({ ...unknown, machine: 'arm', elf: null, tasks: [task], memory }));
  return { elf, core, memory, stack: framesOf(stack) };
}
