/**
 * A core dump for people: why the board crashed, and each task with its frames, registers and stack. Plain, so that it can go from one thread to another.
 * Without the program's ELF file there are addresses and memory; names, frames and the bounds of stacks come with it.
 */

import { causeOf } from '../panic/exception-causes.ts';
import type { Frame } from '../symbol-file.ts';
import type { CrashProgram } from '../unwind/crash-program.ts';
import type { FrameSource, StackEnd, StackFrame } from '../unwind/stack-frame.ts';
import { unwind } from '../unwind/unwind.ts';
import { type FrameVariable, frameVariables } from '../variables/frame-variables.ts';
import { unknownText } from '../variables/value-text.ts';
import type { CoreDump, CoreMachine, CoreTask, ExceptionCause, TaskRegisters } from './core-dump.ts';
import type { CoreMemory } from './core-memory.ts';
import { fingerprintOf } from './fingerprint.ts';
import { readTaskFacts, type StackUse } from './task-facts.ts';

export interface ReportedFrame {
  readonly pc: number;
  readonly source: FrameSource;
  readonly sp: number;
  /** What the stack pointer was before the call; null where it is not known. */
  readonly frameEnd: number | null;
  /** Inlined calls first; empty where the ELF file knows nothing of the address. */
  readonly places: readonly ReportedPlace[];
  readonly registers: readonly NamedRegister[];
}

/** A function of a frame. */
export interface ReportedPlace extends Frame {
  /** Parameters, then local variables; null where they were not read, in a report of very many frames. */
  readonly variables: readonly ReportedVariable[] | null;
}

export interface ReportedVariable {
  readonly name: string;
  /** As C writes it, such as `const char *`. */
  readonly type: string;
  readonly isParameter: boolean;
  /** As GDB prints it, or the reason why it is not told. */
  readonly value: string;
  readonly isKnown: boolean;
  readonly place: ReportedVariablePlace | null;
}

/** Where a variable is. */
type ReportedVariablePlace =
  | { readonly kind: 'register'; readonly name: string }
  | { readonly kind: 'memory'; readonly address: number }
  | { readonly kind: 'pieces' }
  | { readonly kind: 'constant' };

interface NamedRegister {
  readonly name: string;
  /** Null where it is not known any more. */
  readonly value: number | null;
}

export interface ReportedTask {
  readonly tcb: number;
  readonly name: string | null;
  readonly priority: number | null;
  readonly crashed: boolean;
  readonly stack: StackUse | null;
  /** Innermost first; empty for a task whose registers the dump does not hold. */
  readonly frames: readonly ReportedFrame[];
  readonly end: StackEnd | null;
  /** What the dump holds of its stack, from the stack pointer on; null where it holds none. */
  readonly memory: { readonly address: number; readonly bytes: Uint8Array } | null;
}

export interface CrashReport {
  readonly machine: CoreMachine;
  readonly chipId: number | null;
  readonly chipRevision: number | null;
  /** How the dump was checked; null for a core file without a checksum. */
  readonly checksum: 'crc32' | 'sha256' | null;
  readonly inInterrupt: boolean;
  /** In the panic handler's own words. */
  readonly panicDetails: string | null;
  readonly exception: ReportedException | null;
  /** First digits of the SHA-256 of the program's ELF file; null where the dump does not say. */
  readonly appHash: string | null;
  /** What tells it from other crashes, see `fingerprint.ts`; null without an ELF file that knows its functions. */
  readonly fingerprint: string | null;
  /** The crashed one first. */
  readonly tasks: readonly ReportedTask[];
}

interface ReportedException {
  /** As ESP-IDF prints it, such as `Load access fault`; null for a number that has no name. */
  readonly name: string | null;
  readonly number: number;
  /** What it most often means, and what to check; null where that is not known. */
  readonly sentence: string | null;
  /** The address that was used, where the exception is about one. */
  readonly address: number | null;
}

/** Of a stack that is shown; the rest is deep inside of the callers. */
const MOST_STACK = 16 * 1024;

/** Variables that are read in all, those of the crashed task first: a damaged dump can have very many tasks. */
const MOST_VARIABLES = 5_000;
/** Frames whose variables are read. */
const MOST_FRAMES = 1_000;

/** What is left of them. */
interface Budget {
  variables: number;
  frames: number;
}

interface ReportOptions {
  /** Waited for after each task, so that others get their turn. */
  readonly pause?: () => Promise<void>;
}

/** @param program null without an ELF file */
export async function crashReport(
  dump: CoreDump,
  program: CrashProgram | null,
  { pause }: ReportOptions = {},
): Promise<CrashReport> {
  const { header, machine, inInterrupt, panicDetails, appHash } = dump;
  const isCrashed = ({ tcb }: CoreTask) => tcb === dump.crashedTask;
  const budget: Budget = { variables: MOST_VARIABLES, frames: MOST_FRAMES };
  const tasks: ReportedTask[] = [];
  for (const task of [...dump.tasks.filter(isCrashed), ...dump.tasks.filter((one) => !isCrashed(one))]) {
    tasks.push(reportTask(dump, task, program, budget));
    await pause?.();
  }
  return {
    machine,
    chipId: header?.chipId ?? null,
    chipRevision: header?.chipRevision ?? null,
    checksum: header?.checksum ?? null,
    inInterrupt,
    panicDetails,
    exception: exceptionOf(dump),
    appHash,
    fingerprint: fingerprintOf(tasks.find(({ crashed }) => crashed)?.frames ?? []),
    tasks,
  };
}

/** By DWARF number. */
const stackPointers = { riscv: 2, xtensa: 1, arm: 13 } satisfies Record<CoreMachine, number>;

function reportTask(
  dump: CoreDump,
  { tcb, registers }: CoreTask,
  program: CrashProgram | null,
  budget: Budget,
): ReportedTask {
  const { machine, memory } = dump;
  const crashed = tcb === dump.crashedTask;
  const sp = registers?.general[stackPointers[machine]] ?? null;
  const facts = readTaskFacts(program?.taskControlBlock ?? null, memory, tcb, sp);
  const known = program === null ? memory : memory.with(program.memory);
  const stack = registers === null || program === null ? null : unwind(machine, program, known, registers);
  const frames: readonly StackFrame[] = stack?.frames ?? (registers === null ? [] : [stoppedAt(registers, sp)]);
  return {
    tcb,
    ...facts,
    crashed,
    frames: frames.map((frame, index) => ({
      pc: frame.pc,
      source: frame.source,
      sp: frame.sp,
      frameEnd: frame.frameEnd,
      places: reportPlaces(machine, frame, { program, memory: known, budget }),
      registers: namedRegisters(machine, frame.registers, index === 0 ? (registers?.special ?? {}) : {}),
    })),
    end: stack?.end ?? null,
    memory: sp === null ? null : stackMemory(memory, sp, facts.stack),
  };
}

interface Reading {
  readonly program: CrashProgram | null;
  readonly memory: CoreMemory;
  readonly budget: Budget;
}

function reportPlaces(machine: CoreMachine, frame: StackFrame, { program, memory, budget }: Reading): ReportedPlace[] {
  const { places, lookedUp } = frame;
  if (program === null || budget.frames === 0 || budget.variables <= 0) {
    return places.map((place) => ({ ...place, variables: null }));
  }
  budget.frames--;
  const found = frameVariables(program.variables, program.symbols.functionsAt(lookedUp), frame, memory);
  return places.map((place, index) => {
    const variables = (found[index] ?? []).map((variable) => reportVariable(machine, variable));
    budget.variables -= variables.length;
    return { ...place, variables };
  });
}

function reportVariable(
  machine: CoreMachine,
  { name, type, isParameter, value, unknown, place }: FrameVariable,
): ReportedVariable {
  return {
    name,
    type,
    isParameter,
    value: value ?? unknownText[unknown ?? 'damaged'],
    isKnown: value !== null,
    place: place?.kind === 'register' ? { kind: 'register', name: registerName(machine, place.register) } : place,
  };
}

/** All that is known without an ELF file. */
function stoppedAt({ pc, general }: TaskRegisters, sp: number | null): StackFrame {
  return { pc, lookedUp: pc, source: 'registers', sp: sp ?? 0, frameEnd: null, registers: general, places: [] };
}

/** RISC-V ELF psABI, "Integer Register Convention". */
const riscvRegisterNames =
  'zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6'.split(' ');

/** Procedure Call Standard for the Arm Architecture (IHI 0042), section 6.1. */
const armRegisterNames: Readonly<Record<number, string>> = { 13: 'sp', 14: 'lr', 15: 'pc' };

function registerName(machine: CoreMachine, number: number): string {
  switch (machine) {
    case 'riscv':
      return riscvRegisterNames[number] ?? `x${number}`;
    case 'arm':
      return armRegisterNames[number] ?? `r${number}`;
    case 'xtensa':
      return `a${number}`;
  }
}

function namedRegisters(
  machine: CoreMachine,
  values: readonly (number | undefined)[],
  special: Readonly<Record<string, number>>,
): NamedRegister[] {
  const general = values.map((value, number) => ({
    name: registerName(machine, number),
    value: value === undefined ? null : value >>> 0,
  }));
  const others = Object.entries(special).map(([name, value]) => ({ name, value: value >>> 0 }));
  return [...general.filter(({ name }) => name !== 'zero'), ...others];
}

function stackMemory(memory: CoreMemory, sp: number, use: StackUse | null): ReportedTask['memory'] {
  const segment = memory.segments.find(({ address, bytes }) => sp >= address && sp < address + bytes.length);
  if (segment === undefined) {
    return null;
  }
  const end = Math.min(segment.address + segment.bytes.length, use?.high ?? Number.POSITIVE_INFINITY, sp + MOST_STACK);
  const bytes = memory.read(sp, Math.max(0, end - sp));
  return bytes === undefined ? null : { address: sp, bytes: bytes.slice() };
}

function exceptionOf(dump: CoreDump): ReportedException | null {
  const found = dump.cause ?? riscvCause(dump);
  if (found === null) {
    return null;
  }
  const named = causeOf(dump.machine, found.number);
  return {
    name: named?.name ?? null,
    number: found.number,
    sentence: named?.cause.sentence ?? null,
    address: named?.cause.isAboutAccess ? found.address : null,
  };
}

/**
 * RISC-V dumps name no cause, but the stack of the crashed task begins with what the trap saved: 32 registers, then MSTATUS, MTVEC, MCAUSE and MTVAL
 * (ESP-IDF, `rvruntime-frames.h`).
 */
function riscvCause({ machine, memory, tasks, crashedTask }: CoreDump): ExceptionCause | null {
  const registers = tasks.find(({ tcb }) => tcb === crashedTask)?.registers;
  if (machine !== 'riscv' || !registers) {
    return null;
  }
  const saved = [registers.pc, ...registers.general.slice(1)];
  const frame = memory.segments.find(({ address }) =>
    saved.every((value, index) => memory.word(address + 4 * index) === (value ?? 0) >>> 0),
  );
  const number = frame && memory.word(frame.address + 4 * 34);
  const address = frame && memory.word(frame.address + 4 * 35);
  // The highest bit stands for an interrupt.
  return number === undefined || address === undefined || number >= 0x8000_0000 ? null : { number, address };
}
