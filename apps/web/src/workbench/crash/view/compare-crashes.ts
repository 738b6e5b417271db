/** Compares two crashes: frames side by side, registers by name. */
import {
  type AddressRow,
  type CrashReport,
  causeTitle,
  type Frame,
  registersIn,
  taskName,
  titleOf,
} from '@wirebench/symbols';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { wordText } from '../../../shared/format/hex.ts';

/** A frame, from a core dump or from the lines of a log. */
export interface ComparedFrame {
  readonly pc: number;
  /** Innermost inlined call first; empty if the function is unknown. */
  readonly places: readonly Frame[];
}

export interface ComparedRegister {
  readonly name: string;
  /** Null if unknown. */
  readonly value: number | null;
}

/** The comparable parts of a crash, from a core dump or from the log alone. */
export interface ComparedCrash {
  readonly cause: string;
  /** Origin of the crash. */
  readonly facts: readonly string[];
  /** Frames of the crashed task, innermost first. */
  readonly frames: readonly ComparedFrame[];
  /** Registers of the innermost frame. */
  readonly registers: readonly ComparedRegister[];
}

export interface FramePair {
  /** Null if only the other crash has such a frame. */
  readonly first: ComparedFrame | null;
  readonly second: ComparedFrame | null;
  /** `line`: the same function at another line. For a function without lines: at another address. */
  readonly sameness: 'same' | 'line' | 'different';
}

export interface RegisterPair {
  readonly name: string;
  /** Null if unknown, or if that chip has no such register. */
  readonly first: number | null;
  readonly second: number | null;
  readonly same: boolean;
}

/** Takes the crashed task, else the first one. */
export function comparedReport(report: CrashReport, name: string): ComparedCrash {
  const task = report.tasks.find(({ crashed }) => crashed) ?? report.tasks[0];
  return {
    cause: causeTitle(report),
    facts: [name, ...(task === undefined ? [] : [taskName(task)])],
    frames: task?.frames ?? [],
    registers: task?.frames[0]?.registers ?? [],
  };
}

/** Register dump of ESP-IDF's panic handlers (`panic_arch.c`): `A0      : 0x800d5c81`, `S0/FP   : 0x3fc94b60`. */
const registerForm = /\b([A-Z][A-Z0-9]{0,7})(?:\/FP)? *: 0x([0-9a-f]{8})\b/gi;

/** Core dumps use lower-case names, and `pc` for RISC-V's MEPC. */
const registerName = (printed: string) => (printed === 'MEPC' ? 'pc' : printed.toLowerCase());

/** Reads the registers that ESP-IDF prints, else those of handlers of ARM Cortex-M. */
function registersOf(text: string): ComparedRegister[] {
  const printed = [...text.matchAll(registerForm)].map(([, name = '', digits = '']) => ({
    name: registerName(name),
    value: Number.parseInt(digits, 16),
  }));
  return printed.length > 0 ? printed : [...registersIn(text)].map(([name, value]) => ({ name, value }));
}

/**
 * Takes the frames of a log's backtrace. Without a backtrace, it takes the stop, its return address, and the code
 * addresses of its stack.
 * @param rows The incident's addresses as they are shown.
 */
export function comparedIncident(incident: Incident, rows: readonly AddressRow[]): ComparedCrash {
  const { lines } = incident;
  // With several cores, the firmware prints the core that crashed first.
  const first = lines.find(({ addresses, core }) => addresses.length > 0 && core !== undefined)?.core;
  const ofCore = lines.filter(({ core }) => core === undefined || core === first);
  const callers = ofCore.flatMap(({ kind, addresses }) => (kind === 'backtrace' ? addresses : []));
  const backtrace = new Set(callers.map(({ value }) => value));
  const isFrame = ({ address: { role, value }, core }: AddressRow) =>
    role !== 'register' && (core === undefined || core === first) && (backtrace.size === 0 || backtrace.has(value));
  const printed = ofCore.flatMap(({ kind, text }) => (kind === 'registers' ? registersOf(text) : []));
  return {
    cause: titleOf(incident),
    facts: ['Lines of the log'],
    frames: rows.filter(isFrame).map(({ address, place }) => ({ pc: address.value, places: place?.frames ?? [] })),
    registers: printed,
  };
}

/** Functions of a frame, including inlined ones. Two frames with the same functions are equal. */
const functionsOf = ({ places, pc }: ComparedFrame) =>
  places.length === 0 ? wordText(pc) : places.map(({ name }) => name ?? '??').join(' < ');

const placeOf = ({ places, pc }: ComparedFrame) =>
  places.some(({ line }) => line !== undefined)
    ? places.map(({ file, line }) => `${file ?? ''}:${line ?? ''}`).join()
    : `${pc}`;

/** Aligns frames with equal functions (longest common subsequence). */
export function alignedFrames(first: readonly ComparedFrame[], second: readonly ComparedFrame[]): FramePair[] {
  const left = first.map(functionsOf);
  const right = second.map(functionsOf);
  // Length of the longest common subsequence from each pair of positions onwards.
  const most = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const from = (row: number, column: number) => most[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const best =
        left[row] === right[column]
          ? from(row + 1, column + 1) + 1
          : Math.max(from(row + 1, column), from(row, column + 1));
      (most[row] as Uint16Array)[column] = best;
    }
  }
  const pairs: FramePair[] = [];
  for (let row = 0, column = 0; row < left.length || column < right.length; ) {
    const one = first[row];
    const other = second[column];
    if (one !== undefined && other !== undefined && left[row] === right[column]) {
      pairs.push({ first: one, second: other, sameness: placeOf(one) === placeOf(other) ? 'same' : 'line' });
      row++;
      column++;
    } else if (other === undefined || (one !== undefined && from(row + 1, column) >= from(row, column + 1))) {
      pairs.push({ first: one ?? null, second: null, sameness: 'different' });
      row++;
    } else {
      pairs.push({ first: null, second: other, sameness: 'different' });
      column++;
    }
  }
  return pairs;
}

/** Pairs registers by name, in the order of the first crash. */
export function comparedRegisters(
  first: readonly ComparedRegister[],
  second: readonly ComparedRegister[],
): RegisterPair[] {
  const [left, right] = [first, second].map((registers) => new Map(registers.map(({ name, value }) => [name, value])));
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...names].map((name) => {
    const pair = { first: left?.get(name) ?? null, second: right?.get(name) ?? null };
    return { name, ...pair, same: pair.first === pair.second };
  });
}
