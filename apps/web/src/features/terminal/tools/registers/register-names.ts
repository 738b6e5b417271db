/** Changes to the named registers of a decoder, each by a row of the table. Each returns another draft. */
import type { DecoderContent, DecoderRegister, RegisterTable } from '@wirebench/contract/decoders';
import {
  isNamed,
  type OrderedNumber,
  orderedType,
  placeName,
  type RegisterRow,
  registersOf,
  registerTables,
} from '@wirebench/frames/modbus-registers';
import type { TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import { type ByteRange, nameFrom } from '../name-bytes/decoder-draft.ts';

type RegisterType = DecoderRegister['type'];

/** Returns the entry of a row. A row without one has the usual reading of its place. */
export function entryOf({ entry, table, address, unit }: RegisterRow): DecoderRegister {
  return (
    entry ?? { name: placeName(table, address), device: unit, table, address, type: 'u16', order: 'big', length: 1 }
  );
}

/** Returns true for an entry that says nothing which a register without one would not show. */
function isEmpty({ title, type, order, scale, offset, unit, values, flags, ...rest }: DecoderRegister): boolean {
  const isPlain =
    type === 'u16' && order === 'big' && [scale, offset, unit, values, flags].every((one) => one === undefined);
  return title === undefined && isPlain && !isNamed(rest as DecoderRegister);
}

/** Puts another entry in the place of that of a row. An empty one is removed. */
function withEntry(draft: DecoderContent, row: RegisterRow, changed: DecoderRegister): DecoderContent {
  const next = Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined),
  ) as unknown as DecoderRegister;
  const kept = isEmpty(next) ? [] : [next];
  const registers =
    row.entry === null
      ? [...draft.registers, ...kept]
      : draft.registers.flatMap((one) => (one === row.entry ? kept : [one]));
  return { ...draft, registers };
}

/** Returns true if another entry of the unit, or of all units, has the name. */
export function isTaken(draft: DecoderContent, row: RegisterRow, typed: string): boolean {
  const name = nameFrom(typed, '');
  return draft.registers.some(
    (one) =>
      one !== row.entry &&
      (one.name === name || one.title === typed.trim()) &&
      (one.device === undefined || row.entry?.device === undefined || one.device === row.unit),
  );
}

/** Names a row. The name keeps its spaces; Find has it with `_` in their place. An empty one removes the name. */
export function withName(draft: DecoderContent, row: RegisterRow, typed: string): DecoderContent {
  const title = typed.trim().replaceAll(/\s+/g, ' ');
  const entry = entryOf(row);
  const place = placeName(row.table, row.address);
  const named = { ...entry, name: nameFrom(title, place), title };
  return withEntry(draft, row, title === '' ? { ...entry, name: place, title: undefined } : named);
}

/** Changes unit, scale, offset or names of values. Undefined removes one. */
export function withMeaning(
  draft: DecoderContent,
  row: RegisterRow,
  change: Partial<Pick<DecoderRegister, 'unit' | 'scale' | 'offset' | 'values' | 'flags' | 'length'>>,
): DecoderContent {
  return withEntry(draft, row, { ...entryOf(row), ...change } as DecoderRegister);
}

/** Registers of a text whose length a person has not said. */
const usualText = 4;

/** Reads a row as another type. The order stays if both have one of the same size. */
export function withType(draft: DecoderContent, row: RegisterRow, type: RegisterType): DecoderContent {
  const { flags, ...entry } = entryOf(row);
  const size = (one: RegisterType) => (orderedType(one) === null ? 0 : registersOf({ type: one, length: 1 }));
  const order = size(type) === size(entry.type) ? entry.order : 'big';
  return withEntry(draft, row, {
    ...entry,
    type,
    order,
    length: type === 'text' ? (entry.type === 'text' ? entry.length : usualText) : 1,
    ...(type === 'bits' && { flags: flags ?? {} }),
  });
}

/** Reads a row in another order, or at another address: the name moves there. */
export function withReading(
  draft: DecoderContent,
  row: RegisterRow,
  { address, order }: Pick<OrderedNumber, 'address' | 'order'>,
): DecoderContent {
  const entry = entryOf(row);
  const isSingle = registersOf(entry) === 1;
  const moved = isNamed(entry) || entry.title !== undefined ? entry : { ...entry, name: placeName(row.table, address) };
  return withEntry(draft, row, {
    ...moved,
    address,
    order: isSingle ? (order === 'abcd' ? 'big' : 'little') : order,
  });
}

/** Returns the letters of an entry's order: those of a grid of orders. */
export function lettersOf({ order, type, length }: DecoderRegister): OrderedNumber['order'] {
  const letters = order === 'big' ? 'abcd' : order === 'little' ? 'dcba' : order;
  const isSingle = registersOf({ type, length }) === 1;
  return !isSingle ? letters : letters === 'cdab' ? 'abcd' : letters === 'badc' ? 'dcba' : letters;
}

/** Returns the name that a person gave a row, with its spaces; empty: none. */
export const nameOf = ({ entry }: RegisterRow): string =>
  entry === null ? '' : (entry.title ?? (isNamed(entry) ? entry.name : ''));

/** Entries that a person has given a name. */
export const namedCount = ({ registers }: DecoderContent): number =>
  registers.filter((one) => one.title !== undefined || isNamed(one)).length;

const typesBySize = { 1: ['u16', 'i16', 'bits'], 2: ['u32', 'i32', 'f32'], 4: ['u64', 'i64', 'f64'] } as const;

/**
 * Returns the types that a row may have: its own, and those for which enough registers follow.
 *
 * @param room Registers that were observed from the row's address on.
 */
export function typesFor(row: RegisterRow, room: number): readonly RegisterType[] {
  const fitting = Object.entries(typesBySize).flatMap(([size, types]) => (Number(size) <= room ? types : []));
  return [...new Set<RegisterType>([...fitting, ...(room >= 2 ? (['text'] as const) : []), entryOf(row).type])];
}

/** Returns the number of registers that were observed from an address on, without a gap. */
export function roomFrom(address: number, rows: readonly RegisterRow[]): number {
  let end = address;
  for (const row of rows) {
    if (row.bytes !== null && row.address <= end && row.address + row.count > end) {
      end = row.address + row.count;
    }
  }
  return end - address;
}

export interface RegisterPlace {
  readonly unit: number;
  readonly table: RegisterTable;
  readonly address: number;
}

/** Returns the register in which selected bytes begin; null: they are another part of the frame, or its question is not known. */
export function registersAt({ content, fields }: TriedFrame, { from }: ByteRange): RegisterPlace | null {
  const [unit = 0, code] = content;
  const table = registerTables.get(code);
  const field = fields.find((one) => /^\d+(–\d+)?$/.test(one.place) && from >= one.from && from < one.to);
  return table === undefined || field === undefined ? null : { unit, table, address: Number.parseInt(field.place, 10) };
}
