/**
 * A core dump for people: the cause of the crash, and each task with its frames, registers and stack. Plain data, so
 * that it can be passed between threads. Without the program's ELF file it has only addresses and memory. Names,
 * frames and stack bounds need that file.
 */

import { causeOf } from '../panic/exception-causes.ts';
import type { Frame } from '../symbol-file.ts';
import type { CrashProgram } from '../unwind/crash-program.ts';
import { type FrameSource, isGuess, type StackEnd, type StackFrame } from '../unwind/stack-frame.ts';
import { unwind } from '../unwind/unwind.ts';
import { type FrameVariable, frameVariables } from '../variables/frame-variables.ts';
import { unknownText } from '../variables/value-text.ts';
import type { CoreDump, CoreMachine, CoreTask, ExceptionCause, TaskRegisters } from './core-dump.ts';
import type { CoreMemory } from './core-memory.ts';
import { isLibraryCode } from './library-code.ts';
import { readTaskFacts, type StackUse } from './task-facts.ts';

export interface ReportedFrame {
  readonly pc: number;
  readonly source: FrameSource;
  readonly sp: number;
  /** Stack pointer before the call; null if unknown. */
  readonly frameEnd: number | null;
  /** Inlined calls first; empty if the ELF file has nothing about the address. */
  readonly places: readonly ReportedPlace[];
  readonly registers: readonly NamedRegister[];
}

/** One function of a frame. */
export interface ReportedPlace extends Frame {
  /** Parameters, then local variables; null if they were not read, in a report with very many frames. */
  readonly variables: readonly ReportedVariable[] | null;
}

export interface ReportedVariable {
  readonly name: string;
  /** Type in C notation, such as `const char *`. */
  readonly type: string;
  readonly isParameter: boolean;
  /** Value in GDB's notation, or the reason for which it is unknown. */
  readonly value: string;
  readonly isKnown: boolean;
  readonly place: ReportedVariablePlace | null;
}

/** Location of a variable. */
type ReportedVariablePlace =
  | { readonly kind: 'register'; readonly name: string }
  | { readonly kind: 'memory'; readonly address: number }
  | { readonly kind: 'pieces' }
  | { readonly kind: 'constant' };

interface NamedRegister {
  readonly name: string;
  /** Null if the value is lost. */
  readonly value: number | null;
}

export interface ReportedTask {
  readonly tcb: number;
  readonly name: string | null;
  readonly priority: number | null;
  readonly crashed: boolean;
  readonly stack: StackUse | null;
  /** Innermost first; empty for a task without registers in the dump. */
  readonly frames: readonly ReportedFrame[];
  readonly end: StackEnd | null;
  /** Saved part of its stack, from the stack pointer on; null if the dump holds none. */
  readonly memory: { readonly address: number; readonly bytes: Uint8Array } | null;
}

export interface CrashReport {
  readonly machine: CoreMachine;
  readonly chipId: number | null;
  readonly chipRevision: number | null;
  /** Kind of the verified checksum; null for a core file without one. */
  readonly checksum: 'crc32' | 'sha256' | null;
  readonly inInterrupt: boolean;
  /** Text of the panic handler. */
  readonly panicDetails: string | null;
  readonly exception: ReportedException | null;
  /** First digits of the SHA-256 of the program's ELF file; null if the dump does not hold it. */
  readonly appHash: string | null;
  /** Lines of the text that were left out of the dump, see `CoreDump`; absent without any. */
  readonly skipped?: CoreDump['skipped'];
  /** Identifies equal crashes, see `fingerprintOf`; null without an ELF file that names functions. */
  readonly fingerprint: string | null;
  /** Crashed task first. */
  readonly tasks: readonly ReportedTask[];
}

interface ReportedException {
  /** Name in ESP-IDF's notation, such as `Load access fault`; null for a number without a name. */
  readonly name: string | null;
  readonly number: number;
  /** Usual cause and advice; null if unknown. */
  readonly sentence: string | null;
  /** Accessed address; null for an exception that is not about an access. */
  readonly address: number | null;
}

/** Maximum bytes of stack in a report. The rest belongs to distant callers. */
const MAX_STACK = 16 * 1024;

/** Maximum variables in a report, those of the crashed task first: a damaged dump can have very many tasks. */
const MAX_VARIABLES = 5_000;
/** Maximum frames whose variables are read. */
const MAX_FRAMES = 1_000;

/** Remaining variables and frames. */
interface Budget {
  variables: number;
  frames: number;
}

interface ReportOptions {
  /** Awaited after each task, so that other work of the thread can run. */
  readonly pause?: () => Promise<void>;
}

/**
 * Fingerprint of a crash: the first functions of the crashed task that are the application's own. It does not change
 * with a rebuild, with moved memory, or with inlining.
 */

/** Maximum functions in a fingerprint. */
const MAX_FUNCTIONS = 4;
const MAX_CHARACTERS = 120;

type Frames = readonly Pick<StackFrame, 'places' | 'source'>[];

/**
 * Returns the fingerprint; null if no function is known.
 *
 * @param frames Frames of the crashed task, innermost first.
 */
export function fingerprintOf(frames: Frames): string | null {
  const known = frames
    .filter(({ source }) => !isGuess(source))
    .flatMap(({ places }) => places)
    .flatMap(({ name, file }) => (name === undefined ? [] : [{ name: normalised(name), file: file ?? '' }]));
  const own = known.filter(({ name, file }) => !isLibraryCode(name, file));
  const names = (own.length > 0 ? own : known).map(({ name }) => name);
  // Removes repetitions, because the depth of a recursion depends on the data.
  const different = names.filter((name, index) => name !== names[index - 1]);
  return different.length === 0 ? null : different.slice(0, MAX_FUNCTIONS).join(' < ');
}

/** Removes arguments of templates and functions, and the suffixes of compiler-made copies. */
function normalised(name: string): string {
  return withoutBrackets(name)
    .replace(/\.(?:constprop|isra|part|cold|lto_priv|llvm)\b.*$/, '')
    .replace(/\[(?:abi|clone)[^\]]*\]/g, '')
    .replace(/\{lambda.*$/, '{lambda}')
    .replace(/ const$/, '')
    .trim()
    .slice(0, MAX_CHARACTERS);
}

/** Removes the content of `<…>` and `(…)`. Names of operators may contain these characters themselves. */
function withoutBrackets(name: string): string {
  if (name.includes('operator') || name.includes('(anonymous namespace)') || name.includes('{lambda')) {
    return name.replace(/\([^()]*\)(?: const)?$/, '');
  }
  let depth = 0;
  let kept = '';
  for (const character of name) {
    if (character === '<' || character === '(') {
      depth++;
    } else if (character === '>' || character === ')') {
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      kept += character;
    }
  }
  return kept;
}

/**
 * Builds the report.
 *
 * @param program Null without an ELF file.
 */
export async function crashReport(
  dump: CoreDump,
  program: CrashProgram | null,
  { pause }: ReportOptions = {},
): Promise<CrashReport> {
  const { header, machine, inInterrupt, panicDetails, appHash } = dump;
  const isCrashed = ({ tcb }: CoreTask) => tcb === dump.crashedTask;
  const budget: Budget = { variables: MAX_VARIABLES, frames: MAX_FRAMES };
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
    ...(dump.skipped !== undefined && { skipped: dump.skipped }),
    fingerprint: fingerprintOf(tasks.find(({ crashed }) => crashed)?.frames ?? []),
    tasks,
  };
}

/** DWARF numbers of the stack pointers. */
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

/** Returns the only frame that is known without an ELF file. */
function stoppedAt({ pc, general }: TaskRegisters, sp: number | null): StackFrame {
  return { pc, lookedUp: pc, source: 'registers', sp: sp ?? 0, frameEnd: null, registers: general, places: [] };
}

/** Names from the RISC-V ELF psABI, "Integer Register Convention". */
const riscvRegisterNames =
  'zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6'.split(' ');

/** Names from the Procedure Call Standard for the Arm Architecture (IHI 0042), section 6.1. */
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
  const end = Math.min(segment.address + segment.bytes.length, use?.high ?? Number.POSITIVE_INFINITY, sp + MAX_STACK);
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
 * Finds the cause of a RISC-V crash, which the dump does not name. The crashed task's stack begins with the trap's
 * saved state: 32 registers, then MSTATUS, MTVEC, MCAUSE and MTVAL (ESP-IDF, `rvruntime-frames.h`).
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
  // The highest bit marks an interrupt.
  return number === undefined || address === undefined || number >= 0x8000_0000 ? null : { number, address };
}
