/**
 * Independent compilers and emulators for comparison with the interpreters. Programs are built and run where these
 * tools are installed. A program leaves bytes in `output`, which its start code writes by a system call.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChipBus } from '../chip-bus.ts';
import type { Processor } from '../cpu.ts';
import { RiscvCpu } from '../riscv/riscv-cpu.ts';
import { XtensaCpu } from '../xtensa/xtensa-cpu.ts';

export const programs = join(import.meta.dirname, 'programs');
/** Size of instruction memory and of data memory, in bytes. Half of the data memory is the stack. */
const memorySize = 0x10000;

/** The memory of a program before its start. */
export interface Image {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
}

export interface Target {
  readonly name: 'riscv' | 'xtensa';
  readonly prefix: string;
  readonly flags: readonly string[];
  readonly emulator: readonly string[];
  readonly code: number;
  readonly data: number;
  cpu(bus: ChipBus, entry: number): Processor;
  /**
   * Registers of a system call: its number, then the address and length of the output. `write` is the number of the
   * write call.
   */
  readonly call: { readonly number: number; readonly bytes: readonly [number, number]; readonly write: number };
  readonly callLength: number;
}

export const riscv: Target = {
  name: 'riscv',
  prefix: 'riscv64-unknown-elf-',
  flags: ['-march=rv32imc', '-mabi=ilp32', '-msmall-data-limit=0'],
  emulator: ['qemu-riscv32'],
  code: 0x40380000,
  data: 0x3fc80000,
  cpu: (bus, entry) => new RiscvCpu(bus, entry),
  call: { number: 17, bytes: [11, 12], write: 64 },
  callLength: 4,
};

/**
 * The addresses are those of the emulator's memory and reset vector. Its CPU has division, loops and similar options.
 */
export const xtensa: Target = {
  name: 'xtensa',
  prefix: 'xtensa-lx106-elf-',
  flags: ['-mlongcalls', '-mtext-section-literals'],
  emulator: [
    'qemu-system-xtensa',
    ...['-M', 'sim', '-cpu', 'de212', '-semihosting', '-nographic', '-monitor', 'none', '-serial', 'none', '-kernel'],
  ],
  code: 0x50000000,
  data: 0x60000000,
  cpu: (bus, entry) => new XtensaCpu(bus, entry),
  call: { number: 2, bytes: [4, 5], write: 4 },
  callLength: 3,
};

function runs(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

export function hasCompiler({ prefix }: Target): boolean {
  return runs(`${prefix}gcc`) && runs(`${prefix}objcopy`);
}

export function hasEmulator({ emulator: [command = ''] }: Target): boolean {
  return runs(command);
}

function call(command: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, { timeout: 60_000, maxBuffer: 1 << 24 });
  if (status !== 0) {
    throw new Error(`${command} failed: ${error?.message ?? stderr.toString()}`);
  }
  return stdout;
}

/**
 * Builds `source` (C or assembly, according to its name) with its start code, and passes it to `use`. Deletes the
 * files afterwards.
 */
export function withBuilt<T>(
  target: Target,
  source: { readonly name: string; readonly text: string },
  flags: readonly string[],
  use: (image: Image, elf: string) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-cpu-'));
  try {
    const elf = join(folder, 'program.elf');
    const script = join(folder, 'program.ld');
    writeFileSync(script, linkerScript(target));
    writeFileSync(join(folder, source.name), source.text);
    const common = [
      '-ffreestanding',
      '-nostdlib',
      '-fno-builtin',
      '-Wl,--no-warn-rwx-segments',
      '-T',
      script,
      '-o',
      elf,
    ];
    const start = join(programs, `start-${target.name}.S`);
    call(`${target.prefix}gcc`, [...target.flags, ...flags, ...common, start, join(folder, source.name), '-lgcc']);
    const section = (name: string) => {
      const out = join(folder, name);
      call(`${target.prefix}objcopy`, ['-O', 'binary', '-j', name, elf, out]);
      return new Uint8Array(readFileSync(out));
    };
    return use({ code: section('.text'), data: section('.data') }, elf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a linker script with the code in one section, and all data including zero-initialised data in another. */
function linkerScript({ code, data }: Target): string {
  return `ENTRY(_start)
SECTIONS {
  .text ${code} : { *(.start) *(.text .text.* .literal .literal.*) }
  .data ${data} : { *(.rodata .rodata.* .srodata .srodata.* .data .data.* .sdata .sdata.*) *(.bss .bss.* .sbss .sbss.* COMMON) BYTE(0) }
  .stack (NOLOAD) : { . = ALIGN(16); . += ${memorySize / 2}; stack_top = .; }
  /DISCARD/ : { *(.comment .note* .riscv.attributes .xtensa.info .eh_frame*) }
}
`;
}

/** Runs the program in the emulator and returns its output. */
export function outputElsewhere({ emulator: [command = '', ...args] }: Target, elf: string): Uint8Array {
  return new Uint8Array(call(command, [...args, elf]));
}

/**
 * Runs the program in the interpreter and returns its output.
 * @throws Error if the program ends in any other way than by its system call.
 */
export function outputHere(target: Target, { code, data }: Image): Uint8Array {
  const bus = new ChipBus(
    [
      { start: target.code, length: memorySize, memory: 'code', kind: 'code' },
      { start: target.data, length: memorySize, memory: 'data', kind: 'data' },
    ],
    { read: () => null, write: () => false },
  );
  const words = new DataView(Uint8Array.from([...code, 0, 0, 0]).buffer);
  for (let at = 0; at < code.length; at += 4) {
    bus.write32(target.code + at, words.getUint32(at, true));
  }
  for (const [at, byte] of data.entries()) {
    bus.write8(target.data + at, byte);
  }
  const cpu = target.cpu(bus, target.code);
  const output: number[] = [];
  for (;;) {
    const stop = cpu.run(50_000_000);
    if (stop.kind !== 'fault' || stop.fault.code !== 'system-call') {
      throw new Error(`${stop.kind === 'fault' ? stop.fault.message : stop.kind} at ${cpu.pc.toString(16)}`);
    }
    const [address = 0, length = 0] = target.call.bytes.map((register) => cpu.registers[register] ?? 0);
    if (cpu.registers[target.call.number] !== target.call.write) {
      return Uint8Array.from(output);
    }
    for (let at = 0; at < length; at++) {
      output.push(bus.read8(address + at));
    }
    cpu.pc += target.callLength;
  }
}
