/** Registers with names: a table that a person fills or imports, and the fields that it makes of registers. */
import {
  type ByteOrder,
  type DecoderRegister,
  type NumberType,
  numberSizes,
  type RegisterTable,
} from '@wirebench/contract/decoders';
import { flagNamer, textOf } from '../../field-decoder.ts';
import type { DecodedField } from '../../frame-types.ts';
import { numberReader, scalingOf } from '../../numbers.ts';

const BYTES = 2;

const isNumber = (type: DecoderRegister['type']): type is DecoderRegister['type'] & NumberType =>
  Object.hasOwn(numberSizes, type);

/** Returns true for a table of bits: coils and discrete inputs. */
export const isBitTable = (table: RegisterTable): boolean => table === 'coil' || table === 'discrete';

/** Returns the number of registers that an entry takes. */
export function registersOf({ type, length }: Pick<DecoderRegister, 'type' | 'length'>): number {
  return isNumber(type) ? numberSizes[type] / BYTES : type === 'text' ? length : 1;
}

interface Entry {
  readonly register: DecoderRegister;
  readonly count: number;
  /** @param at Offset of the first register in `bytes`. */
  readonly field: (bytes: Uint8Array, at: number) => DecodedField;
  /** Returns the words of a coil or input: its name with spaces, and the name of its value. */
  readonly words: (value: boolean | null) => Pick<DecodedField, 'title' | 'named'>;
}

/** Entries by table and address. */
export class NamedRegisters {
  readonly #entries = new Map<string, Entry[]>();
  readonly isEmpty: boolean;

  constructor(registers: readonly DecoderRegister[]) {
    this.isEmpty = registers.length === 0;
    for (const register of registers) {
      const key = `${register.table} ${register.address}`;
      const { title, values } = register;
      const words = (value: boolean | null) => {
        const named = value === null ? undefined : values?.[value ? '1' : '0'];
        return { ...(title !== undefined && { title }), ...(named !== undefined && { named }) };
      };
      const entry = { register, count: registersOf(register), field: fieldOf(register), words };
      this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
    }
  }

  /** Returns the entries that begin at an address of a unit. Entries of one unit win over those of all. */
  at(unit: number, table: RegisterTable, address: number): readonly Entry[] {
    const found = this.#entries.get(`${table} ${address}`);
    if (found === undefined) {
      return [];
    }
    const own = found.filter(({ register }) => register.device === unit);
    return own.length > 0 ? own : found.filter(({ register }) => register.device === undefined);
  }
}

function fieldOf(register: DecoderRegister): Entry['field'] {
  const { name, title, type, order, unit, values, flags, address } = register;
  const length = registersOf(register) * BYTES;
  const scaling = scalingOf(register);
  const place = length === BYTES ? String(address) : `${address}–${address + length / BYTES - 1}`;
  if (type === 'text') {
    return (bytes, at) => ({
      name,
      ...(title !== undefined && { title }),
      value: textOf(bytes.subarray(at, at + length)),
      from: at,
      to: at + length,
      place,
    });
  }
  const read = numberReader(isNumber(type) ? type : 'u16', order);
  const namesOf = flags === undefined ? null : flagNamer(flags);
  return (bytes, at) => {
    const raw = read(bytes, at);
    const named = namesOf === null ? values?.[String(raw)] : namesOf(raw);
    return {
      name,
      ...(title !== undefined && { title }),
      value: scaling === null ? raw : scaling.apply(raw),
      ...(named !== undefined && { named }),
      ...(unit !== undefined && unit !== '' && { unit }),
      from: at,
      to: at + length,
      raw,
      ...(scaling !== null ? { how: scaling.how } : flags !== undefined && { how: bitsText(raw) }),
      place,
    };
  };
}

/** Returns the bits that are set: `bits 0 and 1`. */
function bitsText(raw: number | bigint): string {
  const set = Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => ((BigInt(raw) >> BigInt(bit)) & 1n) === 1n);
  if (set.length < 2) {
    return set.length === 0 ? 'no bit' : `bit ${set[0]}`;
  }
  return `bits ${set.slice(0, -1).join(', ')} and ${set.at(-1)}`;
}

/** One way to read a number. */
export interface OrderedNumber {
  readonly address: number;
  readonly order: 'abcd' | 'cdab' | 'badc' | 'dcba';
  readonly value: number | bigint;
}

const orders = ['abcd', 'cdab', 'badc', 'dcba'] as const satisfies readonly ByteOrder[];

/**
 * Returns a number in all four orders, at its address and at both neighbours, as far as the registers are there. Devices
 * count from 0 or from 1 and order words both ways, so a person compares and picks.
 *
 * @param registers Bytes of consecutive registers.
 * @param first Address of the first of them.
 */
export function numbersInAllOrders(
  registers: Uint8Array,
  first: number,
  address: number,
  type: Exclude<NumberType, 'u8' | 'i8' | 'u24' | 'i24'>,
): OrderedNumber[] {
  const size = numberSizes[type];
  return [address, address - 1, address + 1].flatMap((one) => {
    const at = (one - first) * BYTES;
    const isThere = at >= 0 && at + size <= registers.length;
    return isThere
      ? orders.map((order) => ({ address: one, order, value: numberReader(type, order)(registers, at) }))
      : [];
  });
}
