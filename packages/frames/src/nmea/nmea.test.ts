import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { readChunks, type SeenPiece } from '../testing/golden-cases.ts';

function sentence(content: string): string {
  const sum = Buffer.from(content, 'latin1').reduce((all, byte) => all ^ byte, 0);
  return `$${content}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}

const chunk = (text: string, at = 0) => ({ at, direction: 'received' as const, bytes: Buffer.from(text, 'latin1') });
const read = (...texts: string[]) =>
  readChunks(
    [libraryDecoders.nmea],
    texts.map((text, at) => chunk(text, at)),
  ).pieces;
const kinds = (pieces: readonly SeenPiece[]) =>
  pieces.map(({ kind, bytes }) => [kind, Buffer.from(bytes).toString('latin1')]);
const field = (piece: SeenPiece | undefined, name: string) => piece?.decoded.fields.find((one) => one.name === name);
const value = (piece: SeenPiece | undefined, name: string) => field(piece, name)?.value;
const only = (text: string) => read(text)[0];

describe('satellites in use', () => {
  const gsa = (list: string, system: string) => sentence(`GNGSA,A,3,${list},3.45,1.87,2.89${system}`);
  const none = ',,,,,,,,,,,';

  it('belong to the system that a GSA sentence names', () => {
    const [gps, beidou, seen] = read(
      '$GNGSA,A,3,23,02,27,10,08,,,,,,,,3.45,1.87,2.89,1*01\r\n',
      '$GNGSA,A,3,,,,,,,,,,,,,3.45,1.87,2.89,4*0B\r\n',
      '$GBGSV,1,1,02,27,42,121,,30,,,24,0*41\r\n',
    );
    expect(gps?.decoded.sentence).toBe('GPS used 2, 8, 10, 23, 27, fix 3D, PDOP 3.45, HDOP 1.87, VDOP 2.89');
    expect(field(gps, 'used')).toMatchObject({ value: 5, how: 'counted: 2, 8, 10, 23, 27' });
    expect(beidou?.decoded.sentence).toBe('BeiDou none used, fix 3D, PDOP 3.45, HDOP 1.87, VDOP 2.89');
    expect(value(beidou, 'used')).toBe(0);
    expect([value(seen, 'prn1'), value(seen, 'used1'), value(seen, 'prn2'), value(seen, 'used2')]).toEqual([
      27,
      false,
      30,
      false,
    ]);
    expect(seen?.decoded.sentence).toBe('2 BeiDou in view, part 1 of 1: 27 no signal not used, 30 24 dB-Hz not used');
    expect([value(seen, 'elevation1'), value(seen, 'snr1'), value(seen, 'snr2'), value(seen, 'signal')]).toEqual([
      42,
      null,
      24,
      0,
    ]);
  });

  it('are unknown without a GSA sentence about their system', () => {
    const [seen] = read(sentence('GPGSV,1,1,01,27,42,121,30'));
    expect(field(seen, 'used1')).toBeUndefined();
    expect(seen?.decoded.sentence).toBe('1 GPS in view, part 1 of 1: 27 30 dB-Hz');
  });

  it('are told apart by their numbers if a GSA sentence names no system', () => {
    const pieces = read(
      gsa(`05,33,66${none.slice(2)}`, ''),
      gsa(`205${none}`, ''),
      sentence('GPGSV,1,1,02,05,,,,33,,,'),
      sentence('GLGSV,1,1,02,66,,,,67,,,'),
      sentence('GBGSV,1,1,01,205,,,'),
      sentence('GAGSV,1,1,01,05,,,'),
    );
    const [, , gps, glonass, beidou, galileo] = pieces;
    expect([value(gps, 'used1'), value(gps, 'used2')]).toEqual([true, true]);
    expect([value(glonass, 'used1'), value(glonass, 'used2')]).toEqual([true, false]);
    expect(value(beidou, 'used1')).toBe(true);
    expect(field(galileo, 'used1')).toBeUndefined();
  });

  it('fill two sentences if they are more than twelve, until the next position', () => {
    const twelve = Array.from({ length: 12 }, (_, index) => index + 1).join(',');
    const [, , both, , , next] = read(
      gsa(twelve, ',1'),
      gsa(`13${none}`, ',1'),
      sentence('GPGSV,1,1,02,01,,,,13,,,'),
      sentence('GNRMC,,V,,,,,,,,,,N'),
      gsa(`13${none}`, ',1'),
      sentence('GPGSV,1,1,02,01,,,,13,,,'),
    );
    expect([value(both, 'used1'), value(both, 'used2')]).toEqual([true, true]);
    expect([value(next, 'used1'), value(next, 'used2')]).toEqual([false, true]);
  });
});

describe('parts of GSV', () => {
  it('count those that are lost before them', () => {
    const part = (number: number) => sentence(`GPGSV,4,${number},13,0${number},10,20,30,1`);
    const missing = read(part(2), part(3), part(1), part(4), part(1)).map(({ link }) => link.missing);
    expect(missing).toEqual([0, 0, 1, 2, 0]);
  });

  it('follow each other for each signal', () => {
    const part = (number: number, signal: number) => sentence(`GPGSV,2,${number},05,01,10,20,30,${signal}`);
    expect(read(part(1, 1), part(1, 6), part(2, 1), part(2, 6)).map(({ link }) => link.missing)).toEqual([0, 0, 0, 0]);
  });
});

describe('cutting of sentences', () => {
  const right = sentence('GPGLL,4941.2691,N,11853.7776,E,120000,A,A');

  it('finds a sentence after one that was cut', () => {
    expect(kinds(read(`$GPGGA,12${right}`))).toEqual([
      ['broken', '$GPGGA,12'],
      ['frame', right],
    ]);
    expect(kinds(read(`$GPRMC,191240.00,A,38$GPRMC,191241.00,V,,,,,,,,,,N\r\n`))).toEqual([
      ['broken', '$GPRMC,191240.00,A,38'],
      ['frame', '$GPRMC,191241.00,V,,,,,,,,,,N\r\n'],
    ]);
  });

  it('gives a wrong checksum no values', () => {
    const [broken] = read(right.replace('4941', '4942'));
    expect(broken?.decoded).toEqual({
      decoder: 'nmea',
      kind: 'broken',
      message: 'GLL',
      key: 'broken frame',
      who: 'GP',
      sentence: 'wrong checksum 4F, computed 4C',
      fields: [],
    });
    expect(read(`$GPGGA,12${right}`)[0]?.decoded.sentence).toBe('cut before its end');
  });

  it('takes a checksum of one digit, which lacks its zero, and no other one', () => {
    const one = '$GPRMC,114130,A,3809.1250,N,02415.8050,E,12195.6,341.5,280915,5,E,A*1';
    for (const end of ['\r\n', '\n', '\r']) {
      expect(kinds(read(`${one}${end}${right}`))).toEqual([
        ['frame', `${one}${end}`],
        ['frame', right],
      ]);
    }
    const [piece] = read(`${one}\r\n`);
    expect(piece?.decoded.fields.at(-1)).toMatchObject({ name: 'checksum', value: '1', named: 'right, of one digit' });
    const wrong = read(`${one.replace(/1$/, '2')}\r\n`);
    expect(wrong.map(({ kind, decoded }) => [kind, decoded.sentence])).toEqual([
      ['broken', 'wrong checksum 2, computed 01'],
    ]);
    // A lost digit is not a missing zero.
    expect(kinds(read(right.replace(/(\*.).(?=\r)/, '$1')))).toEqual([['broken', right.replace(/(\*.).(?=\r)/, '$1')]]);
    expect(kinds(read(`${one}${right}`))[0]?.[0]).toBe('broken');
  });

  it('takes a checksum of one digit in a tag block', () => {
    const tag = (entries: string, digits: string) =>
      read(`\\${entries}*${digits}\\${right}`)[0]?.decoded.fields.find(({ name }) => name.startsWith('tag.'));
    const sum = [...'s:r'].reduce((all, letter) => all ^ letter.charCodeAt(0), 0);
    const entries = `s:r${String.fromCharCode(sum ^ 0x40)}${String.fromCharCode(0x45)}`;
    expect(tag(entries, '5')).toMatchObject({ name: 'tag.source' });
    expect(tag(entries, '6')).toMatchObject({ name: 'tag.checksum', named: 'wrong' });
  });

  it('leaves text that is no sentence over', () => {
    for (const text of [
      '$ ls -l\r\n',
      'boot: $HOME,1\r\n',
      '$gpgll,1\r\n',
      '!important\r\n',
      '\\path\\file\r\n',
      '$\r\n',
    ]) {
      expect(kinds(read(text))).toEqual([['left-over', text]]);
    }
  });

  it('takes an address of another length with a checksum alone', () => {
    expect(read(sentence('KSXT,1,2'))[0]).toMatchObject({
      kind: 'frame',
      decoded: { message: 'KSXT', sentence: '1, 2' },
    });
    expect(read('$KSXT,1,2\r\n')[0]?.kind).toBe('left-over');
  });

  it('ends a sentence at a byte that is no text', () => {
    expect(kinds(read(`$GPGGA,1\xb5b${right}`))).toEqual([
      ['broken', '$GPGGA,1'],
      ['left-over', '\xb5b'],
      ['frame', right],
    ]);
  });

  it('ends a sentence behind its checksum', () => {
    const both = right.trimEnd() + right;
    expect(kinds(read(both))).toEqual([
      ['frame', right.trimEnd()],
      ['frame', right],
    ]);
  });

  it('bounds a sentence without an end', () => {
    const pieces = read(`$GPTXT,${'x'.repeat(5_000)}${right}`);
    expect(pieces.map(({ kind }) => kind)).toEqual(['broken', 'left-over', 'frame']);
    expect(pieces[0]?.bytes.length).toBe(1_024);
  });

  it('decides about an unfinished sentence after a silence', () => {
    const first = right.slice(0, -2);
    const { pieces } = readChunks([libraryDecoders.nmea], [chunk(first), chunk(right, 600)]);
    expect(kinds(pieces)).toEqual([
      ['frame', first],
      ['frame', right],
    ]);
  });
});

describe('cells', () => {
  it('without a direction give no position', () => {
    const piece = only(sentence('GPGLL,4941.2691,,11853.7776,E,120000,A,A'));
    expect(field(piece, 'lat')).toMatchObject({ value: null, raw: '4941.2691', named: 'without direction' });
    expect(value(piece, 'lon')).toBeCloseTo(118.89629333, 8);
  });

  it('have no value but their text if they cannot be read', () => {
    const piece = only(sentence('GPGGA,256199,4960.0,N,1x,E,1,7?,1e3,--,M,,,,'));
    expect(['time', 'lat', 'lon', 'sat', 'hdop', 'altitude'].map((name) => value(piece, name))).toEqual(
      Array(6).fill(null),
    );
    expect(field(piece, 'sat')?.raw).toBe('7?');
  });

  it('have names, units, and values as plain numbers', () => {
    const piece = only(sentence('GNGGA,142003.50,4739.61824,N,00917.40312,E,4,17,0.71,403.8,M,47.2,M,1.2,0123'));
    expect(piece?.decoded).toMatchObject({
      decoder: 'nmea',
      kind: 'right',
      message: 'GGA',
      who: 'GN',
      key: 'GN GGA',
      sentence: 'lat 47.660304°, lon 9.290052°, fix RTK fixed, satellites 17, HDOP 0.71, altitude 403.8 m',
    });
    expect(field(piece, 'fix')).toMatchObject({ value: 4, named: 'RTK fixed' });
    expect(field(piece, 'altitude')).toMatchObject({ value: 403.8, unit: 'm' });
    expect(field(piece, 'time')).toMatchObject({ value: '14:20:03.50', raw: '142003.50' });
    expect(value(piece, 'station')).toBe('0123');
  });

  it('take their unit from the cell behind them', () => {
    const wind = (unit: string) => field(only(sentence(`WIMWV,252.9,R,20.1,${unit},A`)), 'wind_speed');
    expect(['K', 'M', 'N', 'S'].map((unit) => wind(unit)?.unit)).toEqual(['km/h', 'm/s', 'kn', 'mph']);
  });

  it('read a date of the right century', () => {
    const date = (text: string) => value(only(sentence(`GPRMC,,V,,,,,,,${text},,`)), 'date');
    expect([date('271126'), date('310180'), date('321126')]).toEqual(['2026-11-27', '1980-01-31', null]);
  });

  it('read a magnetic variation with its sign', () => {
    const variation = (side: string) => value(only(sentence(`HCHDG,101.1,,,7.1,${side}`)), 'variation');
    expect([variation('W'), variation('E'), variation('')]).toEqual([-7.1, 7.1, null]);
  });

  it('name the mode of each system in GNS', () => {
    const piece = only(sentence('GNGNS,112257.00,3844.24011,N,00908.43828,W,ANR,03,10.5,,,,,S'));
    expect(field(piece, 'modes')?.named).toBe('GPS autonomous, GLONASS no fix, Galileo RTK fixed');
    expect(field(piece, 'nav_status')?.named).toBe('safe');
  });

  it('have the names and units of transducers in XDR', () => {
    const piece = only(sentence('YXXDR,C,19.6,C,ENV_TEMP,P,1.013,B,ENV_BARO,A,,D,PITCH'));
    expect(piece?.decoded.sentence).toBe('ENV_TEMP 19.6 °C, ENV_BARO 1.013 bar, PITCH no value');
    expect(field(piece, 'measured2')).toMatchObject({ value: 1.013, unit: 'bar' });
  });

  it('have numbers in an unknown sentence', () => {
    const piece = only(sentence('GPZZZ,1,,abc'));
    expect(piece?.decoded).toMatchObject({ message: 'ZZZ', who: 'GP', sentence: '1, , abc' });
    expect(['cell1', 'cell2', 'cell3'].map((name) => value(piece, name))).toEqual(['1', null, 'abc']);
  });

  it('hold letters outside of ASCII if the checksum is right', () => {
    const names = (text: string) => value(only(sentence(`GPWPL,4941.2691,N,11853.7776,E,${text}`)), 'waypoint');
    expect([names('S\xf8holm'), names(Buffer.from('Søholm').toString('latin1'))]).toEqual(['Søholm', 'Søholm']);
    expect(kinds(read('$GPWPL,4941.2691,N,11853.7776,E,S\xf8holm*00\r\n'))[0]).toEqual([
      'broken',
      '$GPWPL,4941.2691,N,11853.7776,E,S',
    ]);
  });

  it('have characters in hex digits', () => {
    const piece = only(sentence('GNTXT,01,01,02,A^2CB^5E'));
    expect(field(piece, 'text')).toMatchObject({ value: 'A,B^', raw: 'A^2CB^5E' });
    expect(piece?.decoded.sentence).toBe('severity notice, text A,B^');
  });

  it('name the wanted sentence in a query', () => {
    const piece = only(sentence('CCGPQ,GGA'));
    expect(piece?.decoded).toMatchObject({ who: 'CC', message: 'GPQ', sentence: 'asks GP for GGA' });
    expect([value(piece, 'listener'), value(piece, 'cell1')]).toEqual(['GP', 'GGA']);
  });
});

describe('tag blocks', () => {
  const right = sentence('GPGLL,4941.2691,N,11853.7776,E,120000,A,A');

  it('give source, time and group', () => {
    const content = 'g:1-2-1234,s:r003669945,c:1120959341';
    const sum = Buffer.from(content).reduce((all, byte) => all ^ byte, 0);
    const piece = only(`\\${content}*${sum.toString(16).padStart(2, '0')}\\${right}`);
    expect(['tag.group', 'tag.source', 'tag.time'].map((name) => value(piece, name))).toEqual([
      '1-2-1234',
      'r003669945',
      1_120_959_341,
    ]);
    expect(value(piece, 'lat')).toBeCloseTo(49.68781833, 8);
  });

  it('stay with a sentence that comes within half a second', () => {
    const { pieces } = readChunks([libraryDecoders.nmea], [chunk('\\s:a*12\\'), chunk(right, 400)]);
    expect(kinds(pieces)).toEqual([['frame', `\\s:a*12\\${right}`]]);
  });
});
