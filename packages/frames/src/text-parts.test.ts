import { describe, expect, it } from 'vitest';
import { partsOf, readNumber, separatorsOf } from './text-parts.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function parts(text: string, separators: string, hasLines = false): string[] {
  const { starts, ends } = partsOf(bytesOf(text), separatorsOf(separators, hasLines));
  return starts.map((start, index) => text.slice(start, ends[index]));
}

function number(text: string): readonly [number | bigint, string] | null {
  const bytes = bytesOf(text);
  const found = readNumber(bytes, 0, bytes.length);
  return found === null ? null : [found.value, new TextDecoder().decode(bytes.subarray(found.unitFrom, found.unitTo))];
}

describe('parts of a text', () => {
  it.each([
    ['marks keep empty parts', 'a,,b,', ',', ['a', '', 'b', '']],
    ['tabs are marks', 'a\t\tb', '\t', ['a', '', 'b']],
    ['runs of blanks are one separator', '  a   b ', ' ', ['a', 'b']],
    ['blanks around a mark are part of it', 'a , b ,, c', ', ', ['a', 'b', '', 'c']],
    ['several marks', '1-0:1.8.1(07*kWh)', '()*', ['1-0:1.8.1', '07', 'kWh', '']],
    ['a text without separators is one part', 'abc', ',', ['abc']],
    ['an empty text is an empty part', '', ',', ['']],
  ])('%s', (_name, text, separators, expected) => {
    expect(parts(text, separators)).toEqual(expected);
  });

  it('ends parts at line ends of a block', () => {
    expect(parts('a\tb\r\nc\td\r\n', '\t', true)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('number in text', () => {
  it.each([
    ['+  12.345kg', 12.345, 'kg'],
    ['-  34.151kg', -34.151, 'kg'],
    ['+00123.45  g', 123.45, 'g'],
    ['01613.056*m3', 1613.056, 'm3'],
    ['28.3%', 28.3, '%'],
    ['23.51 °C', 23.51, '°C'],
    ['+1.2E-03', 0.0012, ''],
    ['-9.44145213E-04', -0.000944145213, ''],
    ['0001', 1, ''],
    ['-0.000', 0, ''],
    ['.5', 0.5, ''],
    ['0.1', 0.1, ''],
    ['1234567.12345678', 1234567.12345678, ''],
    ['9007199254740993', 9007199254740993n, ''],
    ['-18446744073709551615', -18446744073709551615n, ''],
    ['5Hz', 5, 'Hz'],
    ['3.2 m/s', 3.2, 'm/s'],
  ])('%j is %d %s', (text, value, unit) => {
    expect(number(text)).toEqual([value, unit]);
  });

  it.each([
    'OL',
    '+',
    '?',
    'W:?',
    '12.',
    '',
    ' ',
    '1,5',
    '10:30',
    '2026-01-02',
    '1.2.3',
    '0xA060',
    '45.00/60',
    '--1',
    '1 2',
    '5*',
    'e5',
    '12 V DC',
  ])('%j is not a number', (text) => {
    expect(number(text)).toBeNull();
  });

  it('reads the decimals of any double as the language does', () => {
    for (const text of [
      '1e22',
      '1e-22',
      '123456789012345e-10',
      '1.7976931348623157e308',
      '5e-324',
      '0.30000000000000004',
    ]) {
      expect(number(text)?.[0]).toBe(Number(text));
    }
  });
});
