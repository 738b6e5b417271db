/**
 * Signals of a CAN frame as numbers: both bit orders, signs, floating point, scale, and the pages of multiplexors (DBC
 * file format, section "Signals").
 */
import type { DbcMessage, DbcSignal, SignalPlace } from './dbc-file.ts';
import { type DecimalScale, scaleFloat, scaleToNumber, scaleToWhole } from './decimal.ts';

/** Signals from this many bits are whole numbers that a double cannot hold: they are bigint. */
const WIDE = 54;

/** @returns the first byte of the signal, and the byte behind its last one. */
export function bytesOf({ start, size, isBigEndian }: SignalPlace): { readonly from: number; readonly to: number } {
  const from = start >> 3;
  if (isBigEndian) {
    return { from, to: from + 1 + Math.ceil(Math.max(0, size - ((start & 7) + 1)) / 8) };
  }
  return { from, to: ((start + size - 1) >> 3) + 1 };
}

/**
 * Reads the bits as an unsigned number: a bigint from 54 bits. `data` must hold all bytes of the signal.
 */
function readBits(data: Uint8Array, { start, size, isBigEndian }: SignalPlace): number | bigint {
  let at = start >> 3;
  let high = 0;
  let low = 0;
  // Accumulates 32 bits at most in each half, as unsigned doubles.
  if (isBigEndian) {
    let top = start & 7;
    for (let left = size; left > 0; at++) {
      const count = Math.min(top + 1, left);
      const part = ((data[at] ?? 0) >> (top + 1 - count)) & ((1 << count) - 1);
      const shifted = low * (1 << count);
      const carry = Math.floor(shifted / 2 ** 32);
      high = high * (1 << count) + carry;
      low = shifted - carry * 2 ** 32 + part;
      left -= count;
      top = 7;
    }
  } else {
    let bottom = start & 7;
    for (let done = 0; done < size; at++) {
      const count = Math.min(8 - bottom, size - done);
      const part = ((data[at] ?? 0) >> bottom) & ((1 << count) - 1);
      if (done >= 32) {
        high += part * (powers[done - 32] ?? 0);
      } else {
        const lowCount = Math.min(count, 32 - done);
        low += (part & ((1 << lowCount) - 1)) * (powers[done] ?? 0);
        high += part >> lowCount;
      }
      done += count;
      bottom = 0;
    }
  }
  return size < WIDE ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}

/** Powers of two that doubles have: an exponentiation takes longer than the rest. */
const powers = Float64Array.from({ length: 65 }, (_, bits) => 2 ** bits);

/** @returns the number in two's complement if `isSigned`. */
export function readInteger(data: Uint8Array, place: SignalPlace, isSigned: boolean): number | bigint {
  const raw = readBits(data, place);
  if (typeof raw === 'bigint') {
    return isSigned ? BigInt.asIntN(place.size, raw) : raw;
  }
  return isSigned && raw >= (powers[place.size - 1] ?? 0) ? raw - (powers[place.size] ?? 0) : raw;
}

/** @param place 32 or 64 bits: IEEE 754 single or double precision. */
export function readFloat(data: Uint8Array, place: SignalPlace): number {
  const view = new DataView(new ArrayBuffer(8));
  const raw = readBits(data, place);
  if (place.size === 32) {
    view.setUint32(0, Number(raw));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, BigInt(raw));
  return view.getFloat64(0);
}

/** @returns the value in the signal's unit. A wide whole number stays whole: bigint. */
function scaleInteger(scale: DecimalScale, raw: number | bigint): number | bigint {
  return typeof raw === 'bigint' && scale.places === 0 ? scaleToWhole(scale, raw) : scaleToNumber(scale, raw);
}

export interface SignalValue {
  readonly signal: DbcSignal;
  /** Bytes of the data with bits of the signal. */
  readonly from: number;
  readonly to: number;
  /** Null: the frame ends before the signal does. */
  readonly raw: number | bigint | null;
  readonly value: number | bigint | null;
  /** Name of the raw value. */
  readonly named?: string;
}

/** @returns the signals in the order of the file; those of another multiplexor page are left out. */
export function readSignals(message: DbcMessage, data: Uint8Array): SignalValue[] {
  const parents = parentsOf(message);
  const pages = new Map<DbcSignal, number | bigint | null>();
  const values: SignalValue[] = [];
  for (const signal of message.signals) {
    if (isSelected(signal, parents, pages, data)) {
      values.push(readSignal(signal, data));
    }
  }
  return values;
}

function readSignal(signal: DbcSignal, data: Uint8Array): SignalValue {
  const { from, to } = bytesOf(signal);
  if (to > data.length) {
    return { signal, from: Math.min(from, data.length), to: data.length, raw: null, value: null };
  }
  if (signal.isFloat) {
    const raw = readFloat(data, signal);
    return withName(signal, { signal, from, to, raw, value: scaleFloat(signal.scale, raw) });
  }
  const raw = readInteger(data, signal, signal.isSigned);
  return withName(signal, { signal, from, to, raw, value: scaleInteger(signal.scale, raw) });
}

/** Adds the name of the raw value, if it has one. */
function withName({ names }: DbcSignal, value: SignalValue): SignalValue {
  const named = names.size > 0 ? names.get(String(value.raw)) : undefined;
  return named === undefined ? value : { ...value, named };
}

/** Multiplexor of each multiplexed signal. */
type Parents = ReadonlyMap<DbcSignal, DbcSignal>;

const knownParents = new WeakMap<DbcMessage, Parents>();

function parentsOf(message: DbcMessage): Parents {
  let parents = knownParents.get(message);
  if (parents === undefined) {
    parents = findParents(message);
    knownParents.set(message, parents);
  }
  return parents;
}

function findParents({ signals }: DbcMessage): Parents {
  const multiplexors = new Map(signals.filter((signal) => signal.isMultiplexor).map((signal) => [signal.name, signal]));
  const root = signals.find(({ isMultiplexor, multiplex }) => isMultiplexor && multiplex === null);
  const parents = new Map<DbcSignal, DbcSignal>();
  for (const signal of signals) {
    const name = signal.multiplex?.parent ?? null;
    const parent = name === null ? root : multiplexors.get(name);
    if (signal.multiplex !== null && parent !== undefined) {
      parents.set(signal, parent);
    }
  }
  return parents;
}

/** Multiplexors above a signal in a valid file. Signals that select each other are in no frame. */
const MAX_DEPTH = 16;

/** @param pages Raw values of the multiplexors that were read in this frame; null: not in the frame. */
function isSelected(
  signal: DbcSignal,
  parents: Parents,
  pages: Map<DbcSignal, number | bigint | null>,
  data: Uint8Array,
  depth = 0,
): boolean {
  if (signal.multiplex === null) {
    return true;
  }
  const parent = parents.get(signal);
  if (parent === undefined || depth >= MAX_DEPTH) {
    return false;
  }
  let page = pages.get(parent);
  if (page === undefined) {
    const isThere = isSelected(parent, parents, pages, data, depth + 1) && bytesOf(parent).to <= data.length;
    page = isThere ? readInteger(data, parent, parent.isSigned) : null;
    pages.set(parent, page);
  }
  const value = page;
  return value !== null && signal.multiplex.ranges.some(([first, last]) => value >= first && value <= last);
}
