/** COBS frames of npm's `cobs`, with structs that CPython's `struct` reads and a checksum of `zlib`. */

import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, random } from '@wirebench/test-input';
// @ts-expect-error It has no types.
import cobs from 'cobs';
import { describe, expect, it } from 'vitest';
import { calculatorOf } from './checksums.ts';
import { type Chunk, hexOf, readChunks } from './testing/golden-cases.ts';
import { pythonWith, runJudge } from './testing/judges.ts';

const encode: (bytes: Buffer) => Buffer = cobs.encode;

const FRAMES = isLong ? 10_000 : 1_000;
const source = random('cobs judges');

/** Random bytes with many zeros and runs without one. */
function payload(length: number): Uint8Array {
  const zeros = source.below(5);
  return Uint8Array.from({ length }, () => (source.below(5) < zeros ? 0 : source.below(256)));
}

const chunk = (bytes: Uint8Array): Chunk => ({ at: 0, direction: 'received', bytes });

const encoded = (content: Uint8Array) => [...encode(Buffer.from(content)), 0];

describe('COBS beside npm cobs', () => {
  it('decodes payloads of any bytes', () => {
    const payloads = Array.from({ length: FRAMES }, () => payload(1 + source.below(source.below(10) === 0 ? 900 : 30)));
    const stream = Uint8Array.from(payloads.flatMap(encoded));
    const { pieces } = readChunks([libraryDecoders.cobs], [chunk(stream)]);
    expect(pieces.map(({ kind }) => kind)).toEqual(payloads.map(() => 'frame'));
    expect(pieces.map(({ decoded }) => hexOf(decoded.fields[0]?.value as Uint8Array))).toEqual(payloads.map(hexOf));
  });
});

const formats = {
  u8: 'B',
  i8: 'b',
  u16: 'H',
  i16: 'h',
  u32: 'I',
  i32: 'i',
  u64: 'Q',
  i64: 'q',
  f32: 'f',
  f64: 'd',
} as const;
const types = Object.keys(formats) as (keyof typeof formats)[];

const reader = `
import json, struct, sys, zlib
for line in sys.stdin:
    row = json.loads(line)
    data = bytes.fromhex(row["hex"])
    values = struct.unpack(row["format"], data)
    print(json.dumps({"values": [repr(value) for value in values], "crc": zlib.crc32(data)}))
`;

const python = pythonWith('struct');

describe.runIf(python !== undefined)('structs beside CPython', () => {
  it('have the same values and the same CRC-32', { timeout: 100_000 }, () => {
    const structs = Array.from({ length: isLong ? 200 : 20 }, () => {
      const order = source.below(2) === 0 ? ('little' as const) : ('big' as const);
      const members = Array.from({ length: 1 + source.below(8) }, () => types[source.below(types.length)] as 'u8');
      const sizes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 };
      const length = members.reduce((sum, type) => sum + sizes[type], 0);
      const payloads = Array.from({ length: FRAMES / 50 }, () => payload(length));
      return { order, members, payloads };
    });
    const rows = structs.flatMap(({ order, members, payloads }) => {
      const format = `${order === 'little' ? '<' : '>'}${members.map((type) => formats[type]).join('')}`;
      return payloads.map((bytes) => JSON.stringify({ format, hex: hexOf(bytes) }));
    });
    const lines = runJudge(python as string, ['-c', reader], rows.join('\n'))
      .trimEnd()
      .split('\n');
    let line = 0;
    for (const { order, members, payloads } of structs) {
      const decoder: DecoderDraft = {
        ...libraryDecoders.cobs,
        order,
        checksum: { kind: 'crc32', order },
        fields: members.map((type, index) => ({ name: `f${index}`, type })),
      };
      const crc32 = calculatorOf('crc32');
      const stream = payloads.flatMap((bytes) => {
        const crc = new DataView(new ArrayBuffer(4));
        crc.setUint32(0, crc32(bytes, 0, bytes.length), order === 'little');
        return encoded(Uint8Array.from([...bytes, ...new Uint8Array(crc.buffer)]));
      });
      const { pieces } = readChunks([decoder], [chunk(Uint8Array.from(stream))]);
      expect(pieces).toHaveLength(payloads.length);
      for (const [index, { decoded, kind }] of pieces.entries()) {
        const theirs = JSON.parse(lines[line++] ?? '') as { values: readonly string[]; crc: number };
        const bytes = payloads[index] as Uint8Array;
        expect(kind).toBe('frame');
        expect(crc32(bytes, 0, bytes.length)).toBe(theirs.crc);
        expect(decoded.fields.map(({ value }) => value)).toEqual(
          theirs.values.map((text, member) => {
            const type = members[member] ?? '';
            return type.endsWith('64') && !type.startsWith('f')
              ? BigInt(text)
              : Number(text.replace('inf', 'Infinity'));
          }),
        );
      }
    }
  });
});
