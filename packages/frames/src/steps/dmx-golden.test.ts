import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from '../frame-types.ts';
import {
  bytesOf,
  type Chunk,
  chunksOf,
  type GoldenCase,
  goldenCases,
  hexOf,
  readChunks,
  recut,
} from '../testing/golden-cases.ts';

const read = (golden: GoldenCase, chunks: readonly Chunk[] = chunksOf(golden)) =>
  readChunks([libraryDecoders.dmx], chunks).pieces;

/** Returns what the golden file has under a key. */
function seenValue({ fields, message }: DecodedFrame, key: string): unknown {
  const field = (name: string) => fields.find((one) => one.name === name);
  const slots = fields.filter(({ name }) => /^(slot|data)\./.test(name)).map(({ value }) => value as number);
  switch (key) {
    case 'what':
      return message;
    case 'slots':
      return slots.length;
    case 'first':
      return slots.slice(0, 4);
    case 'last':
      return slots.at(-1);
    case 'sum':
      return slots.reduce((sum, value) => sum + value, 0);
    case 'queue_overflow':
      return field('status')?.named?.includes('queue overflow');
    case 'overrun':
      return field('status')?.named?.includes('overrun');
    case 'changed':
      return Object.fromEntries(
        fields.filter(({ name }) => name.startsWith('slot.')).map(({ name, value }) => [name.slice(5), value]),
      );
    case 'firmware':
      return `${field('firmware_major')?.value}.${field('firmware_minor')?.value}`;
    case 'serial':
      return String(field('serial')?.value);
    default:
      return field(key)?.value;
  }
}

function check(golden: GoldenCase, chunks?: readonly Chunk[]): void {
  const seen = read(golden, chunks);
  const frames = seen.filter(({ kind }) => kind === 'frame');
  const wanted = golden.frames.filter(({ what }) => what !== 'no frame');
  expect(frames).toHaveLength(wanted.length);
  expect(seen.some(({ kind }) => kind !== 'frame')).toBe(wanted.length < golden.frames.length);
  for (const [index, { t, hex, ...values }] of wanted.entries()) {
    const frame = frames[index];
    if (frame === undefined) {
      throw new Error('missing');
    }
    if (hex !== undefined) {
      expect(hexOf(frame.bytes)).toBe(hex);
    }
    if (t !== undefined) {
      expect(frame.at).toBe((t as number) / 1_000);
    }
    expect(Object.fromEntries(Object.keys(values).map((key) => [key, seenValue(frame.decoded, key)]))).toEqual(values);
  }
}

const cases = goldenCases('dmx');

it('takes slots of another start code for no dimmer values', () => {
  const stream = bytesOf('7E 05 04 00 00 17 A8 E7 E7');
  const [piece] = readChunks([libraryDecoders.dmx], [{ at: 0, direction: 'received', bytes: stream }]).pieces;
  expect(piece?.decoded.fields.map(({ name, value }) => [name, value]).slice(-3)).toEqual([
    ['start_code', 0x17],
    ['data.1', 0xa8],
    ['data.2', 0xe7],
  ]);
  expect(piece?.decoded.sentence).toBe('received, start code 23: 168, 231');
});

describe('DMX512 frames', () => {
  const seen = (hex: string) => {
    const chunks = [{ at: 0, direction: 'received', bytes: bytesOf(hex) }] as const;
    return readChunks([libraryDecoders.dmx], chunks).pieces[0]?.decoded;
  };

  it('show the bytes of an unknown label', () => {
    const decoded = seen('7E 4D 03 00 61 62 63 E7');
    expect(decoded?.fields.at(-1)).toEqual({ name: 'data', value: bytesOf('61 62 63'), from: 4, to: 7 });
    expect(decoded?.sentence).toBe('label 77, bytes 3, data 61 62 63');
  });

  it.each([
    ['without a status', '00', 'received, start code 0: 231, 12'],
    ['after a full queue', '01', 'received, start code 0: 231, 12, queue overflow'],
    ['with both faults', '03', 'received, start code 0: 231, 12, queue overflow, overrun'],
    ['with a bit that has no name', '08', 'received, start code 0: 231, 12, 8'],
  ])('say what was received %s', (_name, status, sentence) => {
    expect(seen(`7E 05 04 00 ${status} 00 E7 0C E7`)?.sentence).toBe(sentence);
  });
});

describe('golden DMX512 frames', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    check(golden);
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      check(golden, recut(chunksOf(golden)));
    }
  });
});
