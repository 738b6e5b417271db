/** Limits of a search for Modbus devices, and what it will send at most. */
import { type PortSettings, wireTime } from '@wirebench/port';

/** Units that can be asked (MODBUS over Serial Line V1.02, section 2.2). */
export const unitRange = { from: 1, to: 247 } as const;
/** Addresses of registers and bits. */
export const MAX_ADDRESS = 65_535;
/** Most registers of each table that are looked for: more takes hours. */
export const MAX_REGISTERS = 1_000;
/** Limits of a search for which a person chooses nothing. The time for an answer is in milliseconds. */
export const usualSearch = { units: unitRange, limit: 200, registers: { from: 0, to: 99 } } as const;
/** Offered times for an answer, in milliseconds. */
export const answerLimits = [100, 200, 500, 1_000] as const;

/** Time for which the line is heard before anything is sent, in milliseconds. */
export const LISTEN = 1_500;
/** Questions of a line, and of a device, that are asked again after a damaged or late answer. */
export const MAX_REPEATS = 32;
/** Times that one question is asked. */
export const TRIES = 3;
/** Least time for an answer to a repeated question, in milliseconds, and its part of the chosen one. */
const LONG_LIMIT = 1_000;
const LONG_TIMES = 4;
/** Most registers of one request (V1.1b3, section 6.3). Bits are read in as many. */
export const MAX_BLOCK = 125;
/** Requests for the identification of a device, which may come in parts. */
export const MAX_PARTS = 4;
/** Tables of a device; each is asked for, and once more where it does not answer. */
const TABLES = 4;
/** Milliseconds that an adapter takes for a request and its answer, beside their time on the wire. */
export const ADAPTER_TIME = 20;
/** Milliseconds that closing and opening a port takes. */
const OPEN_TIME = 1_000;
/** Bytes of a request for reading, and of an answer beside its values. */
const REQUEST_BYTES = 8;
export const ANSWER_BYTES = 5;
/** Bytes of the answer with one register. */
export const UNIT_ANSWER = ANSWER_BYTES + 2;
/** Silence between two frames, in characters, and its least in milliseconds (V1.02, section 2.5.1.1). */
const GAP_CHARACTERS = 3.5;
const LEAST_GAP = 1.75;
/** Longest answer of an identification (V1.02, section 2.5.1). */
export const LONGEST_ANSWER = 256;

export interface Range {
  readonly from: number;
  /** Included. */
  readonly to: number;
}

export interface ModbusSearchOptions {
  /** Settings that are tried, in this order. The first are those with which the port is open. */
  readonly lines: readonly PortSettings[];
  readonly units: Range;
  /** Time for an answer, in milliseconds, from the end of the request to the start of the answer. */
  readonly limit: number;
  /** Addresses of each table that are read in a device that was found; null: only its unit is looked for. */
  readonly registers: Range | null;
  /** True: the line is asked although something else was heard on it. */
  readonly ignoresTraffic: boolean;
}

interface SearchAmount {
  readonly requests: number;
  /** Milliseconds. */
  readonly time: number;
}

export interface SearchPlan {
  /** Requests that look for units, and the time with listening and all settings. */
  readonly units: SearchAmount;
  /** Further requests to each device that was found: its identification and registers. */
  readonly device: SearchAmount;
}

/** Returns the settings of a search: those of the open port first, then all others of these rates and parities, each once. */
export function searchedLines(
  own: PortSettings,
  rates: readonly number[],
  parities: readonly ParityType[],
): readonly PortSettings[] {
  return [...new Set([own.baudRate, ...rates])].flatMap((baudRate) =>
    [...new Set([own.parity, ...parities])].map((parity) => ({ ...own, baudRate, parity })),
  );
}

/** Time for an answer to a question that is asked again. A late device gets longer. */
export const longLimit = (limit: number): number => Math.max(LONG_LIMIT, LONG_TIMES * limit);

/** Silence before a request, in milliseconds. */
export function frameGap(line: PortSettings): number {
  return Math.max(LEAST_GAP, wireTime(line, GAP_CHARACTERS));
}

export const countOf = ({ from, to }: Range): number => Math.max(0, to - from + 1);

/**
 * Returns the most that a search sends, and the longest time that it takes.
 *
 * @throws RangeError for units, registers or limits out of range, or without settings.
 */
export function planModbusSearch({ lines, units, limit, registers }: ModbusSearchOptions): SearchPlan {
  check(lines.length > 0, 'settings');
  check(isWithin(units, unitRange), 'units');
  check(registers === null || isWithin(registers, { from: 0, to: MAX_ADDRESS }), 'registers');
  check(registers === null || countOf(registers) <= MAX_REGISTERS, 'registers');
  check(limit >= 10 && limit <= 60_000, 'time for an answer');
  const count = countOf(units);
  const repeats = Math.min(MAX_REPEATS, count * (TRIES - 1));
  const forUnits = lines.map((line) => {
    const one = timeOf(line, limit, UNIT_ANSWER);
    return count * one + repeats * timeOf(line, longLimit(limit), UNIT_ANSWER);
  });
  const slowest = lines.reduce((slow, line) => (wireTime(line, 1) > wireTime(slow, 1) ? line : slow));
  const addresses = registers === null ? 0 : countOf(registers);
  // A block that is not there is halved down to single addresses.
  const blocks = TABLES * 2 * addresses;
  const answer = ANSWER_BYTES + 2 * Math.min(addresses, MAX_BLOCK);
  const deviceTime =
    (MAX_PARTS + TABLES) * timeOf(slowest, limit, LONGEST_ANSWER) +
    blocks * timeOf(slowest, limit, answer) +
    MAX_REPEATS * timeOf(slowest, longLimit(limit), Math.max(answer, LONGEST_ANSWER));
  return {
    units: {
      requests: lines.length * (count + repeats),
      time: LISTEN + forUnits.reduce((sum, time) => sum + time + OPEN_TIME, OPEN_TIME),
    },
    device: { requests: MAX_PARTS + TABLES + blocks + MAX_REPEATS, time: deviceTime },
  };
}

/** Longest time of one request with its answer. */
function timeOf(line: PortSettings, limit: number, answer: number): number {
  return frameGap(line) + wireTime(line, REQUEST_BYTES + answer) + limit + ADAPTER_TIME;
}

function isWithin({ from, to }: Range, outer: Range): boolean {
  return Number.isInteger(from) && Number.isInteger(to) && from >= outer.from && to <= outer.to && from <= to;
}

function check(isRight: boolean, name: string): void {
  if (!isRight) {
    throw new RangeError(`The ${name} of the search are out of range`);
  }
}
