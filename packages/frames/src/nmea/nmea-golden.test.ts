import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedField, DecodedFrame } from '../frame-types.ts';
import { chunksOf, type GoldenCase, goldenCases, readChunks, recut } from '../testing/golden-cases.ts';
import { cellNumber } from './testing/pynmea2-names.ts';

const cases = goldenCases('nmea');

function seenFrames(golden: GoldenCase, chunks = chunksOf(golden)) {
  const { pieces } = readChunks([libraryDecoders.nmea], chunks);
  return pieces.map(({ kind, bytes, decoded, at, link }) => ({
    kind,
    text: Buffer.from(bytes).toString('latin1'),
    at,
    decoded,
    missing: link.missing,
  }));
}

const fieldOf = ({ fields }: DecodedFrame, name: string) => fields.find((field) => field.name === name);
const textOf = (field: DecodedField | undefined) =>
  field === undefined ? undefined : String(field.raw ?? field.value);
const cellOf = ({ fields }: DecodedFrame, number: number) => fields.find(({ place }) => place === `cell ${number}`);

/** Compares the cells of a sentence with the texts of pynmea2. Cells that it leaves out have no value. */
function compareCells(decoded: DecodedFrame, type: string, texts: Readonly<Record<string, string>>): void {
  const seen: Record<string, string | undefined> = {};
  for (const name of Object.keys(texts)) {
    seen[name] = name === 'subtype' ? type.slice(4) : textOf(cellOf(decoded, cellNumber(type, name)));
  }
  expect(seen).toEqual(texts);
  const given = Object.values(seen).length - (texts['subtype'] === undefined ? 0 : 1);
  const valued = decoded.fields.filter(
    ({ place, value, raw }) => place?.startsWith('cell ') && (raw ?? value) !== null,
  );
  // pynmea2 names as many cells as it knows; NMEA 0183 4.11 has more in some sentences.
  expect(valued.length).toBeGreaterThanOrEqual(given);
}

function compareAis(decoded: DecodedFrame, ais: Readonly<Record<string, unknown>>): void {
  for (const [name, expected] of Object.entries(ais)) {
    if (name.endsWith('_text')) {
      expect(fieldOf(decoded, name.replace('_text', ''))?.named).toBe(expected);
    } else {
      const value = fieldOf(decoded, name === 'type' ? 'ais' : name)?.value;
      if (typeof expected === 'number') {
        expect(value).toBeCloseTo(expected, 5);
      } else {
        expect(value).toBe(expected);
      }
    }
  }
}

describe('golden NMEA sentences', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    const frames = seenFrames(golden).filter(({ kind }) => kind !== 'left-over');
    expect(frames.map(({ text }) => text.trimEnd())).toEqual(golden.frames.map(({ text }) => text));
    for (const [index, expected] of golden.frames.entries()) {
      const frame = frames[index];
      if (frame === undefined) {
        throw new Error('missing');
      }
      const { decoded } = frame;
      expect(frame.at).toBeCloseTo((expected['t'] as number) / 1_000, 6);
      if (expected['checksum'] === 'wrong') {
        expect(frame.kind).toBe('broken');
        expect(decoded.fields).toEqual([]);
        expect([decoded.who, decoded.message]).toEqual([expected['talker'], expected['type']]);
        continue;
      }
      expect(frame.kind).toBe('frame');
      expect(fieldOf(decoded, 'checksum')?.named).toBe(expected['checksum'] === 'none' ? undefined : 'right');
      expect(fieldOf(decoded, 'type')?.value).toBe(expected['type']);
      expect(expected['talker'] === 'P' ? 'P' : fieldOf(decoded, 'talker')?.value).toBe(expected['talker']);
      compareCells(decoded, expected['type'] as string, (expected['fields'] ?? {}) as Record<string, string>);
      for (const [number, text] of ((expected['fields_raw'] ?? []) as string[]).entries()) {
        expect(textOf(cellOf(decoded, number + 1))).toBe(text);
      }
      for (const name of ['lat', 'lon'].filter((one) => expected[one] !== undefined)) {
        expect(fieldOf(decoded, name)?.value).toBeCloseTo(expected[name] as number, 7);
      }
      for (const [name, value] of Object.entries((expected['tag'] ?? {}) as Record<string, unknown>)) {
        expect(fieldOf(decoded, `tag.${name}`)?.value).toBe(value);
      }
      if (expected['tag_checksum'] === 'wrong') {
        expect(decoded.fields.filter(({ name }) => name.startsWith('tag.'))).toMatchObject([
          { name: 'tag.checksum', value: null, named: 'wrong' },
        ]);
      }
      if (expected['part'] !== undefined && expected['ais'] === undefined) {
        expect(decoded.sentence).toBe(`part ${expected['part']} of an AIS message`);
        expect(fieldOf(decoded, 'mmsi')).toBeUndefined();
      }
      compareAis(decoded, (expected['ais'] ?? {}) as Record<string, unknown>);
    }
  });

  it('have ranges of bytes that hold their texts', () => {
    for (const golden of cases) {
      for (const { kind, text, decoded } of seenFrames(golden)) {
        for (const { place, value, raw, from, to } of kind === 'frame' ? decoded.fields : []) {
          if (place?.startsWith('cell ')) {
            expect(text.slice(from, to)).toBe(value === null && raw === undefined ? '' : String(raw ?? value));
          }
        }
      }
    }
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      expect(seenFrames(golden, recut(chunksOf(golden)))).toEqual(seenFrames(golden));
    }
  });
});
