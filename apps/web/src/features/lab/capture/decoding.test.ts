import type { Wave } from '@wirebench/lab/probe';
import { describe, expect, it } from 'vitest';
import { type Decoder, decoded } from './decoding.ts';

/** Returns a wave with one level for each step of 1 µs: `1` and `0`. */
function wave(levels: string): Wave {
  const edges = [...levels].flatMap((level, index) =>
    index > 0 && level !== levels[index - 1] ? [index * 1_000] : [],
  );
  return { isHighAtFirst: levels[0] === '1', edges, end: levels.length * 1_000 };
}

/** Returns the waves of SCL (22) and SDA (21) for conditions and bits: `S`, `P`, `0`, `1`. */
function i2cWaves(script: string) {
  const parts = { S: ['110', '100'], P: ['011', '001'], '0': ['010', '000'], '1': ['010', '111'] } as const;
  const steps = [...script.replaceAll(' ', '')].map((step) => parts[step as keyof typeof parts]);
  const line = (index: 0 | 1) => wave(`11${steps.map((part) => part[index]).join('')}`);
  return new Map([
    [22, line(0)],
    [21, line(1)],
  ]);
}

const bits = (value: number) => value.toString(2).padStart(8, '0');
const i2c: Decoder = { kind: 'i2c', sda: 21, scl: 22 };

describe('decoded lanes', () => {
  it('show an I2C transfer as the bus log does', () => {
    // Before a repeated start both lines go high again.
    const script = `S ${bits(0xec)}0 ${bits(0xd0)}0 P S ${bits(0xed)}0 ${bits(0x60)}1 P`;
    const { lines, rows } = decoded(i2c, i2cWaves(script));
    expect(lines.map(({ text }) => text)).toEqual(['0x76 W D0', '0x76 R 60']);
    expect(rows[0]?.boxes.map(({ text }) => text)).toEqual([
      'S',
      '76 W',
      'A',
      'D0',
      'A',
      'P',
      'S',
      '76 R',
      'A',
      '60',
      'N',
      'P',
    ]);
    expect(rows[0]?.boxes.filter(({ tone }) => tone === 'read').map(({ text }) => text)).toEqual(['60']);
  });

  it('show which byte was not acknowledged', () => {
    expect(decoded(i2c, i2cWaves(`S ${bits(0xec)}1 P`)).lines[0]?.text).toBe('0x76 W (no acknowledge)');
    expect(decoded(i2c, i2cWaves(`S ${bits(0xec)}0 ${bits(0x12)}1 P`)).lines[0]?.text).toBe(
      '0x76 W 12 (no acknowledge)',
    );
  });

  it('show a byte that the end of the capture cuts', () => {
    expect(decoded(i2c, i2cWaves(`S ${bits(0xec)}0 101`)).lines[0]?.text).toBe('0x76 W (3 bits of a byte)');
  });

  it('have a row and no lines for pins that were not captured', () => {
    expect(decoded(i2c, new Map())).toEqual({ rows: [{ name: 'I2C', port: 1, boxes: [] }], lines: [] });
  });

  it('show characters with their errors', () => {
    // 100 kBd: ten steps of 1 µs for each bit. “A”, then a character whose stop bit is low.
    const character = (text: string) => [...text].map((level) => level.repeat(10)).join('');
    const levels = `${'1'.repeat(30)}${character('0100000101')}${character('0100000100')}${'1'.repeat(60)}`;
    const uart: Decoder = { kind: 'uart', pin: 16, baudRate: 100_000, parity: 'none', dataBits: 8 };
    expect(decoded(uart, new Map([[16, wave(levels)]])).lines.map(({ text }) => text)).toEqual([
      '41 “A”',
      '41 “A” framing',
    ]);
  });

  it('show the words of one selection on one line, in both directions', () => {
    const clock = '01'.repeat(16);
    const waves = new Map([
      [18, wave(`00${clock}0000${clock.slice(0, 16)}00`)],
      [23, wave(`00${[...`${bits(0x9f)}${bits(0x00)}`].map((bit) => bit.repeat(2)).join('')}0000${'1'.repeat(16)}00`)],
      [5, wave(`10${'0'.repeat(32)}0110${'0'.repeat(16)}01`)],
    ]);
    const spi: Decoder = { kind: 'spi', clk: 18, mosi: 23, miso: null, cs: 5, mode: 0 };
    expect(decoded(spi, waves).lines.map(({ text }) => text)).toEqual(['9F 00 · R – –', 'FF · R –']);
  });
});
