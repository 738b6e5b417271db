/** The table of registers: observed values and named entries as rows, by unit and table. */
import type { DecoderRegister, NumberType, RegisterTable } from '@wirebench/contract/decoders';
import { labelOf, valueText } from '../../frame-text.ts';
import type { DecodedField } from '../../frame-types.ts';
import { unitText } from './modbus-fields.ts';
import type { SeenRegister } from './register-book.ts';
import { isBitTable, NamedRegisters, numbersInAllOrders, type OrderedNumber, registersOf } from './registers.ts';

/** A row: an entry of the decoder, or a register without one. */
export interface RegisterRow {
  /** Different for each row, and the same whatever its entry says: `21 input 0`. */
  readonly key: string;
  readonly unit: number;
  readonly table: RegisterTable;
  readonly address: number;
  /** Registers that it takes. */
  readonly count: number;
  /** Entry of the decoder; null: none. */
  readonly entry: DecoderRegister | null;
  /** True: the entry is in a file of the decoder, which is not changed here. */
  readonly isFixed: boolean;
  /** Its registers as they came, the high byte first; null: not all of them were observed. */
  readonly bytes: Uint8Array | null;
  /** Time of the oldest of its registers, in milliseconds since the Unix epoch. NaN: unknown. */
  readonly at: number;
  /** Name of the curve that its values make. */
  readonly series: string;
}

/** Rows of one table of a unit. */
export interface UnitTable {
  readonly unit: number;
  readonly table: RegisterTable;
  /** By address. */
  readonly rows: readonly RegisterRow[];
}

/** Name of an entry that was made for its type alone: that of the table and the address. */
export const placeName = (table: RegisterTable, address: number): string => `${table}_${address}`;

/** Returns true for an entry that a person has given a name. */
export const isNamed = ({ name, table, address }: DecoderRegister): boolean => name !== placeName(table, address);

/**
 * Returns the rows. Units are in the order in which they were seen first; those that only the decoder names follow.
 *
 * @param fixed Entries of files, which have their rows but are not changed.
 */
export function registerRows(
  seen: readonly SeenRegister[],
  entries: readonly DecoderRegister[],
  fixed: readonly DecoderRegister[] = [],
): readonly UnitTable[] {
  const groups = new Map<string, { unit: number; table: RegisterTable; raws: Map<number, SeenRegister> }>();
  const groupOf = (unit: number, table: RegisterTable) => {
    const key = `${unit} ${table}`;
    const found = groups.get(key) ?? { unit, table, raws: new Map<number, SeenRegister>() };
    groups.set(key, found);
    return found;
  };
  for (const register of seen) {
    groupOf(register.unit, register.table).raws.set(register.address, register);
  }
  const all = [
    ...entries.map((entry) => ({ entry, isFixed: false })),
    ...fixed.map((entry) => ({ entry, isFixed: true })),
  ];
  for (const { entry } of all) {
    if (entry.device !== undefined) {
      groupOf(entry.device, entry.table);
    }
  }
  return [...groups.values()].map(({ unit, table, raws }) => {
    const ofTable = all.filter(({ entry }) => entry.table === table);
    const own = ofTable.filter(({ entry }) => entry.device === unit);
    const isOwn = (address: number) => own.some(({ entry }) => entry.address === address);
    // Entries of one unit win over those of all.
    const usable = [...own, ...ofTable.filter(({ entry }) => entry.device === undefined && !isOwn(entry.address))];
    const covered = new Set<number>();
    const rows = usable.map(({ entry, isFixed }) => {
      const count = isBitTable(table) ? 1 : registersOf(entry);
      for (let address = entry.address; address < entry.address + count; address++) {
        covered.add(address);
      }
      return rowOf({ unit, table, address: entry.address, count, entry, isFixed, raws });
    });
    for (const address of raws.keys()) {
      if (!covered.has(address)) {
        rows.push(rowOf({ unit, table, address, count: 1, entry: null, isFixed: false, raws }));
      }
    }
    return { unit, table, rows: withKeys(rows.sort((one, other) => one.address - other.address)) };
  });
}

interface RowParts extends Pick<RegisterRow, 'unit' | 'table' | 'address' | 'count' | 'entry' | 'isFixed'> {
  readonly raws: ReadonlyMap<number, SeenRegister>;
}

/** Several entries may begin at one address: each has a key of its own. */
const withKeys = (rows: readonly RegisterRow[]): readonly RegisterRow[] =>
  rows.map((row, index) => {
    const before = rows.slice(0, index).filter(({ address }) => address === row.address).length;
    return before === 0 ? row : { ...row, key: `${row.key} ${before + 1}` };
  });

function rowOf({ raws, ...row }: RowParts): RegisterRow {
  const { unit, table, address, count, entry } = row;
  const label = entry === null ? `${table}.${address}` : labelOf(entry);
  const found = Array.from({ length: count }, (_, at) => raws.get(address + at));
  const isWhole = found.every((one) => one !== undefined);
  return {
    ...row,
    key: `${unit} ${table} ${address}`,
    bytes: isWhole ? bytesOf(found.map(({ raw }) => raw)) : null,
    at: found.reduce((oldest, one) => Math.min(oldest, one?.at ?? Number.NaN), Number.POSITIVE_INFINITY),
    series: `${unitText(unit)} ${label}`,
  };
}

const bytesOf = (raws: readonly number[]) => Uint8Array.from(raws.flatMap((raw) => [raw >> 8, raw & 0xff]));

/** Returns the addresses of a row: `0–1`. */
export function addressText({ address, count }: Pick<RegisterRow, 'address' | 'count'>): string {
  return count === 1 ? String(address) : `${address}–${address + count - 1}`;
}

/** Reads the observed bytes of a row as its entry says; null: not all were observed. */
export function readRow({ table, entry, bytes, address }: RegisterRow): DecodedField | null {
  if (bytes === null) {
    return null;
  }
  const plain = { name: placeName(table, address), table, address, type: 'u16', order: 'big', length: 1 } as const;
  const register: DecoderRegister = entry ?? plain;
  const [found] = new NamedRegisters([register]).at(register.device ?? 0, table, address);
  if (isBitTable(table)) {
    const value = bytes[1] === 1;
    return { name: register.name, value, ...found?.words(value), from: 0, to: 2 };
  }
  return found?.field(bytes, 0) ?? null;
}

/** Returns the value of a row without its unit, as a cell shows it; empty: not observed. */
export function rowValue(row: RegisterRow): string {
  const field = readRow(row);
  if (field === null) {
    return '';
  }
  const { value, named } = field;
  if (named !== undefined && named !== '') {
    return named;
  }
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off';
  }
  if (row.entry?.type === 'bits' && typeof value === 'number') {
    const digits = value.toString(2);
    return digits.padStart(4 * Math.ceil(digits.length / 4), '0');
  }
  return typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : valueText({ ...field, unit: '' });
}

/** Digits of a float of 32 bits that its text has (IEEE 754: 6 to 9 decimal digits; 7 is what its 24 bits always give). */
const FLOAT_DIGITS = 7;
/** Digits of a very large or small number, so that it fits a cell. */
const SHORT_DIGITS = 3;
const LEAST = 1e-4;
const MOST = 1e9;

/**
 * Writes a number with up to 7 digits. Integers have all of theirs, in groups of three.
 *
 * @param isFloat True: a number that is whole by chance is written as the others of its type.
 */
export function numberText(value: number | bigint, isFloat = false): string {
  if (typeof value === 'bigint' || (!isFloat && Number.isInteger(value) && Math.abs(value) < 1e15)) {
    return grouped(String(value));
  }
  const size = Math.abs(value);
  return size === 0 || !Number.isFinite(value) || (size >= LEAST && size < MOST)
    ? String(Number(value.toPrecision(FLOAT_DIGITS)))
    : value.toExponential(SHORT_DIGITS).replace('e+', 'e');
}

/** Returns true for an IEEE 754 float. */
export const isFloat = (type: DecoderRegister['type'] | undefined): boolean => type === 'f32' || type === 'f64';

const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, '\u2009');

/** A line of the grid of orders: registers that could hold the number, read in each order. */
export interface OrderLine {
  readonly address: number;
  readonly readings: readonly OrderedNumber[];
}

/** Lines of the grid: the registers of the row and two neighbours, as far as they were observed. */
const MAX_LINES = 3;

/** Types that have an order of bytes. */
export type OrderedType = Exclude<NumberType, 'u8' | 'i8' | 'u24' | 'i24'>;

const ordered: ReadonlySet<unknown> = new Set<OrderedType>(['u16', 'i16', 'u32', 'i32', 'u64', 'i64', 'f32', 'f64']);

/** Returns the type of an entry if its bytes have an order; null for bits and text. */
export const orderedType = (type: DecoderRegister['type']): OrderedType | null =>
  ordered.has(type) ? (type as OrderedType) : null;

/**
 * Returns the grid of orders of a row: its registers and neighbours by address, each in all four orders. Devices count from
 * 0 or from 1, and order words both ways, so a person compares and picks.
 *
 * @param rows Rows of the same unit and table.
 */
export function orderLines(row: RegisterRow, rows: readonly RegisterRow[], type: OrderedType): readonly OrderLine[] {
  const raws = new Map<number, readonly number[]>();
  for (const { address, count, bytes } of rows) {
    for (let index = 0; bytes !== null && index < count; index++) {
      raws.set(address + index, [...bytes.subarray(2 * index, 2 * index + 2)]);
    }
  }
  // The stretch of observed registers around the row.
  let [first, end] = [row.address, row.address];
  while (raws.has(first - 1) && row.address - first < 8) {
    first--;
  }
  while (raws.has(end) && end - row.address < 16) {
    end++;
  }
  const stretch = Uint8Array.from(Array.from({ length: end - first }, (_, at) => raws.get(first + at) ?? []).flat());
  const lines = [0, 1, -1, 2, -2].flatMap((step) => {
    const address = row.address + step;
    const readings = numbersInAllOrders(stretch, first, address, type).filter((one) => one.address === address);
    return readings.length === 0 ? [] : [{ address, readings: distinctOrders(readings, type) }];
  });
  return lines.slice(0, MAX_LINES).sort((one, other) => one.address - other.address);
}

/** A single register has two orders: its words cannot be swapped. */
function distinctOrders(readings: readonly OrderedNumber[], type: OrderedType): readonly OrderedNumber[] {
  return type === 'u16' || type === 'i16'
    ? readings.filter(({ order }) => order === 'abcd' || order === 'dcba')
    : readings;
}
