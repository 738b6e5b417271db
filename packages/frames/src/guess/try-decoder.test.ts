import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { bytesOf, checkedDecoder, chunksOf, goldenCases } from '../testing/golden-cases.ts';
import { type TrialChunk, tryDecoder } from './try-decoder.ts';

const received = (hex: string, at = 0): TrialChunk => ({ at, direction: 'received', bytes: bytesOf(hex) });

describe('a decoder that is tried', () => {
  it('counts frames, broken ones and left-overs, whose bytes are all bytes', () => {
    const decoder = checkedDecoder({
      name: 'sum',
      title: 'Sum',
      framing: { kind: 'length', start: ['A5'], length: 4 },
      checksum: { kind: 'sum8' },
      fields: [{ name: 'value', type: 'u8' }],
    });
    const { counts, frames } = tryDecoder(decoder, [
      received('FF FF A5 01 02 A8'),
      received('A5 01 02 A9 A5 02 02 A9', 5),
    ]);
    expect(counts).toEqual({ frames: 2, broken: 1, leftOvers: 1, framedBytes: 8, bytes: 14, shortest: 4, longest: 4 });
    expect(frames.map(({ kind, decoded }) => [kind, decoded.fields[0]?.value])).toEqual([
      ['frame', 1],
      ['broken', undefined],
      ['frame', 2],
    ]);
  });

  it('gives the content without escapes, with the place of each byte', () => {
    const decoder = checkedDecoder(libraryDecoders.cobs);
    const [frame] = tryDecoder(decoder, [received('03 11 22 02 33 00')]).frames;
    expect([...(frame?.content ?? [])]).toEqual([0x11, 0x22, 0, 0x33]);
    expect(frame?.offsets).toEqual([1, 2, 3, 4, 5]);
  });

  it('pairs answers with their questions, in both directions', () => {
    const golden = goldenCases('modbus').find(({ kind }) => kind === 'fc03');
    const { frames } = tryDecoder(
      checkedDecoder(libraryDecoders.modbus),
      chunksOf(golden as NonNullable<typeof golden>),
    );
    expect(frames).toHaveLength(2);
    expect(frames[1]?.decoded.sentence).toMatch(/^read \d+–\d+: /);
  });

  it('finds the frame that was asked for, by its time if several are equal', () => {
    const decoder = checkedDecoder(libraryDecoders.cobs);
    const chunks = Array.from({ length: 300 }, (_, index) => received('02 07 00', index));
    const wanted = (at: number) => tryDecoder(decoder, chunks, {}, { at, bytes: bytesOf('02 07 00') }).wanted?.at;
    expect(wanted(3)).toBe(3);
    expect(wanted(250)).toBe(250);
    expect(wanted(1_000)).toBe(299);
    expect(tryDecoder(decoder, chunks, {}, { at: 3, bytes: bytesOf('02 08 00') }).wanted).toBeNull();
  });
});
