/**
 * Converts the state that a crash prints into the log to a dump of one task: registers and, if the log has it, a part
 * of the stack. With the program's ELF file it is unwound like any other dump. A plain list of the stack's words
 * would include leftovers. Sources of the lines: `../panic`.
 */
import type { PanicMark, PrintedMemory } from '../panic/panic-mark.ts';
import { armState } from './arm-state.ts';
import type { CoreDump, ExceptionCause } from './core-dump.ts';
import { CoreMemory } from './core-memory.ts';
import type { PrintedState, ProcessorState } from './printed-state.ts';

type StateMark = Pick<PanicMark, 'core' | 'registers' | 'memory'>;

/** Names by DWARF number (RISC-V ELF psABI, "Integer Register Convention"); x0 is not printed. */
const names = '- ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6'.split(
  ' ',
);
/** The highest bit of MCAUSE marks an interrupt (privileged architecture, 3.1.15). */
const INTERRUPT = 0x8000_0000;

/**
 * Returns the state of the first core that printed a program counter: of a RISC-V processor with a part of its stack,
 * or of an ARM Cortex-M.
 * @param marks Marks of one crash, in the order of the log.
 * @param build First digits of the SHA-256 of the running ELF file; null if the log lacks it.
 * @returns Null for other processors, and if the log is incomplete.
 */
export function printedDump(marks: readonly StateMark[], build: string | null): CoreDump | null {
  const first = marks.find(({ registers }) => registers?.['mepc'] !== undefined || registers?.['pc'] !== undefined);
  const ofCore = marks.filter(({ core }) => core === first?.core);
  const rows = ofCore.flatMap((one) => one.memory ?? []);
  // The first dump of a core wins over a later one.
  const registers = Object.assign({}, ...ofCore.map((one) => one.registers ?? {}).reverse()) as Record<string, number>;
  const state: PrintedState = { registers, rows, memory: new CoreMemory(joinedRows(rows)) };
  const found = riscvState(state) ?? armState(state);
  if (found === null) {
    return null;
  }
  return {
    header: null,
    machine: found.machine,
    memory: state.memory,
    elf: null,
    tasks: [{ tcb: 0, registers: found.registers }],
    crashedTask: 0,
    inInterrupt: false,
    cause: found.cause,
    panicDetails: null,
    appHash: build,
  };
}

/** Reads the registers that ESP-IDF prints (`panic_arch.c`). */
function riscvState({ registers, rows }: PrintedState): ProcessorState | null {
  const { mepc, sp, mcause, mtval = 0 } = registers;
  if (mepc === undefined || sp === undefined || rows.length === 0) {
    return null;
  }
  const cause: ExceptionCause | null =
    mcause === undefined || mcause >= INTERRUPT ? null : { number: mcause, address: mtval };
  const general = names.map((name, index) => (index === 0 ? 0 : registers[name]));
  return { machine: 'riscv', registers: { pc: mepc, general, special: {} }, cause };
}

/** Joins consecutive rows to one segment, because a read may span several rows. */
function joinedRows(rows: readonly PrintedMemory[]): { address: number; bytes: Uint8Array }[] {
  const segments: { address: number; words: number[] }[] = [];
  for (const { address, words } of rows) {
    const last = segments.at(-1);
    if (last !== undefined && address === last.address + 4 * last.words.length) {
      last.words.push(...words);
    } else {
      segments.push({ address, words: [...words] });
    }
  }
  return segments.map(({ address, words }) => {
    const bytes = new Uint8Array(4 * words.length);
    const view = new DataView(bytes.buffer);
    for (const [index, word] of words.entries()) {
      view.setUint32(4 * index, word, true);
    }
    return { address, bytes };
  });
}
