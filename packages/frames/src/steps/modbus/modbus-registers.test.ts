/**
 * The table of registers. Limits and functions: MODBUS Application Protocol Specification V1.1b3, sections 6.1 to 6.5; floats:
 * IEEE 754, calculated with struct of Python 3.
 */
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft, DecoderRegister } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../frame-types.ts';
import { Overview } from '../../overview.ts';
import { bytesOf, type Chunk, readChunks } from '../../testing/golden-cases.ts';
import { modbusFrame as frame } from '../../testing/modbus-frames.ts';
import { tableRequest } from './modbus-requests.ts';
import { planReads, type RegisterRead } from './read-plan.ts';
import { addressText, numberText, orderLines, readRow, registerRows, rowValue } from './register-rows.ts';

const chunk = (at: number, bytes: Uint8Array, direction: Direction = 'received'): Chunk => ({ at, direction, bytes });

/** Reads frames, and returns the book of their registers. */
function bookOf(chunks: readonly Chunk[], more: Partial<DecoderDraft> = {}) {
  const { pieces } = readChunks([{ ...libraryDecoders.modbus, ...more }], chunks, { answerLimit: 200, byteTime: 1 });
  const overview = new Overview();
  for (const [index, { decoded, link }] of pieces.entries()) {
    const one = chunks[index] as Chunk;
    overview.add(decoded, { ...link, isSent: one.direction === 'sent' }, one.bytes, one.at);
  }
  return overview.registers;
}

const read: readonly Chunk[] = [
  chunk(100, frame('15 04 00 00 00 04')),
  chunk(120, frame('15 04 08 21 57 42 35 C8 61 00 02')),
];

const entry = (register: Partial<DecoderRegister>): DecoderRegister =>
  completeDecoder({
    ...libraryDecoders.modbus,
    registers: [{ name: 'Total_power', title: 'Total power', device: 21, table: 'input', address: 0, ...register }],
  }).registers[0] as DecoderRegister;

describe('book of observed registers', () => {
  it('has the newest value of each register of an answer, with its time', () => {
    const later = [chunk(900, frame('15 04 00 02 00 01')), chunk(920, frame('15 04 02 C8 62'))];
    expect(bookOf([...read, ...later]).registers).toEqual([
      { unit: 21, table: 'input', address: 0, raw: 0x2157, at: 120 },
      { unit: 21, table: 'input', address: 1, raw: 0x4235, at: 120 },
      { unit: 21, table: 'input', address: 2, raw: 0xc862, at: 920 },
      { unit: 21, table: 'input', address: 3, raw: 2, at: 120 },
    ]);
  });

  it('has the same values while entries of the decoder take several registers', () => {
    const named = bookOf(read, {
      registers: [{ name: 'power', device: 21, table: 'input', address: 0, type: 'f32', order: 'cdab' }],
    });
    expect(named.registers).toEqual(bookOf(read).registers);
  });

  it('has coils of an answer, and one that was written when the device confirms it', () => {
    // V1.1b3, section 6.1: coils 20 to 38 are CD 6B 05. Section 6.5: coil 173 is on.
    const coils = bookOf([
      chunk(0, frame('0C 01 00 13 00 13')),
      chunk(20, frame('0C 01 03 CD 6B 05')),
      chunk(300, frame('0C 05 00 AC FF 00')),
      chunk(320, frame('0C 05 00 AC FF 00')),
    ]).registers;
    expect(coils).toHaveLength(20);
    expect(coils.slice(0, 8).map(({ address, raw }) => [address, raw])).toEqual([
      [19, 1],
      [20, 0],
      [21, 1],
      [22, 1],
      [23, 0],
      [24, 0],
      [25, 1],
      [26, 1],
    ]);
    expect(coils.at(-1)).toEqual({ unit: 12, table: 'coil', address: 172, raw: 1, at: 320 });
  });

  it('takes nothing from a question, an exception, or an answer without its question', () => {
    const book = bookOf([
      chunk(0, frame('07 03 00 00 00 04')),
      chunk(20, frame('07 83 02')),
      chunk(900, frame('07 03 02 00 01')),
    ]);
    expect(book.registers).toEqual([]);
  });

  it('tells the questions of another master from those that this side sent', () => {
    expect(bookOf(read).other).toEqual({ unit: 21, at: 100 });
    const own = [chunk(100, frame('15 04 00 00 00 01'), 'sent'), chunk(120, frame('15 04 02 00 01'))];
    expect(bookOf(own).other).toBeNull();
  });

  it('names a unit by its identification', () => {
    // V1.1b3, section 6.21: vendor, product code and revision.
    const answer = '07 2B 0E 01 01 00 00 03 00 02 41 42 01 04 50 75 6D 70 02 02 56 31';
    expect(bookOf([chunk(0, frame('07 2B 0E 01 00')), chunk(20, frame(answer))]).names).toEqual([[7, 'Pump']]);
  });
});

describe('rows of registers', () => {
  const seen = bookOf(read).registers;

  it('are one for each register, and one for all that an entry takes', () => {
    const [plain] = registerRows(seen, []);
    expect(plain?.rows.map(addressText)).toEqual(['0', '1', '2', '3']);
    expect(plain?.rows.map(rowValue)).toEqual(['8\u2009535', '16\u2009949', '51\u2009297', '2']);
    expect(plain?.rows[0]?.series).toBe('21 input.0');
    const [named] = registerRows(seen, [entry({ type: 'f32', order: 'cdab', unit: 'kW' })]);
    expect(named?.rows.map(addressText)).toEqual(['0–1', '2', '3']);
    expect(named?.rows.map(rowValue)[0]).toBe('45.28256');
    expect(named?.rows[0]).toMatchObject({ series: '21 Total power', at: 120 });
    expect(readRow(named?.rows[0] as never)).toMatchObject({ unit: 'kW', title: 'Total power' });
  });

  it('have no value where an entry was not observed', () => {
    const [group] = registerRows(seen, [entry({ address: 10, type: 'f32' })]);
    expect(group?.rows.map((row) => [addressText(row), rowValue(row)]).at(-1)).toEqual(['10–11', '']);
    expect(registerRows([], [entry({})]).map(({ unit, rows }) => [unit, rows.length])).toEqual([[21, 1]]);
    expect(registerRows([], [{ ...entry({}), device: undefined }])).toEqual([]);
  });

  it('have entries for all units in each unit, behind those of the unit', () => {
    const { device: _, ...all } = entry({ name: 'any', title: 'Any' });
    const [both] = registerRows(seen, [all, entry({})]);
    expect(both?.rows[0]?.series).toBe('21 Total power');
    expect(registerRows(seen, [all])[0]?.rows[0]?.series).toBe('21 Any');
  });

  it('show flags as digits of bits, coils as on and off, and named values by their names', () => {
    const value = (raw: number, register: DecoderRegister) =>
      rowValue(
        registerRows([{ unit: 21, table: register.table, address: 0, raw, at: 0 }], [register])[0]?.rows[0] as never,
      );
    expect(value(3, entry({ type: 'bits' }))).toBe('0011');
    expect(value(0x1f, entry({ type: 'bits' }))).toBe('00011111');
    expect(value(1, entry({ table: 'coil' }))).toBe('on');
    expect(value(1, entry({ table: 'coil', values: { 0: 'closed', 1: 'open' } }))).toBe('open');
    expect(value(2, entry({ values: { 2: 'running' } }))).toBe('running');
    expect(value(250, entry({ scale: 0.1, offset: -5 }))).toBe('20');
  });

  it('write numbers with at most 7 digits of a fraction', () => {
    expect(
      [45.28255844116211, -230664.828125, 0.1, 1e-19, 1.77277e14, 5.5, 1234567890, -3].map((value) =>
        numberText(value),
      ),
    ).toEqual([
      '45.28256',
      '-230664.8',
      '0.1',
      '1.000e-19',
      '177\u2009277\u2009000\u2009000\u2009000',
      '5.5',
      '1\u2009234\u2009567\u2009890',
      '-3',
    ]);
    expect(numberText(2n ** 64n - 1n)).toBe('18\u2009446\u2009744\u2009073\u2009709\u2009551\u2009615');
    expect(numberText(Number.NaN)).toBe('NaN');
  });
});

describe('grid of orders', () => {
  const seen = bookOf(read).registers;
  const lines = (register: DecoderRegister | null, address: number, type: 'f32' | 'u16' | 'u32') => {
    const rows = registerRows(seen, register === null ? [] : [register])[0]?.rows ?? [];
    const row = rows.find((one) => one.address === address) as (typeof rows)[number];
    return orderLines(row, rows, type).map((line) => [
      line.address,
      ...line.readings.map(({ value }) => numberText(value, type === 'f32')),
    ]);
  };

  it('has the registers and two neighbours, each in all four orders', () => {
    // struct.unpack('>f', …) of 21 57 42 35 C8 61 00 02, with bytes and words swapped.
    expect(lines(entry({ type: 'f32', order: 'cdab' }), 0, 'f32')).toEqual([
      [0, '7.293e-19', '45.28256', '1.773e14', '7.240e-7'],
      [1, '45.44568', '-230664.8', '7.241e-7', '4.616e20'],
      [2, '-230400', '2.556e-40', '4.612e20', '9.432e-38'],
    ]);
  });

  it('has two orders for one register', () => {
    expect(lines(null, 2, 'u16')).toEqual([
      [1, '16\u2009949', '13\u2009634'],
      [2, '51\u2009297', '25\u2009032'],
      [3, '2', '512'],
    ]);
  });
});

describe('requests that read registers', () => {
  const one = (first: number, count = 1, unit = 7, table: RegisterRead['table'] = 'holding'): RegisterRead => ({
    unit,
    table,
    first,
    count,
  });

  it('are one for neighbours, in any order, also for those that overlap', () => {
    expect(planReads([one(3), one(0, 2), one(2), one(1)])).toEqual([one(0, 4)]);
  });

  it('end at a gap, and are apart for each unit and table', () => {
    expect(planReads([one(0, 2), one(4), one(2, 1, 21), one(2, 1, 7, 'input')])).toEqual([
      one(0, 2),
      one(4),
      one(2, 1, 21),
      one(2, 1, 7, 'input'),
    ]);
  });

  it('have at most 125 registers or 2,000 bits, and divide no number', () => {
    const registers = Array.from({ length: 126 }, (_, at) => one(at));
    expect(planReads(registers)).toEqual([one(0, 125), one(125)]);
    const pairs = Array.from({ length: 63 }, (_, at) => one(2 * at, 2));
    expect(planReads(pairs)).toEqual([one(0, 124), one(124, 2)]);
    const coils = Array.from({ length: 2_001 }, (_, at) => one(at, 1, 12, 'coil'));
    expect(planReads(coils)).toEqual([one(0, 2_000, 12, 'coil'), one(2_000, 1, 12, 'coil')]);
  });

  it('are not made for a broadcast or a reserved unit', () => {
    expect(planReads([one(0, 1, 0), one(0, 1, 248), one(0, 1, 247)])).toEqual([one(0, 1, 247)]);
  });

  it('are the bytes of the specification', () => {
    // Sections 6.1 and 6.3: coils 20 to 38, holding registers 108 to 110.
    expect(tableRequest(one(19, 19, 17, 'coil')).request.subarray(1, 6)).toEqual(bytesOf('01 00 13 00 13'));
    expect(tableRequest(one(19, 19, 17, 'coil')).answerBytes).toBe(5 + 3);
    expect(tableRequest(one(107, 3, 17)).request.subarray(1, 6)).toEqual(bytesOf('03 00 6B 00 03'));
    expect(tableRequest(one(107, 3, 17)).answerBytes).toBe(5 + 6);
    expect(tableRequest(one(0, 1, 17, 'discrete')).request[1]).toBe(2);
    expect(tableRequest(one(0, 1, 17, 'input')).request[1]).toBe(4);
  });
});
