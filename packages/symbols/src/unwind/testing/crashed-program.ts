/**
 * Builds programs during the test and runs them until they crash. The core file has ESP-IDF's format: memory in
 * segments, registers in a note. The processor is that of the simulated devices.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RiscvCpu } from '@wirebench/devices';

const programs = join(import.meta.dirname, '../../testing/programs');
const code = 0x4038_0000;
const data = 0x3fc8_0000;
const memorySize = 0x1_0000;
/** Maximum number of instructions; more than the programs need. */
const budget = 1_000_000;

const linkerScript = `ENTRY(_start)
SECTIONS {
  .text ${code} : { *(.start) *(.text .text.*) }
  .eh_frame : { KEEP(*(.eh_frame)) }
  .beside 0x42000000 : { *(.beside) }
  .flash.rodata 0x3c000000 : { *(.flash_text) *(.flash_table) }
  .data ${data} : { *(.rodata .rodata.* .srodata .srodata.* .data .data.* .sdata .sdata.*) *(.bss .bss.* .sbss .sbss.* COMMON) BYTE(0) }
  stack_top = ${data + memorySize - 16};
}
`;

export interface CrashedProgram {
  /** Path of the ELF file. */
  readonly elf: string;
  readonly core: string;
}

export const riscvTarget = ['-march=rv32imc', '-mabi=ilp32', '-ffreestanding', '-nostdlib', '-fno-builtin'];

/**
 * Builds and runs a program.
 * @param name base name of the files in `folder`
 * @param source file name among the test programs
 * @param beside objects with code in sections `.beside` that never runs
 * @throws Error if a tool fails, or the program does not crash.
 */
export function crashedProgram(
  folder: string,
  name: string,
  flags: readonly string[],
  source = 'crash.c',
  beside: readonly string[] = [],
): CrashedProgram {
  const elf = join(folder, `${name}.elf`);
  const core = join(folder, `${name}.core`);
  const script = join(folder, 'program.ld');
  writeFileSync(script, linkerScript);
  const target = [...riscvTarget, '-msmall-data-limit=0'];
  const link = ['-Wl,--no-warn-rwx-segments', '-T', script, '-o', elf];
  const language = source.endsWith('.cpp') ? ['-fno-exceptions', '-fno-rtti'] : [];
  runTool('riscv64-unknown-elf-gcc', [
    ...target,
    ...language,
    ...flags,
    ...link,
    join(programs, source),
    ...beside,
    '-lgcc',
  ]);
  const memory = new Memory();
  memory.load(code, section(elf, '.text', folder));
  memory.load(data, section(elf, '.data', folder));
  const cpu = new RiscvCpu(memory, code);
  const stop = cpu.run(budget);
  if (stop.kind !== 'fault') {
    throw new Error(`The program did not crash: ${stop.kind}`);
  }
  writeFileSync(core, coreFile(stop.pc, cpu.registers.subarray(0, 32), { address: data, bytes: memory.data }));
  return { elf, core };
}

export function runTool(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) {
    throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  }
  return stdout;
}

function section(elf: string, name: string, folder: string): Uint8Array {
  const out = join(folder, 'section');
  runTool('riscv64-unknown-elf-objcopy', ['-O', 'binary', '-j', name, elf, out]);
  return new Uint8Array(readFileSync(out));
}

/** Memory with two blocks, for code and data; any other address ends the program. */
class Memory {
  readonly code = new Uint8Array(memorySize);
  readonly data = new Uint8Array(memorySize);
  overwritten: (address: number) => void = () => undefined;

  load(address: number, bytes: Uint8Array): void {
    this.#at(address).set(bytes, (address >>> 0) % memorySize);
  }

  read8(address: number): number {
    return this.#view(address).getUint8(0);
  }

  read16(address: number): number {
    return this.#view(address).getUint16(0, true);
  }

  read32(address: number): number {
    return this.#view(address).getInt32(0, true);
  }

  fetch(address: number): number {
    return this.read32(address);
  }

  write8(address: number, value: number): void {
    this.#view(address).setUint8(0, value);
  }

  write16(address: number, value: number): void {
    this.#view(address).setUint16(0, value, true);
  }

  write32(address: number, value: number): void {
    this.#view(address).setInt32(0, value, true);
  }

  #at(address: number): Uint8Array {
    const block = (address >>> 0) - ((address >>> 0) % memorySize);
    if (block !== code && block !== data) {
      throw new Error(`The program went to 0x${(address >>> 0).toString(16)}`);
    }
    return block === code ? this.code : this.data;
  }

  #view(address: number): DataView {
    const bytes = this.#at(address);
    return new DataView(bytes.buffer, (address >>> 0) % memorySize);
  }
}

/** Size of the register note for RISC-V and offsets in it: ESP-IDF, `port/riscv/core_dump_port.c`. */
const status = { size: 204, tcb: 24, registers: 72 } as const;
const [headerSize, segmentSize, noteHead] = [52, 32, 20];

/**
 * Returns an ELF core file with one task.
 * @param registers x0 to x31
 */
function coreFile(pc: number, registers: Int32Array, memory: { address: number; bytes: Uint8Array }): Uint8Array {
  const noteAt = headerSize + 2 * segmentSize;
  const noteSize = noteHead + status.size;
  const memoryAt = noteAt + noteSize;
  const file = new Uint8Array(memoryAt + memory.bytes.length);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  // e_type ET_CORE, e_machine EM_RISCV, e_version; e_phoff, e_ehsize, e_phentsize, e_phnum.
  view.setUint16(16, 4, true);
  view.setUint16(18, 243, true);
  view.setUint32(20, 1, true);
  view.setUint32(28, headerSize, true);
  view.setUint16(40, headerSize, true);
  view.setUint16(42, segmentSize, true);
  view.setUint16(44, 2, true);
  const segment = (index: number, words: readonly number[]) => {
    for (const [word, value] of words.entries()) {
      view.setUint32(headerSize + index * segmentSize + 4 * word, value, true);
    }
  };
  segment(0, [4, noteAt, 0, 0, noteSize, noteSize, 6, 0]);
  segment(1, [1, memoryAt, memory.address, memory.address, memory.bytes.length, memory.bytes.length, 6, 0]);
  view.setUint32(noteAt, 5, true);
  view.setUint32(noteAt + 4, status.size, true);
  view.setUint32(noteAt + 8, 1, true);
  file.set(new TextEncoder().encode('CORE'), noteAt + 12);
  view.setUint32(noteAt + noteHead + status.tcb, 0x3fc8_f000, true);
  for (const [register, value] of [pc, ...registers.subarray(1)].entries()) {
    view.setUint32(noteAt + noteHead + status.registers + 4 * register, value, true);
  }
  file.set(memory.bytes, memoryAt);
  return file;
}
