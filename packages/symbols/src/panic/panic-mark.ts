import type { FaultStatus } from './fault-status.ts';
import type { DumpSection, RowOrder } from './row-order.ts';

/** Kind of a console line that belongs to a crash or a restart. */

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

/** `notice`: an intended restart, or a detail. `warning`: worth checking. `fault`: a failure. */
export type PanicSeverity = 'fault' | 'warning' | 'notice';

/**
 * Origin of a printed address, which determines the instruction to look up (`lookupAddress`):
 * - `exact`: the instruction itself
 * - `frame`: a caller in a backtrace, as printed by the firmware
 * - `return`: a register with a return address
 * - `call`: a caller that the firmware already moved back to its call
 * - `register`: any other register, perhaps not code
 * - `stack`: a word of the stack, usually not code
 */
export type AddressRole = 'exact' | 'frame' | 'call' | 'return' | 'register' | 'stack';

export interface PanicAddress {
  /** 0 to 2^32 − 1. */
  readonly value: number;
  readonly role: AddressRole;
  /** Name of the register, if the address is from one. */
  readonly label?: string;
}

export interface PanicMark {
  readonly kind: PanicMarkKind;
  readonly severity: PanicSeverity;
  /** Explains the failure and gives advice; absent on lines that only continue an explained crash. */
  readonly sentence?: string;
  /** In the order of the line. */
  readonly addresses: readonly PanicAddress[];
  /** True: the sentence applies to every crash of its kind, and another line may be more specific. */
  readonly isGeneral?: true;
  /** True: the line continues the crash of the lines before, whatever its kind. */
  readonly isContinued?: true;
  /** First digits of the SHA-256 of the running ELF file, lower case; only for `elf-hash`. */
  readonly hash?: string;
  /** Processor core of the line, if firmware with several cores names it. */
  readonly core?: number;
  /** Task or user that did not report in time, such as `IDLE0 (CPU 0)`; only for `task-watchdog`. */
  readonly starved?: string;
  /** Registers in the line, by name in lower case. For ARM, `pc` may come from the text of the line. */
  readonly registers?: Readonly<Record<string, number>>;
  /** Words of a `stack` line that starts with their address. */
  readonly memory?: PrintedMemory;
  /** True: a ROM printed the line after the reset reason, and it describes the same start. */
  readonly isOfStart?: boolean;
  /** Sentence that says which part of the report may be missing at this line; absent if nothing seems to be. */
  readonly missing?: string;
  /** Mark of the preceding text on the same line, which a second crash interrupted. */
  readonly before?: PanicMark;
}

/** Words of the stack as printed. */
export interface PrintedMemory {
  readonly address: number;
  readonly words: readonly number[];
  /** True: the first row of this memory comes directly after the registers that the exception saved. */
  readonly isBehindFrame?: true;
}

/** State of the log that a reset is judged by. */
interface StartContext {
  /** Number of the last reset if only the ROM's banner has followed it; null otherwise. */
  direct: number | null;
  /** True: the log has a fault since the last reset. */
  hasFault: boolean;
  /** True: the ROM is the one of ESP32 before revision 3. */
  isFirstRom: boolean;
  /** True: the last reset was taken for the one that ESP32 of revision 0 adds to a start. */
  isSpurious: boolean;
}

/** State of the recogniser between lines. */
export interface PanicContext {
  /** Chip name from the ROM, such as `esp32c3`; undefined before the first start. */
  chip: string | undefined;
  /** Dump that the next lines may continue. */
  section: DumpSection;
  /** True: the register dump is from a RISC-V processor. */
  isRiscv: boolean;
  /** True: the last exception concerns an address that was used. */
  isAboutAccess: boolean;
  /** Status registers of the current Cortex-M fault. */
  readonly fault: FaultStatus;
  /**
   * Addresses of registers from a possible dump without a title. Null once the dump is certain, and outside such a
   * dump.
   */
  untold: PanicAddress[] | null;
  /** Address at which the crash stopped, to recognise a backtrace that begins with it; undefined if unknown. */
  stoppedAt: number | undefined;
  /** Rows of the current dump so far. */
  readonly rows: RowOrder;
  /** Lines of the current start, and of the run before it. */
  readonly start: StartContext;
  /** Innermost place of a traceback, such as `read, lib/sensor.py line 40`; null without one. */
  place: string | null;
  /** Number of lines in the section since the last one that belongs to it. Lines of tools that name places do not count. */
  strays: number;
  /** Processor core of the registers, the backtrace and the stack; undefined until a line names one. */
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

/** @param digits hexadecimal, without prefix */
export function panicAddress(digits: string | undefined, role: AddressRole, label?: string): PanicAddress {
  return { value: Number.parseInt(digits ?? '0', 16), role, ...(label !== undefined && { label }) };
}

/** Returns the mark with a sentence that another line may replace by a more specific one. */
export const general = (one: PanicMark): PanicMark => ({ ...one, isGeneral: true });

/** Adds the registers of a line, by name in lower case. */
export const withRegisters = (one: PanicMark, registers: Readonly<Record<string, number>>): PanicMark => ({
  ...one,
  registers,
});

/** Returns the mark as a part of the crash whose dump contains it. */
export const continued = (one: PanicMark, isContinued = true): PanicMark =>
  isContinued ? { ...one, isContinued: true } : one;

/** Returns the mark with a sentence about what may be missing; an earlier sentence about that stays. */
export const withMissing = <Mark extends Pick<PanicMark, 'missing'>>(one: Mark, missing: string): Mark => ({
  missing,
  ...one,
});

/** Recognises one kind of line and explains it. */
export interface PanicRule {
  /**
   * Source of a pattern that every line of the form contains, usually a word. Lines without any hint are skipped
   * quickly.
   */
  readonly hint: string;
  /** Matched against the line as printed by the board; `LinePrefix` has removed prefixes of tools. */
  readonly form: RegExp;
  /**
   * Text that boards print only at the start of a line, not anchored. Prefixes of tools are learned from the text
   * before it.
   */
  readonly opening?: RegExp;
  /** Returns the mark of the line; undefined if the line does not belong to the form after all. */
  readonly explain: (match: RegExpExecArray, context: PanicContext) => PanicMark | undefined;
}
