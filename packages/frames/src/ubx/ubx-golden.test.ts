import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from '../frame-types.ts';
import { chunksOf, type GoldenCase, goldenCases, hexOf, readChunks, recut } from '../testing/golden-cases.ts';

const cases = goldenCases('ubx');

/** Names of values after their scale in the golden file, by field. */
const scaledNames: Readonly<Record<string, string>> = {
  height_m: 'height',
  hMSL_m: 'hMSL',
  gSpeed_m_s: 'gSpeed',
  headMot_deg: 'headMot',
  heading_deg: 'heading',
};

/** Raw values as the golden file has them: groups as lists of objects, repeated fields as lists. */
function goldenFields({ fields }: DecodedFrame): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, value, raw } of fields) {
    const [own = '', index, inner] = name.split('.');
    const shown = raw ?? value;
    if (index === undefined) {
      result[own] = shown;
      continue;
    }
    const list = (result[own] ?? []) as unknown[];
    result[own] = list;
    list[Number(index)] =
      inner === undefined ? shown : { ...(list[Number(index)] as object | undefined), [inner]: shown };
  }
  return result;
}

function seenFrames(golden: GoldenCase, chunks = chunksOf(golden)) {
  const { pieces } = readChunks([libraryDecoders.ubx, libraryDecoders.nmea], chunks);
  return pieces.map(({ kind, bytes, decoded, at }) => ({ kind, hex: hexOf(bytes), at, decoded }));
}

describe('golden UBX frames', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    const frames = seenFrames(golden).filter(({ kind }) => kind !== 'left-over');
    const text = (hex: string) => Buffer.from(hex, 'hex').toString('latin1').trim();
    expect(frames.map(({ hex }, index) => (golden.frames[index]?.['nmea'] === undefined ? hex : text(hex)))).toEqual(
      golden.frames.map((frame) => frame['hex'] ?? frame['nmea']),
    );
    for (const [index, expected] of golden.frames.entries()) {
      const frame = frames[index];
      if (frame === undefined) {
        throw new Error('missing');
      }
      expect(frame.kind).toBe(expected['checksum'] === 'wrong' ? 'broken' : 'frame');
      if (expected['t'] !== undefined) {
        expect(frame.at).toBeCloseTo((expected['t'] as number) / 1_000, 6);
      }
      if (frame.kind === 'broken') {
        expect(frame.decoded.fields).toEqual([]);
        expect([frame.decoded.decoder, frame.decoded.message]).toEqual(['ubx', expected['name']]);
        continue;
      }
      const seen = goldenFields(frame.decoded);
      if (expected['nmea'] !== undefined) {
        expect(frame.decoded.message).toBe(expected['type']);
        expect(seen['lat']).toBeDefined();
        const value = (name: string) => frame.decoded.fields.find((field) => field.name === name)?.value;
        expect(value('lat')).toBeCloseTo(expected['lat'] as number, 7);
        expect(value('lon')).toBeCloseTo(expected['lon'] as number, 7);
        continue;
      }
      expect(frame.decoded.message).toBe(expected['name'] ?? frame.decoded.message);
      expect(seen).toMatchObject({
        class: expected['class'],
        id: expected['id'],
        length: expected['length'],
        ...(expected['fields'] as object | undefined),
      });
      for (const [name, scaled] of Object.entries((expected['scaled'] ?? {}) as Record<string, number>)) {
        const own = scaledNames[name] ?? name;
        expect(frame.decoded.fields.find((field) => field.name === own)?.value).toBeCloseTo(scaled, 9);
      }
    }
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      expect(seenFrames(golden, recut(chunksOf(golden)))).toEqual(seenFrames(golden));
    }
  });
});
