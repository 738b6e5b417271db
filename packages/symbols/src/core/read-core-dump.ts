/** Reads core dumps in all their forms, with or without text, header and checksum around them. */

import { ByteCursor } from '../byte-cursor.ts';
import { type CoreContainer, readContainer } from './core-container.ts';
import type { CoreDump, CoreMachine, CoreTask, ExceptionCause } from './core-dump.ts';
import { readCoreElf } from './core-elf.ts';
import { CoreDumpError } from './core-failure.ts';
import { CoreMemory, type MemorySegment } from './core-memory.ts';
import { readZephyrDump, zephyrDumpIn } from './core-zephyr.ts';
import { registersOfStack } from './registers.ts';

/** `esp_chip_id_t` of the chips with Xtensa processors; all others have RISC-V. Source: ESP-IDF, `esp_app_format.h`. */
const xtensaChips: readonly number[] = [0, 2, 9];

interface ReadOptions {
  /** Awaited between slices of a large dump, so that other work of the thread can run. */
  readonly pause?: () => Promise<void>;
}

/**
 * The older binary format: for each task its addresses, its control block and its stack, then segments of memory
 * (ESP-IDF, `core_dump_binary.c`; esp-coredump 1.x, `corefile/loader.py`). It contains neither the cause nor the
 * program's hash. The first task is the crashed one.
 */

type BinaryContent = Extract<CoreContainer['content'], { kind: 'binary' }>;
/** Fake stack addresses that firmware writes for tasks with a corrupt stack (`COREDUMP_FAKE_STACK_START`, `_LIMIT`). */
const isMadeUp = (address: number) => address >= 0x2000_0000 && address < 0x3000_0000;

/**
 * Reads the content of a dump.
 *
 * @throws CoreDumpError
 */
function readCoreBinary(machine: CoreMachine, content: BinaryContent): Omit<CoreDump, 'header'> {
  try {
    return read(machine, content);
  } catch (cause) {
    throw cause instanceof RangeError ? new CoreDumpError('damaged', { cause }) : cause;
  }
}

function read(machine: CoreMachine, { bytes, tasks, tcbSize, segments }: BinaryContent): Omit<CoreDump, 'header'> {
  const cursor = new ByteCursor(bytes, true);
  const memory: MemorySegment[] = [];
  const found: CoreTask[] = [];
  let cause: ExceptionCause | null = null;
  const take = (address: number, length: number): Uint8Array => {
    const start = cursor.position;
    cursor.advance(length);
    const taken = bytes.subarray(start, cursor.position);
    memory.push({ address, bytes: taken });
    // Each part is aligned to a word.
    cursor.position = Math.min(bytes.length, Math.ceil(cursor.position / 4) * 4);
    return taken;
  };
  for (let index = 0; index < tasks; index++) {
    const [tcb, top, end] = [cursor.u32(), cursor.u32(), cursor.u32()];
    take(tcb, tcbSize);
    const stack = take(Math.min(top, end), Math.abs(top - end));
    const saved = isMadeUp(top) ? null : registersOfStack(machine, stack);
    if (index === 0) {
      cause = saved?.cause ?? null;
    }
    found.push({ tcb, registers: saved?.registers ?? null });
  }
  for (let index = 0; index < segments; index++) {
    const [address, size] = [cursor.u32(), cursor.u32()];
    take(address, size);
  }
  return {
    machine,
    memory: new CoreMemory(memory),
    elf: null,
    tasks: found,
    crashedTask: found[0]?.tcb ?? null,
    inInterrupt: false,
    cause,
    panicDetails: null,
    appHash: null,
  };
}

/**
 * Reads a core dump in any of its forms.
 *
 * @throws CoreDumpError
 */
export async function readCoreDump(bytes: Uint8Array, { pause }: ReadOptions = {}): Promise<CoreDump> {
  const zephyr = zephyrDumpIn(bytes);
  if (zephyr !== null) {
    return readZephyrDump(zephyr);
  }
  const { header, content, skipped } = await readContainer(bytes, pause);
  const facts = { header, ...(skipped !== undefined && { skipped }) };
  if (content.kind === 'elf') {
    return { ...facts, ...readCoreElf(content.bytes) };
  }
  if (header === null) {
    throw new CoreDumpError('damaged');
  }
  return { ...facts, ...readCoreBinary(xtensaChips.includes(header.chipId) ? 'xtensa' : 'riscv', content) };
}
