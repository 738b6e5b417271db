import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { NumberLine } from './number-line.ts';

/** What is found in a line: `name=value`, a value for a column, or an empty column. */
function found(text: string): string[] {
  const bytes = utf8(`x:9 ${text} y:9`);
  const from = 4;
  const to = bytes.length - 4;
  const line = new NumberLine();
  line.read(bytes, from, to);
  return Array.from({ length: line.count }, (_, index) => {
    const value = Number.isNaN(line.values[index]) ? '-' : `${line.values[index]}`;
    const name = new TextDecoder().decode(bytes.subarray(line.nameStarts[index], line.nameEnds[index]));
    return line.labelled ? `${name}=${value}` : value;
  });
}

const numbers = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99_999, max: 99_999 }).map((hundredths) => hundredths / 100),
);
const names = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.]{0,12}$/).filter((name) => !/^[eE]\d/.test(name));

describe('numbers in a line', () => {
  it('are found behind their names, whatever stands between them', () => {
    const pairs = fc.array(
      fc.tuple(
        names,
        fc.constantFrom(':', '=', ': ', ' = ', ' :'),
        numbers,
        fc.constantFrom('', ' C', '%', ' °C', ' m/s2', 'rpm'),
        fc.constantFrom(' ', ',', ', ', '\t', ' | ', '; '),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(pairs, (all) => {
        const text = all.map((parts) => parts.join('')).join('');
        expect(found(text)).toEqual(all.map(([name, , value]) => `${name}=${Number(`${value}`) + 0}`));
      }),
      { numRuns: 500 },
    );
  });

  it('are found as columns, however they are separated', () => {
    const columns = fc.array(numbers, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(columns, fc.constantFrom(',', ', ', ';', '\t', ' ', '   '), (all, separator) => {
        expect(found(all.join(separator))).toEqual(all.map((value) => `${Number(`${value}`) + 0}`));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['temperature:22.51 humidity:43.0 pressure:1013.2', ['temperature=22.51', 'humidity=43', 'pressure=1013.2']],
    ['\x1b[0;32mI (1259) bme280: 23.41 °C  46.8 %RH  968.2 hPa\x1b[0m', ['23.41', '46.8', '968.2']],
    // A sequence that is no colour, and an m in the name behind it.
    ['\x1b[Ktemp: 21.5', ['temp=21.5']],
    ['\x1b[2K\x1b[1Ghum: 46', ['hum=46']],
    ['\x1b[32mtemp\x1b[0m: \x1b[1;33m21.5\x1b[0m C, \x1b[36mhum\x1b[0m=46\x1b[K', ['temp=21.5', 'hum=46']],
    ['\x1b[32m1.5\x1b[0m,\x1b[33m2\x1b[0m', ['1.5', '2']],
    ['I (8) adc: raw=1203, mv = 911', ['raw=1203', 'mv=911']],
    ['{"temp":23.4,"hum": 46}', ['temp=23.4', 'hum=46']],
    ['{ "a" : 1, "list": [2, 3] }', ['a=1']],
    ['I (516) wifi: driver task: 3fcb2e44, prio:23, stack:6656, core=0', ['prio=23', 'stack=6656', 'core=0']],
    ['1023', ['1023']],
    ['[1, 2.5, -3e2]', ['1', '2.5', '-300']],
    ['1,,3', ['1', '-', '3']],
    ['  +.5 ; -0.25', ['0.5', '-0.25']],
    ['12 rpm\t3.3 V', ['12', '3.3']],
    ['Größe: 3 µs', ['Größe=3']],
    ['ssid=bench rssi=-58', ['rssi=-58']],
    ['a:1 b=2', ['a=1', 'b=2']],
    ['v=12345678901234567890', ['v=12345678901234567000']],
  ])('are %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    '',
    'no saved channel, scanning 1-13',
    'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    'mode : sta (7c:df:a1:e0:4b:3c)',
    '$GNGGA,141207.00,4739.61827,N,00917.40312,E,1,17*43',
    '12:34:56.789 -> ready',
    '2026-11-20T12:30:05 started',
    '192.168.1.17',
    '3 apples fell from 2 trees',
    'C:\\temp',
    'load:nan other:inf',
    ',',
    'time,temp,hum',
    '1.2.3',
    ':5 =7',
  ])('are none in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('are looked for within the line only', () => {
    const line = new NumberLine();
    const bytes = utf8('a:12');
    line.read(bytes, 0, 3);
    expect([line.count, line.values[0]]).toEqual([1, 1]);
    line.read(bytes, 0, 2);
    expect(line.count).toBe(0);
  });

  it('keep the tag of a log line, for columns that have no name of their own', () => {
    const line = new NumberLine();
    const bytes = utf8('I (12) bme280: 23.4');
    line.read(bytes, 0, bytes.length);
    expect(new TextDecoder().decode(bytes.subarray(line.tagStart, line.tagEnd))).toBe('bme280');
    line.read(utf8('23.4'), 0, 4);
    expect(line.tagEnd).toBe(0);
  });

  it('are read from any bytes without a fault', () => {
    const soup = fc.array(fc.constantFrom(...'a1:=,. -+eE"\t;x0\x1b[m°'), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        expect(found(text).join()).not.toContain('NaN');
      }),
      { numRuns: 1_000 },
    );
  });
});
