/**
 * Converts the state that a crash prints into the log to a dump of one task: registers and, if the log has it, a part
 * of the stack. With the program's ELF file it is unwound like any other dump. A plain list of the stack's words
 * would include leftovers. Sources of the lines: `../panic`.
 */
import type { PanicMark, PrintedMemory } from '../panic/panic-mark.ts';
import type { CoreDump, ExceptionCause, TaskRegisters } from './core-dump.ts';
import { CoreMemory } from './core-memory.ts';

type StateMark = Pick<PanicMark, 'core' | 'registers' | 'memory'>;

/** Names by DWARF number (RISC-V ELF psABI, "Integer Register Convention"); x0 is not printed. */
const names = '- ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6'.split(
  ' ',
);
/** The highest bit of MCAUSE marks an interrupt (privileged architecture, 3.1.15). */
const INTERRUPT = 0x8000_0000;

/**
 * Restores the state of code that a Cortex-M fault stopped, from the output of the fault handler. Handlers print the
 * registers that the exception saved on the stack. Their SP is either the one before the exception or the address of
 * the saved registers. The printed stack shows which one it is. Sources: ARMv7-M Architecture Reference Manual (DDI
 * 0403), B1.5.6 to B1.5.8; Mbed OS, `except.S` (its SP is the one before the exception).
 */

/** Registers that each exception saves, in this order. */
const savedNames = ['r0', 'r1', 'r2', 'r3', 'r12', 'lr', 'pc', 'xpsr'] as const;
/** Size of the saved registers in bytes, without and with the floating-point registers. */
const [BASIC_FRAME, EXTENDED_FRAME] = [32, 104];
/** Number of saved registers that must be known before the frame is searched in memory. */
const MIN_KNOWN = 5;
/** Bits of EXC_RETURN. */
const [ON_PROCESS_STACK, IS_BASIC] = [1 << 2, 1 << 4];
/** Bit of the saved xPSR: 4 padding bytes above the frame align the stack. */
const PADDED = 1 << 9;

/** The state of a crashed processor according to a log. */

/** Registers and memory as printed. */
interface PrintedState {
  /** By name in lower case. */
  readonly registers: Readonly<Record<string, number>>;
  /** Rows of the stack in the order of the log. */
  readonly rows: readonly PrintedMemory[];
  readonly memory: CoreMemory;
}

/** The same registers in the form that the processor's unwinder expects. */
interface ProcessorState extends Pick<CoreDump, 'machine' | 'cause'> {
  readonly registers: TaskRegisters;
}

type Registers = PrintedState['registers'];

/** Returns null without a program counter, or without any other register that only ARM has. */
function armState({ registers, rows, memory }: PrintedState): ProcessorState | null {
  const { pc, lr, xpsr, psp } = registers;
  const isArm = ['r0', 'lr', 'xpsr'].some((name) => registers[name] !== undefined);
  if (pc === undefined || !isArm) {
    return null;
  }
  const { sp, floatSp } = stackPointer(registers, rows, memory);
  const general = [...Array.from({ length: 13 }, (_, index) => registers[`r${index}`]), sp, lr];
  const special = { ...(xpsr !== undefined && { xpsr }), ...(psp !== undefined && { psp }) };
  return {
    machine: 'arm',
    registers: { pc, general, special, ...(floatSp !== undefined && { floatStackPointer: floatSp }) },
    cause: null,
  };
}

/**
 * The stack pointer before the exception. `floatSp`: its value if the exception saved floating-point registers. Set
 * only if the log does not say whether it did.
 */
interface StackPointers {
  readonly sp?: number | undefined;
  readonly floatSp?: number;
}

function stackPointer(registers: Registers, rows: PrintedState['rows'], memory: CoreMemory): StackPointers {
  const { sp, psp, msp, exc_return: exceptionReturn } = registers;
  const padding = (registers['xpsr'] ?? 0) & PADDED ? 4 : 0;
  const saved = savedAt(registers, memory);
  if (saved !== undefined) {
    return behindFrame(saved);
  }
  const behind = rows.find(({ isBehindFrame }) => isBehindFrame)?.address;
  if (sp === undefined && behind !== undefined) {
    return { sp: behind + padding };
  }
  const isFrame = sp !== undefined && (sp === psp || sp === msp);
  if (sp !== undefined && !isFrame) {
    return { sp };
  }
  const top = sp ?? (exceptionReturn === undefined ? undefined : exceptionReturn & ON_PROCESS_STACK ? psp : msp);
  return top === undefined ? {} : behindFrame(top);

  function behindFrame(address: number): StackPointers {
    const [basic, extended] = [address + BASIC_FRAME + padding, address + EXTENDED_FRAME + padding];
    if (exceptionReturn === undefined) {
      return { sp: basic, floatSp: extended };
    }
    return { sp: exceptionReturn & IS_BASIC ? basic : extended };
  }
}

/**
 * Returns the address of the saved registers in printed memory. A handler may have copied them to lower addresses, so
 * the highest match counts.
 */
function savedAt(registers: Registers, memory: CoreMemory): number | undefined {
  const wanted = savedNames.map((name) => registers[name]);
  if (wanted.filter((value) => value !== undefined).length < MIN_KNOWN) {
    return undefined;
  }
  let found: number | undefined;
  for (const { address, bytes } of memory.segments) {
    for (let at = address; at + 4 * wanted.length <= address + bytes.length; at += 4) {
      const isSaved = wanted.every(
        (value, index) => value === undefined || memory.word(at + 4 * index) === value >>> 0,
      );
      found = isSaved && at > (found ?? -1) ? at : found;
    }
  }
  return found;
}

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
