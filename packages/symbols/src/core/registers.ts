/**
 * The registers of a task in a core dump, by DWARF number if they have one: RISC-V x0 to x31 (RISC-V ELF psABI,
 * "DWARF Register Numbers"), Xtensa a0 to a15 (Xtensa ABI), ARM r0 to r14 (DWARF for the Arm Architecture, IHI 0040).
 * The layouts are those of the notes that GDB reads (`core_dump_port.c` of both architectures).
 */
import { ByteCursor } from '../byte-cursor.ts';
import type { CoreMachine, TaskRegisters } from './core-dump.ts';

/** Number of words in Xtensa's gregset before the address registers. */
const XTENSA_AR = 64;
/** Number of words in ARM's gregset: r0 to r15 and the status register (GDB, `arm-none-tdep.c`). */
const ARM_WORDS = 17;
/** Number of words in an exception frame, and in the frame that a task saves when it yields (`xtensa_context.h`). */
const XTENSA_FRAME_WORDS = 25;
/** `PS.EXCM` says nothing about the interrupted code if `PS.UM` is set. */
const [PS_EXCM, PS_UM] = [1 << 4, 1 << 5];

/**
 * Reads the registers of a PRSTATUS note.
 *
 * @throws RangeError if the note is too short.
 */
export function registersOfNote(machine: CoreMachine, note: Uint8Array): { tcb: number; registers: TaskRegisters } {
  const cursor = new ByteCursor(note, true, 24);
  const tcb = cursor.u32();
  cursor.position = 72;
  if (machine === 'riscv') {
    return { tcb, registers: riscvRegisters(words(cursor, 32)) };
  }
  if (machine === 'arm') {
    const general = words(cursor, ARM_WORDS);
    const [pc = 0, xpsr = 0] = general.splice(15);
    return { tcb, registers: { pc, general, special: { xpsr } } };
  }
  const [pc = 0, ps = 0, lbeg = 0, lend = 0, lcount = 0, sar = 0] = words(cursor, 6);
  cursor.position = 72 + 4 * XTENSA_AR;
  return { tcb, registers: { pc, general: words(cursor, 16), special: { ps, lbeg, lend, lcount, sar } } };
}

/** Converts RISC-V's saved registers, which have pc in the place of x0. */
function riscvRegisters([pc = 0, ...others]: readonly number[]): TaskRegisters {
  return { pc, general: [0, ...others], special: {} };
}

/**
 * Reads the frame at the top of a task's stack, for dumps in the binary format. The cause is null if the task
 * yielded.
 *
 * @throws RangeError if the stack is too short.
 */
export function registersOfStack(
  machine: CoreMachine,
  stack: Uint8Array,
): { registers: TaskRegisters; cause: { number: number; address: number } | null } {
  const cursor = new ByteCursor(stack, true);
  if (machine === 'riscv') {
    return { registers: riscvRegisters(words(cursor, 32)), cause: null };
  }
  const frame = words(cursor, XTENSA_FRAME_WORDS);
  const [exit = 0, pc = 0, ps = 0] = frame;
  if (exit === 0) {
    // The task called the scheduler itself and saved only a0 to a3.
    const general = [frame[4], frame[5], frame[6], frame[7]];
    return { registers: { pc, general, special: { ps } }, cause: null };
  }
  const [sar = 0, number = 0, address = 0, lbeg = 0, lend = 0, lcount = 0] = frame.slice(19);
  const interrupted = ps & PS_UM ? ps & ~PS_EXCM : ps;
  return {
    registers: { pc, general: frame.slice(3, 19), special: { ps: interrupted >>> 0, lbeg, lend, lcount, sar } },
    cause: { number, address },
  };
}

function words(cursor: ByteCursor, count: number): number[] {
  return Array.from({ length: count }, () => cursor.u32());
}
