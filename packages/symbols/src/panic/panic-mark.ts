import type { FaultStatus } from './fault-status.ts';

/** What is said about a line of a console that belongs to a crash or a restart. */

export type PanicMarkKind =
  | 'panic'
  | 'registers'
  | 'backtrace'
  | 'stack'
  | 'abort'
  | 'assert'
  | 'error-check'
  | 'task-watchdog'
  | 'watchdog'
  | 'brownout'
  | 'stack-overflow'
  | 'heap'
  | 'undefined-behavior'
  | 'exception'
  | 'boot-failure'
  | 'reset'
  | 'download'
  | 'saved-pc'
  | 'elf-hash'
  | 'address';

/** `notice`: a restart that somebody wanted, or a detail. `warning`: worth a look. `fault`: something broke. */
export type PanicSeverity = 'fault' | 'warning' | 'notice';

/**
 * How an address came to be printed, which decides which instruction to look up (`lookupAddress`):
 * `exact`: the instruction itself. `frame`: a caller in a backtrace, as the firmware printed it. `return`: a register with a
 * return address. `call`: a caller, which the firmware moved back to its call. `register`: any other register, perhaps no code at all. `stack`: a word of the stack, most often no code.
 */
export type AddressRole = 'exact' | 'frame' | 'call' | 'return' | 'register' | 'stack';

export interface PanicAddress {
  /** 0 to 2^32 − 1. */
  readonly value: number;
  readonly role: AddressRole;
  /** Name of the register, where it is one. */
  readonly label?: string;
}

export interface PanicMark {
  readonly kind: PanicMarkKind;
  readonly severity: PanicSeverity;
  /** What happened and what to check; absent on lines that only go on with what was said before. */
  readonly sentence?: string;
  /** In the order of the line. */
  readonly addresses: readonly PanicAddress[];
  /** True: the sentence holds for every crash of its kind, and another line may say more. */
  readonly isGeneral?: true;
  /** True: it goes on with the crash that the lines before tell of, whatever its kind. */
  readonly isContinued?: true;
  /** For `elf-hash`: the first digits of the SHA-256 of the ELF file that runs, lower case. */
  readonly hash?: string;
  /** Processor core that the line is about, where firmware with several cores says so. */
  readonly core?: number;
  /** For `task-watchdog`: what did not report in time, such as `IDLE0 (CPU 0)`. */
  readonly starved?: string;
  /** Registers that the line prints, by their names in small letters. For ARM `pc` may come from the words of the line. */
  readonly registers?: Readonly<Record<string, number>>;
  /** For `stack` with an address in front of its words. */
  readonly memory?: PrintedMemory;
  /** True: a ROM printed the line behind the reason of the start, about the same start. */
  readonly isOfStart?: boolean;
  /** Mark of the text in front of this one on the same line, which a second crash cut short. */
  readonly before?: PanicMark;
}

/** Words of the stack, as a log prints them. */
export interface PrintedMemory {
  readonly address: number;
  readonly words: readonly number[];
  /** True: the first row of such memory is the one behind the registers that the exception saved. */
  readonly isBehindFrame?: true;
}

/** What the recogniser remembers from line to line. */
export interface PanicContext {
  /** As the ROM names it, for instance `esp32c3`; undefined before the first start was seen. */
  chip: string | undefined;
  /** What the next lines continue. */
  section:
    | 'none'
    | 'registers'
    | 'backtrace'
    | 'riscv-stack'
    | 'esp8266-stack'
    | 'cortex-m'
    | 'zephyr-riscv'
    | 'zephyr-xtensa'
    | 'esp-backtrace'
    | 'esphome';
  /** The register dump is one of a RISC-V processor. */
  isRiscv: boolean;
  /** The last exception was about an address that was used. */
  isAboutAccess: boolean;
  /** Of the fault of a Cortex-M that is being printed. */
  readonly fault: FaultStatus;
  /** Addresses of registers that stood in front of the one that told a crash; null once it is told. */
  untold: PanicAddress[] | null;
  /** The last address that a crash stopped at, so that a backtrace that begins with it is understood; undefined if none. */
  stoppedAt: number | undefined;
  /** Lines of the section since the last one that said something. */
  strays: number;
  /** Processor core that registers, backtrace and stack are of; undefined while no line has named one. */
  core: number | undefined;
}

export function mark(
  kind: PanicMarkKind,
  severity: PanicSeverity,
  sentence?: string,
  addresses: readonly PanicAddress[] = [],
): PanicMark {
  return { kind, severity, addresses, ...(sentence !== undefined && { sentence }) };
}

/** @param digits hexadecimal, without prefix. */
export function panicAddress(digits: string | undefined, role: AddressRole, label?: string): PanicAddress {
  return { value: Number.parseInt(digits ?? '0', 16), role, ...(label !== undefined && { label }) };
}

/** The same mark, for a sentence that another line may make more precise. */
export const general = (one: PanicMark): PanicMark => ({ ...one, isGeneral: true });

/** Adds the registers that a line prints, by their names in small letters. */
export const withRegisters = (one: PanicMark, registers: Readonly<Record<string, number>>): PanicMark => ({
  ...one,
  registers,
});

/** Marks what stands within the dump of a crash as a part of it. */
export const continued = (one: PanicMark, isContinued = true): PanicMark =>
  isContinued ? { ...one, isContinued: true } : one;

/** A kind of line: its form, and what is said about it. */
export interface PanicRule {
  /** Source of a pattern that each line of the form contains; most often a word. */
  readonly hint: string;
  /** Matched with the line as the board printed it: `LinePrefix` has removed what tools wrote in front of it. */
  readonly form: RegExp;
  /** Text that boards print only at the start of a line, not anchored: what tools write in front of each line is learned from it. */
  readonly opening?: RegExp;
  /** Returns undefined for a line that is none of the form after all. */
  readonly explain: (match: RegExpExecArray, context: PanicContext) => PanicMark | undefined;
}
