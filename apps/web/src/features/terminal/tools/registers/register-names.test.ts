import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderContent } from '@wirebench/contract/decoders';
import { type RegisterRow, registerRows, type SeenRegister } from '@wirebench/frames/modbus-registers';
import { describe, expect, it } from 'vitest';
import type { TriedField, TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import { readAsText } from './read-as.ts';
import {
  entryOf,
  isTaken,
  namedCount,
  nameOf,
  registersAt,
  roomFrom,
  typesFor,
  withMeaning,
  withName,
  withReading,
  withType,
} from './register-names.ts';

const empty = completeDecoder(libraryDecoders.modbus);
const seen: readonly SeenRegister[] = [0x2157, 0x4235, 0xc861, 2].map((raw, address) => ({
  unit: 21,
  table: 'input',
  address,
  raw,
  at: 0,
}));

const rowsOf = (draft: DecoderContent) => registerRows(seen, draft.registers)[0]?.rows ?? [];
const rowAt = (draft: DecoderContent, address: number) =>
  rowsOf(draft).find((row) => row.address === address) as RegisterRow;

describe('a row that gets a name', () => {
  const named = withName(empty, rowAt(empty, 0), ' Total  power ');

  it('keeps its spaces, and has a name for Find', () => {
    expect(named.registers).toEqual([
      {
        name: 'Total_power',
        title: 'Total power',
        device: 21,
        table: 'input',
        address: 0,
        type: 'u16',
        order: 'big',
        length: 1,
      },
    ]);
    expect(checkDecoder(JSON.stringify(named)).faults).toEqual([]);
    expect(nameOf(rowAt(named, 0))).toBe('Total power');
    expect(namedCount(named)).toBe(1);
  });

  it('keeps letters that Find does not take', () => {
    const other = withName(empty, rowAt(empty, 2), '电压');
    expect(other.registers[0]).toMatchObject({ name: 'input_2', title: '电压' });
    expect(nameOf(rowAt(other, 2))).toBe('电压');
    expect(namedCount(other)).toBe(1);
  });

  it('is a row without an entry again when its name is removed', () => {
    expect(withName(named, rowAt(named, 0), '').registers).toEqual([]);
    const typed = withType(named, rowAt(named, 0), 'f32');
    expect(withName(typed, rowAt(typed, 0), '').registers).toMatchObject([{ name: 'input_0', type: 'f32' }]);
    expect(namedCount(withName(typed, rowAt(typed, 0), ''))).toBe(0);
  });

  it('cannot have the name of another row of its unit', () => {
    expect(isTaken(named, rowAt(named, 2), 'total power')).toBe(false);
    expect(isTaken(named, rowAt(named, 2), 'Total power')).toBe(true);
    expect(isTaken(named, rowAt(named, 2), 'Total_power')).toBe(true);
    expect(isTaken(named, rowAt(named, 0), 'Total power')).toBe(false);
  });
});

describe('a row that is read as another type', () => {
  it('takes as many registers as the type has, and offers those that fit', () => {
    const draft = withType(empty, rowAt(empty, 0), 'f32');
    expect(rowsOf(draft).map(({ address, count }) => [address, count])).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
    ]);
    expect(typesFor(rowAt(draft, 0), roomFrom(0, rowsOf(draft)))).toContain('f64');
    expect(typesFor(rowAt(draft, 3), roomFrom(3, rowsOf(draft)))).toEqual(['u16', 'i16', 'bits']);
  });

  it('keeps its order where the size stays, and says it', () => {
    const float = withType(empty, rowAt(empty, 0), 'f32');
    const swapped = withReading(float, rowAt(float, 0), { address: 0, order: 'cdab' });
    expect(readAsText(entryOf(rowAt(swapped, 0)))).toBe('f32 CDAB');
    const whole = withType(swapped, rowAt(swapped, 0), 'u32');
    expect(readAsText(entryOf(rowAt(whole, 0)))).toBe('u32 CDAB');
    const single = withType(whole, rowAt(whole, 0), 'i16');
    expect(readAsText(entryOf(rowAt(single, 0)))).toBe('i16');
    expect(single.registers[0]).toMatchObject({ type: 'i16', order: 'big' });
  });

  it('moves with its name to the registers of another reading', () => {
    const named = withName(empty, rowAt(empty, 0), 'Total power');
    const float = withType(named, rowAt(named, 0), 'f32');
    const moved = withReading(float, rowAt(float, 0), { address: 1, order: 'dcba' });
    expect(moved.registers).toMatchObject([{ title: 'Total power', address: 1, order: 'dcba', type: 'f32' }]);
    expect(rowsOf(moved).map(({ address, count }) => [address, count])).toEqual([
      [0, 1],
      [1, 2],
      [3, 1],
    ]);
  });

  it('has an order of its own for one register', () => {
    const draft = withReading(empty, rowAt(empty, 2), { address: 2, order: 'dcba' });
    expect(draft.registers).toMatchObject([{ name: 'input_2', order: 'little' }]);
    expect(readAsText(entryOf(rowAt(draft, 2)))).toBe('u16 BA');
  });

  it('is not changed by what has its usual value', () => {
    const draft = withMeaning(empty, rowAt(empty, 0), { unit: 'kW', scale: 0.1 });
    expect(draft.registers).toMatchObject([{ name: 'input_0', unit: 'kW', scale: 0.1 }]);
    expect(withMeaning(draft, rowAt(draft, 0), { unit: undefined, scale: undefined }).registers).toEqual([]);
  });
});

describe('the register of bytes in an opened frame', () => {
  const field = (name: string, from: number, place: string): TriedField => ({
    name,
    from,
    to: from + 2,
    text: '',
    place,
  });
  const frameOf = (content: readonly number[], fields: readonly TriedField[]): TriedFrame => ({
    at: 0,
    direction: 'received',
    isBroken: false,
    message: '',
    sentence: '',
    bytes: Uint8Array.from(content),
    content: Uint8Array.from(content),
    offsets: [...content.keys(), content.length],
    fields,
  });
  const answer = frameOf(
    [7, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4, 0xaa, 0xbb],
    [field('holding.100', 3, '100'), field('holding.101', 5, '101'), { ...field('flow', 7, '102–103'), to: 11 }],
  );

  it('is that in which they begin', () => {
    const at = (from: number) => registersAt(answer, { from, to: from + 2 });
    expect(at(5)).toEqual({ unit: 7, table: 'holding', address: 101 });
    expect(at(9)).toEqual({ unit: 7, table: 'holding', address: 102 });
    expect(at(0)).toBeNull();
    expect(at(11)).toBeNull();
    expect(registersAt(frameOf([7, 3, 2, 0, 1], []), { from: 3, to: 5 })).toBeNull();
  });
});
