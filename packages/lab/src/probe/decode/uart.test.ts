import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUart, type UartFormat } from '../index.ts';
import { WaveDrawing } from '../testing/waves.ts';

const format: UartFormat = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 };
const bit = 1e9 / 115_200;

/** Draws levels bit by bit, with an idle line before and after. */
function line(bits: string, width = bit) {
  const drawing = new WaveDrawing(true);
  let at = 20_000;
  for (const level of bits) {
    drawing.set(level === '1', at);
    at += width;
  }
  drawing.set(true, at);
  return drawing.wave(at + 200_000);
}

const character = (value: number) => `0${value.toString(2).padStart(8, '0').split('').toReversed().join('')}1`;

describe('UART from levels', () => {
  it('reads characters that follow each other at once', () => {
    const items = decodeUart(line([...'OK\r\n'].map((text) => character(text.charCodeAt(0))).join('')), format);
    expect(String.fromCharCode(...items.map(({ value }) => value))).toBe('OK\r\n');
    expect(items.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('reads any bytes at a rate that is three per cent off', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { maxLength: 12 }), fc.constantFrom(0.97, 1, 1.03), (bytes, factor) => {
        const wave = line(bytes.map(character).join(''), bit * factor);
        expect(decodeUart(wave, format).map(({ value }) => value)).toEqual(bytes);
      }),
    );
  });

  it('reports a stop bit that is not there', () => {
    expect(decodeUart(line('0101000000111'), format)[0]).toMatchObject({ value: 0x05, errors: ['framing'] });
  });

  it('distinguishes a break from a framing error', () => {
    expect(decodeUart(line('0'.repeat(14)), format)).toMatchObject([{ value: 0, errors: ['break'] }]);
  });

  it.each([
    ['even', '01010000001', []],
    ['odd', '01010000001', ['parity']],
    ['odd', '01010000011', []],
  ] as const)('checks %s parity of %s', (parity, bits, errors) => {
    expect(decodeUart(line(bits), { ...format, parity })).toMatchObject([{ value: 0x05, errors }]);
  });

  it('reads an inverted line', () => {
    const wave = line(character(0x55));
    const inverted = { ...wave, isHighAtFirst: false };
    expect(decodeUart(inverted, { ...format, isInverted: true })).toMatchObject([{ value: 0x55, errors: [] }]);
  });

  it('takes no glitch for a start bit', () => {
    const drawing = new WaveDrawing(true);
    drawing.set(false, 1_000);
    drawing.set(true, 1_000 + bit / 4);
    expect(decodeUart(drawing.wave(1_000_000), format)).toEqual([]);
  });

  it('leaves out a character that the end of the capture cuts off', () => {
    const { edges } = line(character(0x41));
    expect(decodeUart({ isHighAtFirst: true, edges, end: 20_000 + 6 * bit }, format)).toEqual([]);
  });
});
