/** The registers of bytes in an opened Modbus frame. */
import type { RegisterTable } from '@wirebench/contract/decoders';
import type { TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import type { ByteRange } from '../name-bytes/decoder-draft.ts';

export interface RegisterPlace {
  readonly unit: number;
  readonly table: RegisterTable;
  readonly address: number;
}

/** Functions that have values, with their table (MODBUS Application Protocol Specification V1.1b3, section 6). */
const tables: Readonly<Record<number, RegisterTable>> = {
  1: 'coil',
  2: 'discrete',
  3: 'holding',
  4: 'input',
  5: 'coil',
  6: 'holding',
  15: 'coil',
  16: 'holding',
  23: 'holding',
};

/** Returns the register in which selected bytes begin; null: they are another part of the frame, or its question is not known. */
export function registersAt({ content, fields }: TriedFrame, { from }: ByteRange): RegisterPlace | null {
  const [unit = 0, code = 0] = content;
  const table = tables[code];
  const field = fields.find((one) => /^\d+(–\d+)?$/.test(one.place) && from >= one.from && from < one.to);
  return table === undefined || field === undefined ? null : { unit, table, address: Number.parseInt(field.place, 10) };
}
