import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { DecoderError } from '../steps/step-files.ts';
import { readChunks } from '../testing/golden-cases.ts';
import { readCanFrame } from './slcan-line.ts';

function read(stream: Uint8Array, ...files: readonly (string | Uint8Array)[]) {
  const named = files.map((file, index) => {
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
    return {
      use: 'dbc' as const,
      name: `${index}.dbc`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes,
    };
  });
  const decoder: DecoderDraft = {
    ...libraryDecoders.slcan,
    files: named.map(({ use, name, sha256 }) => ({ use, name, sha256 })),
  };
  const settings = { files: new Map(named.map(({ sha256, bytes }) => [sha256, bytes])) };
  return readChunks([decoder], [{ at: 0, direction: 'received', bytes: stream }], settings).pieces;
}

const line = (text: string) => new TextEncoder().encode(text);

const file = (id: number, name: string) => `BO_ ${id} ${name}: 1 A\n SG_ id : 0|8@1+ (0.5,-1) [0|0] "°C" X\n`;

describe('DBC files of a SLCAN decoder', () => {
  it('may be several, and the first that has an identifier names it', () => {
    const pieces = read(line('t00114E\rt00214E\r'), file(1, 'One'), `${file(2, 'Two')}${file(1, 'Other')}`);
    expect(pieces.map(({ decoded }) => decoded.sentence)).toEqual(['One signal.id 38 °C', 'Two signal.id 38 °C']);
  });

  it('give fields their place, their raw number, and how it became the value', () => {
    const [piece] = read(line('t00114E\r'), file(1, 'One'));
    expect(piece?.decoded).toMatchObject({ who: '001', key: '001 One', message: 'One' });
    expect(piece?.decoded.fields.at(-1)).toEqual({
      name: 'signal.id',
      value: 38,
      unit: '°C',
      raw: 78,
      how: 'times 0.5, minus 1',
      place: 'bit 0, 8 bits, little-endian',
      from: 5,
      to: 7,
    });
  });

  it('give signals names that Find takes', () => {
    const text = 'BO_ 1 One: 2 A\n SG_ 1st-Gear : 0|8@1+ (1,0) [0|0] "" X\n SG_ Öl : 8|8@1+ (1,0) [0|0] "" X\n';
    const names = read(line('t00120102\r'), text)[0]?.decoded.fields.map(({ name }) => name);
    expect(names?.slice(-2)).toEqual(['_1st_Gear', '_l']);
  });

  it.each([
    ['', '0.dbc has no message. Choose a DBC file.'],
    ['BO_ x Broken: 8 A\n', '0.dbc: Line 1: this message cannot be read.'],
    [new Uint8Array(32 * 1024 * 1024 + 1), '0.dbc is larger than 32 MiB.'],
  ])('are refused if they cannot be used: %#', (text, sentence) => {
    expect(() => read(line('\r'), text)).toThrow(new DecoderError(sentence));
  });

  it('are not needed', () => {
    const sentences = read(line('T18FEF1FE3010203\rd00190102030405060708090A0B0C\rr1232\rt1230\r')).map(
      ({ decoded }) => decoded.sentence,
    );
    expect(sentences).toEqual([
      '3 bytes: 01 02 03',
      '12 bytes: 01 02 03 04 05 06 07 08 09 0A 0B 0C',
      'remote frame, asks for 2 bytes',
      'no data',
    ]);
  });
});

describe('any stream of lines', () => {
  it('drops no byte, and calls only whole frames right', () => {
    const numbers = random('streams');
    const golden = readFileSync(new URL('../testing/golden/slcan.jsonl', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    const dbc = readFileSync(new URL('../testing/golden/shared.dbc', import.meta.url));
    for (let round = 0; round < (isLong ? 10_000 : 300); round++) {
      const { chunks } = JSON.parse(golden[numbers.below(golden.length)] ?? '') as {
        chunks: readonly [number, string, string][];
      };
      const stream = Buffer.concat(chunks.map(([, , hex]) => Buffer.from(hex, 'hex')));
      for (let change = numbers.below(5); change > 0; change--) {
        stream[numbers.below(stream.length)] =
          numbers.below(2) === 0 ? numbers.below(256) : 'tTrRdDbB\r\x07\n'.charCodeAt(numbers.below(11));
      }
      for (const { kind, bytes, decoded } of read(stream, dbc)) {
        const isCan = kind === 'frame' && decoded.fields.some(({ name }) => name === 'dlc');
        const start = bytes[0] === 0x0a ? 1 : 0;
        expect(isCan).toBe(kind === 'frame' && readCanFrame(bytes, start, bytes.length - 1) !== null);
        expect(kind !== 'broken' || decoded.fields.length === 0).toBe(true);
      }
    }
  });

  it('costs bounded time if every byte seems to begin a frame', () => {
    for (const part of ['t', 't0', 'T18FEF1FE8', 't1238', '\n', '\nt', 'V', 'Vx', '\x07', '\r']) {
      const stream = Buffer.from(part.repeat(Math.ceil(20_000 / part.length)));
      expect(read(stream).reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(stream.length);
    }
    expect(read(randomBytes(100_000)).length).toBeGreaterThan(0);
  });
});
