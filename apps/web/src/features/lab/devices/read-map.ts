/**
 * Reads a range of a device's 8-bit registers with one transfer for each, because not every device advances to the
 * next register by itself.
 */

import type { BusTransfer } from '../../../protocol/bus-transfers.ts';
import { hexNumber } from '../../../shared/format/hex.ts';
import { failureFrom } from '../store/lab-failures.ts';
import { getLab } from '../store/lab-line.ts';
import { changeMap, type MapByte, mapOf } from './device-store.ts';

interface MapEnd {
  readonly kind: 'done' | 'cancelled' | 'lost';
  /** Number of registers that answered. */
  readonly read: number;
}

/** Number of refusals in a row after which the device counts as gone. */
const patience = 3;

interface MapRange {
  /** Register numbers; both are included. */
  readonly first: number;
  readonly last: number;
}

const outcomes = {
  done: (read: number) => `${read} registers read.`,
  cancelled: (read: number, all: number) => `Cancelled: ${read} of ${all} registers read.`,
  lost: (read: number, all: number) => `The device stopped answering: ${read} of ${all} registers read.`,
} as const;

/** Reads the range, even while other instruments are shown. `reading.abort()` and forgetting the devices end it. */
export async function readRegisterMap(address: number, range: MapRange): Promise<void> {
  const { bytes: before, reading: underWay } = mapOf(address);
  if (underWay !== null) {
    return;
  }
  const reading = new AbortController();
  /** Ignores results of a device that was forgotten. */
  const note = (change: Parameters<typeof changeMap>[1]) => {
    if (mapOf(address).reading === reading) {
      changeMap(address, change);
    }
  };
  changeMap(address, { reading, outcome: '' });
  try {
    const { kind, read } = await readMap(address, range, before, (bytes) => note({ bytes }), reading.signal);
    note({ outcome: outcomes[kind](read, range.last - range.first + 1) });
  } finally {
    note({ reading: null });
  }
}

/**
 * @param show Receives the bytes so far after each row of 16.
 * @throws CallError if the host refuses, or if the board is lost.
 */
async function readMap(
  address: number,
  { first, last }: MapRange,
  before: ReadonlyMap<number, MapByte>,
  show: (bytes: ReadonlyMap<number, MapByte>) => void,
  cancelled: AbortSignal,
): Promise<MapEnd> {
  const bytes = new Map<number, MapByte>();
  const note = (register: number, now: number | null) =>
    bytes.set(register, { now, before: before.get(register)?.now ?? null });
  let read = 0;
  let refused = 0;
  for (let start = first; start <= last; start = (start | 15) + 1) {
    const registers = Array.from({ length: Math.min(last, start | 15) - start + 1 }, (_, index) => start + index);
    const row = await readRow(address, registers);
    if (cancelled.aborted) {
      return { kind: 'cancelled', read };
    }
    for (const register of registers) {
      const answer = row === null ? await readOne(address, register) : (row.get(register) ?? null);
      note(register, answer);
      read += answer === null ? 0 : 1;
      refused = answer === null ? refused + 1 : 0;
      if (cancelled.aborted || refused === patience) {
        show(new Map(bytes));
        return { kind: cancelled.aborted ? 'cancelled' : 'lost', read };
      }
    }
    show(new Map(bytes));
  }
  return { kind: 'done', read };
}

const transferOf = (address: number, register: number): BusTransfer => ({
  address,
  write: Uint8Array.of(register),
  read: 1,
  delay: 0,
});

/** Reads one row. Returns null if a register was not acknowledged; the caller then reads them one by one. */
async function readRow(address: number, registers: readonly number[]): Promise<ReadonlyMap<number, number> | null> {
  const what = `${hexNumber(address)} registers ${hexNumber(registers[0] ?? 0)} to ${hexNumber(registers.at(-1) ?? 0)}`;
  return orNull(async () => {
    const transfers = registers.map((register) => transferOf(address, register));
    const answers = await getLab().call('transferAll', transfers, what);
    return new Map(registers.map((register, index) => [register, answers[index]?.[0] ?? 0]));
  });
}

async function readOne(address: number, register: number): Promise<number | null> {
  return orNull(async () => {
    const [answer] = await getLab().call('transferAll', [transferOf(address, register)]);
    return answer?.[0] ?? null;
  });
}

/** Converts a missing acknowledge to null. The loss of the board is thrown. */
async function orNull<Value>(act: () => Promise<Value>): Promise<Value | null> {
  try {
    return await act();
  } catch (error) {
    if (failureFrom(error).code !== null) {
      throw error;
    }
    return null;
  }
}
