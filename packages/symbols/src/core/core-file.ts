/**
 * An ELF core file for GDB (System V ABI, chapters 4 and 5; PRSTATUS notes as in `registers.ts`). A dump that already
 * is an ELF core file is returned unchanged, with all of Espressif's notes. For other formats the file is built here.
 */
import type { CoreDump, CoreMachine, CoreTask } from './core-dump.ts';
import type { MemorySegment } from './core-memory.ts';
import { joined } from './joined-bytes.ts';

export interface CoreNote {
  readonly name: string;
  readonly type: number;
  readonly content: Uint8Array;
}

interface CoreFileParts {
  /** `e_machine`. */
  readonly machine: number;
  readonly notes: readonly CoreNote[];
  readonly memory: readonly MemorySegment[];
  /** `e_type`; defaults to ET_CORE. */
  readonly type?: number;
}

const numbers = { arm: 40, xtensa: 94, riscv: 243 } satisfies Record<CoreMachine, number>;
const [ET_CORE, PT_LOAD, PT_NOTE, READ_WRITE] = [4, 1, 4, 6];
const [headerSize, segmentSize] = [52, 32];
const NOTE_STATUS = 1;
/** Offsets in a PRSTATUS note: the task's handle, stored as process ID, and the registers. */
const [STATUS_TASK, STATUS_REGISTERS] = [24, 72];
/** Number of Xtensa words before the 64 address registers, of which a task sees 16, and number of all words. */
const [XTENSA_AR, XTENSA_WORDS] = [64, 129];
/** Size of a PRSTATUS note in bytes. Source for ARM: BFD, `elf32_arm_nabi_grok_prstatus`. */
const statusSize = {
  riscv: 204,
  arm: 148,
  xtensa: STATUS_REGISTERS + 4 * XTENSA_WORDS,
} satisfies Record<CoreMachine, number>;

export function coreFileOf({ elf, machine, memory, tasks }: CoreDump): Uint8Array {
  return (
    elf ??
    coreFile({
      machine: numbers[machine],
      notes: tasks.flatMap((task) => statusNote(machine, task)),
      memory: memory.segments,
    })
  );
}

/** Returns no note for a task without registers in the dump. */
function statusNote(machine: CoreMachine, { tcb, registers }: CoreTask): CoreNote[] {
  if (registers === null) {
    return [];
  }
  const { pc, general, special } = registers;
  const content = new Uint8Array(statusSize[machine]);
  const values =
    machine === 'riscv'
      ? [pc, ...firstOf(31, general.slice(1))]
      : machine === 'arm'
        ? [...firstOf(15, general), pc, special['xpsr'] ?? 0]
        : xtensaWords(pc, special, general);
  content.set(words(tcb), STATUS_TASK);
  content.set(words(...values), STATUS_REGISTERS);
  return [{ name: 'CORE', type: NOTE_STATUS, content }];
}

const firstOf = (count: number, values: readonly (number | undefined)[]) =>
  Array.from({ length: count }, (_, index) => values[index] ?? 0);

function xtensaWords(
  pc: number,
  special: Readonly<Record<string, number>>,
  general: readonly (number | undefined)[],
): number[] {
  const first = [pc, ...['ps', 'lbeg', 'lend', 'lcount', 'sar'].map((name) => special[name] ?? 0)];
  // The task's window begins at the first register. Its callers' windows were all spilled to the stack, so none is in
  // registers.
  return [
    ...first,
    1,
    0,
    ...new Array<number>(XTENSA_AR - 8).fill(0),
    ...Array.from({ length: 16 }, (_, index) => general[index] ?? 0),
  ];
}

export function coreFile({ machine, notes, memory, type = ET_CORE }: CoreFileParts): Uint8Array {
  const parts = [
    { kind: PT_NOTE, address: 0, bytes: joined(notes.map(noteBytes)) },
    ...memory.map((segment) => ({ kind: PT_LOAD, ...segment })),
  ];
  let at = headerSize + segmentSize * parts.length;
  const headers = parts.map(({ kind, address, bytes }) => {
    const header = words(kind, at, address, address, bytes.length, bytes.length, READ_WRITE, 0);
    at += bytes.length;
    return header;
  });
  const head = new Uint8Array(headerSize);
  head.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  const view = new DataView(head.buffer);
  view.setUint16(16, type, true);
  view.setUint16(18, machine, true);
  view.setUint32(20, 1, true);
  view.setUint32(28, headerSize, true);
  view.setUint16(40, headerSize, true);
  view.setUint16(42, segmentSize, true);
  view.setUint16(44, parts.length, true);
  return joined([head, ...headers, ...parts.map(({ bytes }) => bytes)]);
}

function noteBytes({ name, type, content }: CoreNote): Uint8Array {
  const title = new TextEncoder().encode(`${name}\0`);
  return joined([words(title.length, content.length, type), padded(title), padded(content)]);
}

const padded = (bytes: Uint8Array) => joined([bytes, new Uint8Array(-bytes.length & 3)]);

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    view.setUint32(4 * index, value >>> 0, true);
  }
  return bytes;
}
