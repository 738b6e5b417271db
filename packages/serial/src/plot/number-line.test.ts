import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { NumberLine } from './number-line.ts';

/**
 * Returns the readings of a line: `name=value`, only the value for a column, and `-` for a reading without a number.
 */
function found(text: string): string[] {
  const bytes = utf8(`x:9 ${text} y:9`);
  const from = 4;
  const to = bytes.length - 4;
  const line = new NumberLine();
  line.read(bytes, from, to);
  return Array.from({ length: line.count }, (_, index) => {
    const value = Number.isNaN(line.values[index]) ? '-' : `${line.values[index]}`;
    const name = new TextDecoder().decode(line.bytes.subarray(line.nameStarts[index], line.nameEnds[index]));
    const part = line.parts[index] === 0 ? '' : ` ${line.parts[index]}`;
    return line.labelled ? `${name}${part}=${value}` : value;
  });
}

const numbers = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99_999, max: 99_999 }).map((hundredths) => hundredths / 100),
);
/** Words that devices print in place of a number. */
const absent = fc.constantFrom(
  'nan',
  'NaN',
  '-nan',
  'inf',
  '-inf',
  'INF',
  'ovf',
  'null',
  'None',
  'n/a',
  '--',
  '---',
  '-',
  '?',
  'undefined',
);
/** A reading as printed, and as found. */
const readings = fc.oneof(
  { weight: 3, arbitrary: numbers.map((value) => ({ printed: `${value}`, value: `${Number(`${value}`) + 0}` })) },
  { weight: 1, arbitrary: absent.map((printed) => ({ printed, value: '-' })) },
);
const someNumber = (all: readonly { value: string }[]) => all.some(({ value }) => value !== '-');
const names = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.]{0,12}$/).filter((name) => !/^[eE]\d/.test(name));

describe('numbers in a line', () => {
  it('are found behind their names, with anything in between', () => {
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

  it('stay in their columns beside other text, with any separator', () => {
    const columns = fc.array(readings, { minLength: 1, maxLength: 8 }).filter(someNumber);
    fc.assert(
      fc.property(columns, fc.constantFrom(',', ', ', ';', '\t', ' ', '   '), (all, separator) => {
        expect(found(all.map(({ printed }) => printed).join(separator))).toEqual(all.map(({ value }) => value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('stay in their columns beside empty ones', () => {
    const columns = fc
      .array(fc.option(readings, { nil: { printed: '', value: '-' } }), { minLength: 2, maxLength: 8 })
      .filter((all) => someNumber(all) && all.at(-1)?.printed !== '');
    fc.assert(
      fc.property(columns, fc.constantFrom(',', ';', '\t', ', '), (all, separator) => {
        expect(found(all.map(({ printed }) => printed).join(separator))).toEqual(all.map(({ value }) => value));
      }),
      { numRuns: 500 },
    );
  });

  it('stay with their names beside other text', () => {
    const pairs = fc
      .array(fc.tuple(names, readings), { minLength: 1, maxLength: 6 })
      .filter((all) => someNumber(all.map(([, one]) => one)));
    fc.assert(
      fc.property(
        pairs,
        fc.constantFrom(',', ' ', '\t', '; '),
        fc.constantFrom(':', ': ', '=', ':\t'),
        (all, separator, colon) => {
          const line = all.map(([name, { printed }]) => `${name}${colon}${printed}`).join(separator);
          expect(found(line)).toEqual(all.map(([name, { value }]) => `${name}=${value}`));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('have names with blanks, points, brackets and units', () => {
    const word = fc
      .stringMatching(/^[A-Z][a-z]{2,6}$/)
      .filter(
        (one) =>
          !/^(?:Nan|Inf|Ovf|Null|None|Err|Error|Deg|Rad|Bar|Psi|Rpm|Dps|Ppm|Ppb|Lux|Ohm|Bit|Bits|Dbm|Min)$/.test(one),
      );
    const name = fc
      .tuple(
        word,
        fc.constantFrom('', ' 1', ' 12', '.Pow', ' Left', '_x', '#2'),
        fc.constantFrom('', '(W)', ' [°C]', ' (m/s^2)'),
      )
      .map((parts) => parts.join(''));
    const pairs = fc.array(fc.tuple(name, fc.integer({ min: -999, max: 999 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pairs, fc.constantFrom(',', ', ', '\t', ';', ' | '), (all, separator) => {
        const line = all.map(([one, value]) => `${one}:${value}`).join(separator);
        expect(found(line)).toEqual(all.map(([one, value]) => `${one}=${value}`));
      }),
      { numRuns: 500 },
    );
  });

  it('have decimal commas where something else separates them', () => {
    const hundredths = fc.array(fc.tuple(fc.integer({ min: -99, max: 999 }), fc.integer({ min: 0, max: 99 })), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(hundredths, fc.constantFrom(';', '; ', '\t', ' '), fc.boolean(), (all, separator, named) => {
        const printed = all.map(([whole, part], index) => `${named ? `v${'abcdef'[index]}:` : ''}${whole},${part}`);
        expect(found(printed.join(separator))).toEqual(
          all.map(([whole, part], index) => `${named ? `v${'abcdef'[index]}=` : ''}${Number(`${whole}.${part}`)}`),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Variable 1:512,Variable 2:300', ['Variable 1=512', 'Variable 2=300']],
    ['Variable 1:512 Variable 2:300', ['Variable 1=512', 'Variable 2=300']],
    ['Variable 1:512\tVariable 2:300', ['Variable 1=512', 'Variable 2=300']],
    ['Ax left:5 Ax right:6', ['Ax left=5', 'Ax right=6']],
    ['Air temp:21.5 °C Air hum:40 %', ['Air temp=21.5', 'Air hum=40']],
    ['W.AvgPow(W):0.52,W.State:0.49W', ['W.AvgPow(W)=0.52', 'W.State=0.49']],
    ['temp [°C]: 21.5; accel (m/s^2): -9.81', ['temp [°C]=21.5', 'accel (m/s^2)=-9.81']],
    ['{"room temp":21.5,"hum":null}', ['room temp=21.5', 'hum=-']],
    ['Sample 7 temp: 21.5', ['temp=21.5']],
    ['count:5 times rate:3', ['count=5', 'rate=3']],
    ['status: sensor ok temp: 5', ['temp=5']],
    ['>temp:25.3§°C|g', ['temp=25.3']],
    ['temp:21.5,hum:', ['temp=21.5', 'hum=-']],
    ['temp:21.5 hum:', ['temp=21.5', 'hum=-']],
    ['temp=21.5;hum=', ['temp=21.5', 'hum=-']],
    ['temp: 21.5 C, hum: ', ['temp=21.5', 'hum=-']],
    ['temp:21.5|hum:|p:3', ['temp=21.5', 'hum=-', 'p=3']],
    ['{"temp":21.5,"hum":}', ['temp=21.5', 'hum=-']],
    ['/*12,3.5,7*/', ['12', '3.5', '7']],
    ['/*temp:12,hum:3.5*/', ['temp=12', 'hum=3.5']],
    ['$12,3.5,7;', ['12', '3.5', '7']],
    ['$12,3.5,7*5A', ['12', '3.5', '7']],
    ['<12,3.5,7>', ['12', '3.5', '7']],
    ['>temp:1627551892437:21.5', ['temp=21.5']],
    ['>temp:1627551892444:1;1627551892555:2.5;1627551892666:nan§rad', ['temp=1', 'temp=2.5', 'temp=-']],
    ['>temp:5|np', ['temp=5']],
    ['>temp:21.5 hum:40', ['temp=21.5', 'hum=40']],
    ['>:a message with temp=5', ['temp=5']],
    ['temp:- 5,hum:46', ['temp=-5', 'hum=46']],
    ['21,true', ['21', '-']],
    ['False;21;TRUE', ['-', '21', '-']],
    ['on:true,temp:21', ['on=-', 'temp=21']],
    ['{"on":false,"temp":21}', ['on=-', 'temp=21']],
    ['T 21.5, H 60', ['T=21.5', 'H=60']],
    ['T 21.5 C; Rel hum 60 %;', ['T=21.5', 'Rel hum=60']],
    ['T -3\tH nan\tok true', ['T=-3', 'H=-', 'ok=-']],
    ['I (8) dht: T 21.5, H 60', ['T=21.5', 'H=60']],
    ['acc: 12, 29, 100157', ['acc 1=12', 'acc 2=29', 'acc 3=100157']],
    ['acc: 1, 2, 3 gyro: 4; 5; 6', ['acc 1=1', 'acc 2=2', 'acc 3=3', 'gyro 1=4', 'gyro 2=5', 'gyro 3=6']],
    ['acc:1,2,3,temp=21 C', ['acc 1=1', 'acc 2=2', 'acc 3=3', 'temp=21']],
    ['acc = 1 mg, nan mg, -3 mg | t: 4', ['acc 1=1', 'acc 2=-', 'acc 3=-3', 't=4']],
    ['{"a": 1, "2": 3, "error": 4}', ['a=1', '2=3', 'error=4']],
    ['found: 3, 5 items more', ['found=3']],
    ['heap: 1,024,000', ['heap=1']],
    ['1.5, - 5, 3', ['1.5', '-5', '3']],
    ['12:00:01,21.5,46', ['-', '21.5', '46']],
    ['12:00:01.250 -> 21.5,46', ['21.5', '46']],
    ['12:00:01 temp:21.5', ['temp=21.5']],
    ['[12:00:01.250] 21.5\t46', ['21.5', '46']],
    ['2026-11-20 12:00:01;21.5;46', ['-', '21.5', '46']],
    ['2026-11-20T12:00:01.250 temp=21.5', ['temp=21.5']],
    ['2025-10-31-18:35:45;42.8;19.7', ['-', '42.8', '19.7']],
    ['2026/11/20 12:00:01 21.5\t46', ['21.5', '46']],
    ['[2026.11.20 12:00:01] temp=21.5', ['temp=21.5']],
    ['temp:,hum:46', ['temp=-', 'hum=46']],
    ['temp:nan C hum:46 %', ['temp=-', 'hum=46']],
    ['1.5 nan 2.5', ['1.5', '-', '2.5']],
    ['1.5,nan,2.5', ['1.5', '-', '2.5']],
    ['nan 1.5', ['-', '1.5']],
    ['-- C  46.8 %RH', ['-', '46.8']],
    ['1,2,', ['1', '2']],
    ['25,25;63,3', ['25.25', '63.3']],
    ['25,25 °C;63 %', ['25.25', '63']],
    ['temp: 22,51 C', ['temp=22.51']],
    ['heap: 1,024 bytes', ['heap=1']],
    ['1,2;3', ['1.2', '3']],
    ['1.5,2;3,4', ['1.5', '2', '3', '4']],
    ['1,2,3;4', ['1', '2', '3', '4']],
    ['temperature:22.51 humidity:43.0 pressure:1013.2', ['temperature=22.51', 'humidity=43', 'pressure=1013.2']],
    ['\x1b[0;32mI (1259) bme280: 23.41 °C  46.8 %RH  968.2 hPa\x1b[0m', ['23.41', '46.8', '968.2']],
    // A sequence that is not a colour, and an m in the name behind it.
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
    'T 21',
    'attempt 3, of many',
    'true,false',
    'at 0x3fc, len 0x20',
    'eth0 192.168.1.17, up 3',
    'C:\\temp',
    'load:nan other:inf',
    ',',
    'time,temp,hum',
    '1.2.3',
    ':5 =7',
    '>trajectory:12.3:45.67|xy,np',
    '>3D|cube:S:cube:P:1:1:1:W:2',
  ])('are not found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['nan', 1],
    ['nan,nan', 2],
    ['temp:nan hum:--', 2],
    ['-----', 0],
    ['nothing', 0],
    ['temp:', 1],
    ['1.5', 0],
  ])('have a gap at a missing value: %j', (text, gaps) => {
    const line = new NumberLine();
    line.read(utf8(text), 0, text.length);
    expect([line.count > 0, line.gapCount]).toEqual([text === '1.5', gaps]);
  });

  it.each([
    ['temp:21.5 °C, hum:46 %', true],
    ['I (1200) adc: voltage = 3.29 V', true],
    ['{"temp":23.4}', true],
    ['1,2,3', true],
    ['load:0x3fff0030,len:1184', false],
    ['segment 0: paddr=10020 vaddr=20 size=2f8h', false],
    ['mode:DIO, clock div:1', false],
    ['wifi rssi:-58', true],
    ['the value:5', true],
    ['temp:21.5,hum:', true],
    ['/*temp:12,hum:3.5*/', true],
    ['driver task: 3fcb2e44, prio:23', false],
    ['temp:21.5 measured', false],
  ])('are all that is in the line, or not: %j', (text, pure) => {
    const bytes = utf8(text);
    const line = new NumberLine();
    line.read(bytes, 0, bytes.length);
    expect(line.pure).toBe(pure);
  });

  it.each([
    ['>AccelX:1627551892437:0.42', [1_627_551_892_437]],
    ['>a:100:1;2;350.5:3|g ', [100, Number.NaN, 350.5]],
    ['>a:1', []],
    ['a:100:1', []],
  ])('have the times of the board that stand before them: %s', (text, times) => {
    const line = new NumberLine();
    const bytes = utf8(text);
    line.read(bytes, 0, bytes.length);
    expect(line.hasTimes).toBe(times.length > 0);
    expect(line.hasTimes ? [...line.times.slice(0, line.count)] : []).toEqual(times);
  });

  it('are up to 32 of one name in a line, and more are said', () => {
    const line = new NumberLine();
    const bytes = utf8(`>a:${Array.from({ length: 300 }, (_, index) => `${index}:${index}`).join(';')}`);
    line.read(bytes, 0, bytes.length);
    expect([line.count, line.isCut]).toEqual([256, true]);
  });

  it('are the samples that a Teleplot client wrote', () => {
    const number = fc.oneof(
      fc.integer({ min: -99_999, max: 99_999 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const sample = fc.record({ time: fc.option(fc.nat({ max: 2_000_000_000 })), value: number });
    const samples = fc.array(sample, { minLength: 1, maxLength: 32 });
    const tail = fc.constantFrom('', '|', '|g', '§km/h', '§m/s²|g', '|np');
    fc.assert(
      fc.property(samples, tail, (all, end) => {
        const written = all.map(({ time, value }) => (time === null ? `${value}` : `${time}:${value}`)).join(';');
        const bytes = utf8(`>Motor 1.speed:${written}${end}`);
        const line = new NumberLine();
        line.read(bytes, 0, bytes.length);
        const times = Array.from({ length: line.count }, (_, index) => line.times[index]);
        expect([...line.values.slice(0, line.count)]).toEqual(all.map(({ value }) => Number(`${value}`)));
        expect(times).toEqual(all.map(({ time }) => time ?? Number.NaN));
      }),
      { numRuns: 500 },
    );
  });

  it('are looked for within the line only', () => {
    const line = new NumberLine();
    const bytes = utf8('a:12');
    line.read(bytes, 0, 3);
    expect([line.count, line.values[0]]).toEqual([1, 1]);
    line.read(bytes, 0, 2);
    expect(line.count).toBe(0);
  });

  it.each([
    ['21,true', 'true'],
    ['21,5', ''],
    ['FALSE 21', 'FALSE'],
    ['on: True, temp: 21', 'True'],
    ['T 21, ok false', 'false'],
    ['acc: 1, 2, true', 'true'],
    ['heap: 1,024 bytes', '024'],
    ['\x1b[32mheap: 1,024,000\x1b[0m', '024,000'],
    ['acc: 1, 2, 3', ''],
    ['1,nan', ''],
  ])('leave out of %j what is said: %j', (text, leftOut) => {
    const bytes = utf8(`x:9 ${text} y:9`);
    const line = new NumberLine();
    line.read(bytes, 4, bytes.length - 4);
    expect(new TextDecoder().decode(line.bytes.subarray(line.leftOutStart, line.leftOutEnd))).toBe(leftOut);
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

describe('a line behind others', () => {
  it('is read as if alone, after any names and units', () => {
    const piece = fc.constantFrom(
      ...[
        'temp',
        'hum',
        'a',
        'Sample 7',
        ':',
        '=',
        ': ',
        ' = ',
        '21.5',
        '-3',
        '1,5',
        'nan',
        '--',
        ' °C',
        '%',
        ' m',
        ' rpm',
        ', ',
        ';',
        ' ',
        '|',
        '"',
        '(W)',
      ],
      ...['x:', 'name', '{', '}', '\t', '\x1b[1m', '\x1b[0m', '\r', 'I (12) wifi: '],
    );
    const lines = fc.array(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      { minLength: 2, maxLength: 4 },
    );
    const read = (line: NumberLine, text: string) => {
      const bytes = utf8(text);
      line.read(bytes, 0, bytes.length);
      const { count, gapCount, trailing, labelled, pure, values, nameStarts, nameEnds } = line;
      const all = count + gapCount;
      const names = labelled ? [[...nameStarts.slice(0, all)], [...nameEnds.slice(0, all)]] : [];
      return { count, gapCount, trailing, labelled, pure: all > 0 && pure, values: [...values.slice(0, all)], names };
    };
    fc.assert(
      fc.property(lines, fc.boolean(), (texts, isRepeated) => {
        const reader = new NumberLine();
        // Most boards print the same words with other numbers.
        const all = isRepeated ? texts.flatMap((text) => [text, text.replaceAll('21.5', '7'), text]) : texts;
        for (const text of all) {
          expect(read(reader, text)).toEqual(read(new NumberLine(), text));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
