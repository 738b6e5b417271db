import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from './frame-types.ts';
import { chunksOf, type GoldenCase, goldenCases, hexOf, readChunks, recut } from './testing/golden-cases.ts';

interface GoldenField {
  readonly name: string;
  readonly type: string;
  readonly scale?: number;
  readonly unit?: string;
}

/** Returns the decoder of a case: its struct, its order, its checksum. */
function decoderOf({ settings = {} }: GoldenCase): DecoderDraft {
  const { fields, endian, checksum } = settings as {
    fields: readonly GoldenField[];
    endian?: 'big' | 'little';
    checksum?: string;
  };
  if (fields.length === 0) {
    return libraryDecoders.cobs;
  }
  const [kind, order] = checksum?.split(' ') ?? [];
  return {
    ...libraryDecoders.cobs,
    order: endian ?? 'little',
    ...(kind !== undefined && { checksum: { kind, order } as NonNullable<DecoderDraft['checksum']> }),
    fields: fields.map(({ name, type, ...more }) => {
      const [, base = '', count] = /^(\w+)(?:\[(\d+)\])?$/.exec(type) ?? [];
      if (base === 'char') {
        return { name, type: 'text', length: Number(count) };
      }
      return { name, type: base as 'u8', ...(count !== undefined && { count: Number(count) }), ...more };
    }),
  };
}

/** Fields as the golden file has them: lists in one, 64 bits as text. */
function goldenFields({ fields }: DecodedFrame): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, value } of fields) {
    const shown =
      typeof value === 'bigint'
        ? String(value)
        : Number.isFinite(value) || typeof value === 'string'
          ? value
          : String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
    const [, list] = /^(\w+)\.\d+$/.exec(name) ?? [];
    if (list === undefined) {
      result[name] = shown;
    } else {
      result[list] = [...((result[list] as unknown[] | undefined) ?? []), shown];
    }
  }
  return result;
}

function seenFrames(golden: GoldenCase, chunks = chunksOf(golden)) {
  const { pieces } = readChunks([decoderOf(golden)], chunks);
  return pieces.map(({ kind, bytes, decoded, at }) => ({ kind, hex: hexOf(bytes), at, decoded }));
}

const cases = goldenCases('cobs');

describe('golden COBS frames', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    const seen = seenFrames(golden);
    const frames = seen.filter(({ hex, kind }) => kind !== 'left-over' || !/^(00)+$/.test(hex));
    expect(frames.map(({ hex }) => hex)).toEqual(golden.frames.map(({ hex }) => hex));
    for (const [index, expected] of golden.frames.entries()) {
      const frame = frames[index];
      if (frame === undefined) {
        throw new Error('missing');
      }
      const kind =
        expected['what'] === 'no frame' ? 'left-over' : expected['checksum'] === 'wrong' ? 'broken' : 'frame';
      expect(frame.kind).toBe(kind);
      if (expected['t'] !== undefined) {
        expect(frame.at).toBe((expected['t'] as number) / 1_000);
      }
      if (expected['fields'] !== undefined) {
        expect(goldenFields(frame.decoded)).toEqual(expected['fields']);
      } else if (kind === 'frame' && expected['short'] !== true) {
        const [payload] = frame.decoded.fields;
        expect(hexOf(payload?.value as Uint8Array)).toBe(expected['payload']);
      } else if (kind !== 'frame') {
        expect(frame.decoded.fields).toEqual([]);
      }
    }
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      expect(seenFrames(golden, recut(chunksOf(golden)))).toEqual(seenFrames(golden));
    }
  });
});
