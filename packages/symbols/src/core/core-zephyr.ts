/**
 * Core dumps of Zephyr and the nRF Connect SDK: a header, the registers of the crashed thread, and blocks of memory.
 * Sources: Zephyr, `include/zephyr/debug/coredump.h` (blocks), `arch/arm/core/cortex_m/coredump.c` and
 * `arch/riscv/core/coredump.c` (registers), `scripts/coredump/gdbstubs/arch/risc_v.py` (registers of version 1).
 */
import { fileText } from '@wirebench/port/given-text';
import { ByteCursor } from '../byte-cursor.ts';
import { fatalReason } from '../panic/zephyr-reasons.ts';
import { isSound } from './core-checksum.ts';
import type { CoreDump, CoreMachine, TaskRegisters } from './core-dump.ts';
import { CoreDumpError } from './core-failure.ts';
import { CoreMemory, type MemorySegment } from './core-memory.ts';
import { bytesOfZephyrText, hasZephyrDump } from './zephyr-text.ts';

const [Z, E] = [0x5a, 0x45];
/** Newest known version of the header. Version 2 added metadata of threads. */
const NEWEST_VERSION = 2;
const HEADER_SIZE = 12;
/** `COREDUMP_HDR_FLAG_CRC`: the dump ends with a checksum. */
const HAS_CHECKSUM = 1;
/** `enum coredump_tgt_code`. */
const machines: Readonly<Record<number, CoreMachine>> = { 3: 'arm', 4: 'riscv' };
const [POINTERS_32_BITS, POINTERS_64_BITS] = [5, 6];
const block = { registers: 0x41, memory: 0x4d, threads: 0x54, otherCore: 0x46, checksum: 0x43 } as const;

/**
 * Returns the dump in a file, in binary form or in a log; null for a file without one.
 *
 * @throws CoreDumpError for a log whose dump has no end.
 */
export function zephyrDumpIn(bytes: Uint8Array): Uint8Array | null {
  if (isZephyrDump(bytes)) {
    return bytes;
  }
  const text = fileText(bytes);
  return text !== null && hasZephyrDump(text) ? bytesOfZephyrText(text) : null;
}

/** Returns true for a dump in binary form. */
function isZephyrDump(bytes: Uint8Array): boolean {
  const version = (bytes[2] ?? 0) | ((bytes[3] ?? 0) << 8);
  return bytes.length >= HEADER_SIZE && bytes[0] === Z && bytes[1] === E && version > 0 && version < 0x100;
}

/**
 * Reads a dump in binary form.
 *
 * @throws CoreDumpError
 */
export async function readZephyrDump(bytes: Uint8Array): Promise<CoreDump> {
  try {
    return await read(bytes);
  } catch (cause) {
    throw cause instanceof RangeError ? new CoreDumpError('truncated', { cause }) : cause;
  }
}

async function read(bytes: Uint8Array): Promise<CoreDump> {
  const cursor = new ByteCursor(bytes, true, 2);
  const [version, target, pointerSize, flags, reason] = [
    cursor.u16(),
    cursor.u16(),
    cursor.u8(),
    cursor.u8(),
    cursor.u32(),
  ];
  const machine = machines[target];
  if (version > NEWEST_VERSION) {
    throw new CoreDumpError('unknown-version');
  }
  if (machine === undefined || pointerSize === POINTERS_64_BITS) {
    throw new CoreDumpError('unknown-machine');
  }
  if (pointerSize !== POINTERS_32_BITS) {
    throw new CoreDumpError('damaged');
  }
  const memory: MemorySegment[] = [];
  let registers: TaskRegisters | null = null;
  let isChecked = (flags & HAS_CHECKSUM) === 0;
  while (!cursor.atEnd) {
    const start = cursor.position;
    const [kind, blockVersion] = [cursor.u8(), cursor.u16()];
    if (kind === block.memory) {
      memory.push(memoryBlock(cursor));
    } else if (kind === block.registers) {
      const end = blockEnd(cursor, cursor.u16());
      registers = registersOf[machine](cursor, blockVersion, (end - cursor.position) / 4);
      cursor.position = end;
    } else if (kind === block.threads) {
      cursor.position = blockEnd(cursor, cursor.u16());
    } else if (kind === block.otherCore) {
      const size = cursor.u16();
      // Skips the core's number and its thread.
      cursor.advance(8);
      cursor.position = blockEnd(cursor, size);
    } else if (kind === block.checksum) {
      if (!(await isSound('crc32', bytes.subarray(0, start), bytes.subarray(cursor.position, cursor.position + 4)))) {
        throw new CoreDumpError('checksum');
      }
      isChecked = true;
      break;
    } else {
      throw new CoreDumpError('damaged');
    }
  }
  if (!isChecked) {
    throw new CoreDumpError('truncated');
  }
  return {
    header: null,
    machine,
    memory: new CoreMemory(memory),
    elf: null,
    tasks: registers === null ? [] : [{ tcb: UNKNOWN_THREAD, registers }],
    crashedTask: registers === null ? null : UNKNOWN_THREAD,
    inInterrupt: false,
    cause: null,
    panicDetails: `Zephyr fatal error ${reason}: ${fatalReason(reason, machine).name}`,
    appHash: null,
  };
}

/** Handle of the only task: the dump does not name the crashed thread. */
const UNKNOWN_THREAD = 0;

function blockEnd(cursor: ByteCursor, size: number): number {
  const end = cursor.position + size;
  if (end > cursor.bytes.length) {
    throw new RangeError('A block past the end');
  }
  return end;
}

function memoryBlock(cursor: ByteCursor): MemorySegment {
  const [address, behind] = [cursor.u32(), cursor.u32()];
  if (behind < address) {
    throw new CoreDumpError('damaged');
  }
  const start = cursor.position;
  cursor.position = blockEnd(cursor, behind - address);
  return { address, bytes: cursor.bytes.subarray(start, cursor.position) };
}

const registersOf = { arm: armRegisters, riscv: riscvRegisters, xtensa: undefinedRegisters } satisfies Record<
  CoreMachine,
  (cursor: ByteCursor, version: number, words: number) => TaskRegisters | null
>;

/**
 * Reads r0 to r3, r12, LR, PC, xPSR and SP. Since version 2 r4 to r11 follow, which are 0 unless firmware was built
 * to save them.
 */
function armRegisters(cursor: ByteCursor, version: number, count: number): TaskRegisters {
  const [r0, r1, r2, r3, r12, lr, pc = 0, xpsr = 0, sp, ...others] = words(cursor, Math.min(count, 17));
  const kept = version === 1 ? [] : others;
  const known = known8(kept);
  return { pc, general: [r0, r1, r2, r3, ...known, r12, sp, lr], special: { xpsr } };
}

/** Treats registers that are all 0 as not saved. */
function known8(values: readonly number[]): readonly (number | undefined)[] {
  return values.some((value) => value !== 0) ? values : new Array<undefined>(8).fill(undefined);
}

function riscvRegisters(cursor: ByteCursor, version: number, count: number): TaskRegisters | null {
  if (version === 1) {
    const [ra, tp, t0, t1, t2, ...others] = words(cursor, 19);
    const [a, t, [pc = 0, sp]] = [others.slice(0, 8), others.slice(8, 12), others.slice(12)];
    const unknown = (length: number) => new Array<undefined>(length).fill(undefined);
    return {
      pc,
      general: [0, ra, sp, undefined, tp, t0, t1, t2, ...unknown(2), ...a, ...unknown(10), ...t],
      special: {},
    };
  }
  if (version !== 3 || count < 33) {
    throw new CoreDumpError('unknown-version');
  }
  const all = words(cursor, 33);
  // s1 to s11: firmware saves either all of them or none.
  const saved = [9, ...Array.from({ length: 10 }, (_, index) => 18 + index)];
  const isSaved = saved.some((register) => all[register] !== 0);
  const general = all.slice(0, 32).map((value, register) => (isSaved || !saved.includes(register) ? value : undefined));
  return { pc: all[32] ?? 0, general, special: {} };
}

function undefinedRegisters(): null {
  return null;
}

function words(cursor: ByteCursor, count: number): number[] {
  return Array.from({ length: count }, () => cursor.u32());
}
