/**
 * An ELF core file: memory in its loadable segments, tasks and causes in its notes. Sources: System V ABI, chapter 5,
 * "Program Header" and "Note Section"; ESP-IDF, `core_dump_elf.c`, for the content of the notes.
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';
import type { CoreDump, CoreMachine, CoreTask, ExceptionCause } from './core-dump.ts';
import { CoreDumpError } from './core-failure.ts';
import { CoreMemory, type MemorySegment } from './core-memory.ts';
import { registersOfNote } from './registers.ts';

const TYPE_CORE = 4;
const [PT_LOAD, PT_NOTE] = [1, 4];
/** Size of a 32-bit program header in bytes. */
const PROGRAM_HEADER = 32;
const machines: Readonly<Record<number, CoreMachine>> = { 40: 'arm', 94: 'xtensa', 243: 'riscv' };

/** Types of notes: PRSTATUS is GDB's, the others are Espressif's. */
const noteType = { status: 1, extra: 677, panicDetails: 679, info: 8266 } as const;
/** Marker in place of the crashed task if an interrupt was running (`COREDUMP_CURR_TASK_MARKER`). */
const IN_INTERRUPT = 0xdead_beef;
/** Cause value of an Xtensa exception frame without a cause (`COREDUMP_INVALID_CAUSE_VALUE`). */
const NO_CAUSE = 0xffff;

type FromElf = Omit<CoreDump, 'header'>;

/**
 * Reads an ELF core file.
 *
 * @throws CoreDumpError
 */
export function readCoreElf(bytes: Uint8Array): FromElf {
  try {
    return read(bytes);
  } catch (cause) {
    throw cause instanceof RangeError ? new CoreDumpError('damaged', { cause }) : cause;
  }
}

function read(bytes: Uint8Array): FromElf {
  const cursor = new ByteCursor(bytes, true, 16);
  const is32 = bytes[4] === 1 && bytes[5] === 1;
  if (cursor.u16() !== TYPE_CORE) {
    throw new CoreDumpError('not-a-core');
  }
  const machine = machines[cursor.u16()];
  if (machine === undefined || !is32) {
    throw new CoreDumpError('unknown-machine');
  }
  // e_version, e_entry
  cursor.advance(8);
  const table = cursor.u32();
  // e_shoff, e_flags, e_ehsize
  cursor.advance(10);
  const [size, count] = [cursor.u16(), cursor.u16()];
  if (count > 0 && size < PROGRAM_HEADER) {
    throw new CoreDumpError('damaged');
  }
  const memory: MemorySegment[] = [];
  const notes: Note[] = [];
  let taken = 0;
  for (let index = 0; index < count; index++) {
    cursor.position = table + index * size;
    const [type, offset, address] = [cursor.u32(), cursor.u32(), cursor.u32()];
    cursor.advance(4);
    const length = cursor.u32();
    if (offset + length > bytes.length) {
      throw new CoreDumpError('truncated');
    }
    const content = bytes.subarray(offset, offset + length);
    // Segments that repeat the same bytes would make a small file endless: together they cannot exceed the file.
    taken += type === PT_LOAD || type === PT_NOTE ? length : 0;
    if (taken > bytes.length) {
      throw new CoreDumpError('damaged');
    }
    if (type === PT_LOAD) {
      memory.push({ address, bytes: content });
    } else if (type === PT_NOTE) {
      notes.push(...readNotes(content));
    }
  }
  const extra = notes.find(({ type }) => type === noteType.extra);
  const statuses = notes.filter(({ name, type }) => name === 'CORE' && type === noteType.status);
  const info = notes.find(({ type }) => type === noteType.info)?.content;
  const details = notes.filter(({ type }) => type === noteType.panicDetails);
  const marker = extra && new ByteCursor(extra.content, true).u32();
  const stopped = statuses.map((note): CoreTask => registersOfNote(machine, note.content));
  // Firmware writes the running task first.
  const crashedTask = marker === undefined || marker === IN_INTERRUPT ? (stopped[0]?.tcb ?? null) : marker;
  const exceptionRegisters = extra && machine === 'xtensa' ? xtensaExtra(extra.content) : {};
  const tasks = stopped.map((task) =>
    task.tcb === crashedTask && task.registers !== null
      ? { ...task, registers: { ...task.registers, special: { ...task.registers.special, ...exceptionRegisters } } }
      : task,
  );
  return {
    machine,
    memory: new CoreMemory(memory),
    elf: bytes,
    tasks,
    crashedTask,
    inInterrupt: marker === IN_INTERRUPT,
    cause: extra && machine === 'xtensa' ? xtensaCause(extra.content) : null,
    panicDetails: details.length === 0 ? null : details.map(({ content }) => stringAt(content, 0)).join('\n'),
    // The version word comes before the hash.
    appHash: info === undefined ? null : stringAt(info.subarray(4), 0).toLowerCase() || null,
  };
}

/** Reads EXCCAUSE and EXCVADDR: the first two pairs of register number and value, behind the task's address. */
function xtensaCause(note: Uint8Array): ExceptionCause | null {
  if (note.length < 20) {
    return null;
  }
  const cursor = new ByteCursor(note, true, 8);
  const number = cursor.u32();
  cursor.advance(4);
  const address = cursor.u32();
  return number === NO_CAUSE ? null : { number, address };
}

/** Special registers by number (Xtensa ISA reference manual, 5.3, "Special Register Numbers"). */
const specialNames: Readonly<Record<number, string>> = {
  232: 'exccause',
  238: 'excvaddr',
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((level) => [176 + level, `epc${level}`])),
  ...Object.fromEntries([2, 3, 4, 5, 6, 7].map((level) => [192 + level, `eps${level}`])),
};

/** Reads the registers of the exception and of each interrupt level: pairs of register number and value. */
function xtensaExtra(note: Uint8Array): Record<string, number> {
  const cursor = new ByteCursor(note, true, 4);
  const found: Record<string, number> = {};
  while (cursor.position + 8 <= note.length) {
    const [number, value] = [cursor.u32(), cursor.u32()];
    const name = specialNames[number];
    if (name !== undefined && !(name === 'exccause' && value === NO_CAUSE)) {
      found[name] = value;
    }
  }
  return found;
}

interface Note {
  readonly name: string;
  readonly type: number;
  readonly content: Uint8Array;
}

function readNotes(bytes: Uint8Array): Note[] {
  const cursor = new ByteCursor(bytes, true);
  const notes: Note[] = [];
  const padded = (size: number) => Math.ceil(size / 4) * 4;
  while (cursor.position + 12 <= bytes.length) {
    const [nameSize, size, type] = [cursor.u32(), cursor.u32(), cursor.u32()];
    const name = stringAt(bytes.subarray(cursor.position, cursor.position + nameSize), 0);
    cursor.advance(padded(nameSize));
    const content = bytes.subarray(cursor.position, cursor.position + size);
    cursor.advance(size);
    cursor.position = Math.min(bytes.length, cursor.position + padded(size) - size);
    notes.push({ name, type, content });
  }
  return notes;
}
