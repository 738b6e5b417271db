import type { DecoderDraft } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { bytesOf, checkedDecoder, hexOf } from './testing/golden-cases.ts';

type Framing = DecoderDraft['framing'];

const draft = (framing: Framing, more: Partial<DecoderDraft> = {}): DecoderDraft => ({
  name: 'my',
  title: 'Mine',
  framing,
  ...more,
});

/** Frames of A5, length of the rest, bytes, sum of all before. */
const summed = draft(
  { kind: 'length', start: ['A5'], length: { at: 1, type: 'u8', add: 2 } },
  { checksum: { kind: 'sum8' } },
);

/** Cuts chunks of `[ms, hex]` and returns the pieces, each as its kind and bytes. */
function cut(drafts: readonly DecoderDraft[], chunks: readonly (readonly [number, string])[], isEnded = true) {
  const cutter = compile(drafts.map(checkedDecoder)).cutter('received');
  const all = Buffer.concat(chunks.map(([, hex]) => bytesOf(hex)));
  const seen: string[] = [];
  let at = 0;
  const drain = () => {
    for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
      seen.push(`${piece.kind} ${hexOf(all.subarray(at, at + piece.length))} at ${piece.at}`);
      at += piece.length;
    }
  };
  for (const [time, hex] of chunks) {
    const bytes = bytesOf(hex);
    cutter.push(bytes, 0, bytes.length, time);
    drain();
  }
  if (isEnded) {
    cutter.end();
    drain();
    expect(at).toBe(all.length);
  }
  return seen;
}

const one = (framing: Framing, hex: string, more?: Partial<DecoderDraft>) =>
  cut([draft(framing, more)], [[0, hex]]).map((piece) => piece.replace(' at 0', ''));

describe('stream cutter', () => {
  it('finds the right frame inside a broken one', () => {
    expect(cut([summed], [[0, 'A5 06 01 A5 02 11 B8 99']])).toEqual([
      'broken a50601 at 0',
      'frame a50211b8 at 0',
      'left-over 99 at 0',
    ]);
  });

  it('gives out a broken frame as a whole if none is inside', () => {
    expect(cut([summed], [[0, 'A5 03 01 02 00 A5 02 11 B8']])).toEqual([
      'broken a503010200 at 0',
      'frame a50211b8 at 0',
    ]);
  });

  it('finds a frame that begins inside a broken one and ends behind it', () => {
    expect(cut([summed], [[0, 'A5 03 01 A5 02 11 B8']])).toEqual(['broken a50301 at 0', 'frame a50211b8 at 0']);
  });

  it('forgets a broken frame at whose place another decoder has a right one', () => {
    const fixed = draft({ kind: 'length', start: ['A5 03'], length: 4 }, { name: 'fixed' });
    expect(cut([summed, fixed], [[0, 'A5 03 01 02 FF A5 02 11 B8 00 00 00']])).toEqual([
      'frame a5030102 at 0',
      'left-over ff at 0',
      'frame a50211b8 at 0',
      'left-over 000000 at 0',
    ]);
  });

  it('gives each piece the time of its first byte', () => {
    expect(
      cut(
        [summed],
        [
          [10, '00 A5'],
          [20, '02'],
          [30, '11 B8 A5'],
          [40, '02 11 B8 01'],
        ],
      ),
    ).toEqual(['left-over 00 at 10', 'frame a50211b8 at 10', 'frame a50211b8 at 30', 'left-over 01 at 40']);
  });

  it('decides about the rest of a frame after the silence of its framing, and at its end', () => {
    const cutter = compile([checkedDecoder(summed)]).cutter('received');
    cutter.push(bytesOf('A5 05 01'), 0, 3, 100);
    expect(cutter.next()).toBeNull();
    expect(cutter.deadline).toBe(1_100);
    cutter.expire(1_099);
    expect(cutter.next()).toBeNull();
    cutter.expire(1_100);
    expect(cutter.next()).toMatchObject({ length: 3, kind: 'left-over', at: 100 });
    expect(cutter.deadline).toBeNull();
  });

  it('joins no bytes over that silence', () => {
    expect(
      cut(
        [summed],
        [
          [0, 'A5 02'],
          [2_000, '11 B8'],
        ],
      ),
    ).toEqual(['left-over a502 at 0', 'left-over 11b8 at 2000']);
  });

  it('copies what it is given', () => {
    const cutter = compile([checkedDecoder(summed)]).cutter('received');
    const bytes = bytesOf('A5 02 11 B8');
    cutter.push(bytes, 0, 3, 0);
    bytes.fill(0);
    cutter.push(bytesOf('B8'), 0, 1, 1);
    expect(cutter.next()).toMatchObject({ length: 4, kind: 'frame' });
  });

  it('gives out noise before it is much', () => {
    const cutter = compile([checkedDecoder(summed)]).cutter('received');
    const noise = new Uint8Array(5_000);
    cutter.push(noise, 0, noise.length, 0);
    expect(cutter.next()).toMatchObject({ kind: 'left-over' });
  });

  it('takes the first decoder that fits where several share a line', () => {
    const lines = draft({ kind: 'lines', start: '$' }, { name: 'lines' });
    expect(cut([summed, lines], [[0, '24 41 0D 0A A5 02 11 B8 24 A5 02 11 B8 0A 55']])).toEqual([
      'frame 24410d0a at 0',
      'frame a50211b8 at 0',
      'frame 24a50211b80a at 0',
      'left-over 55 at 0',
    ]);
  });
});

describe('framings', () => {
  it('cuts frames of one length', () => {
    expect(one({ kind: 'length', length: 3 }, '01 02 03 04 05 06 07')).toEqual([
      'frame 010203',
      'frame 040506',
      'left-over 07',
    ]);
  });

  it('finds frames of one length by their checksum', () => {
    expect(one({ kind: 'length', length: 3 }, '09 01 02 03 04 05 09', { checksum: { kind: 'sum8' } })).toEqual([
      'broken 09',
      'frame 010203',
      'frame 040509',
    ]);
  });

  it('reads lengths with a factor, in both orders', () => {
    const length = { at: 1, type: 'u16', multiply: 2, add: 3 } as const;
    expect(one({ kind: 'length', length: { ...length, order: 'little' } }, 'FF 01 00 AA BB')).toEqual([
      'frame ff0100aabb',
    ]);
    expect(one({ kind: 'length', length }, 'FF 00 01 AA BB')).toEqual(['frame ff0001aabb']);
  });

  it('takes a length above the longest for no frame', () => {
    const length = { at: 1, type: 'u8' } as const;
    expect(one({ kind: 'length', start: ['A5'], length, longest: 4 }, 'A5 05 A5 03 01')).toEqual([
      'left-over a505',
      'frame a50301',
    ]);
  });

  it('takes bytes without the end for no frame', () => {
    const framing: Framing = { kind: 'length', start: ['7E'], length: 4, end: ['E7'] };
    expect(one(framing, '7E 01 7E 02 03 E7')).toEqual(['left-over 7e01', 'frame 7e0203e7']);
  });

  it('ends frames at one of several markers', () => {
    const framing: Framing = { kind: 'until', start: ['02'], end: ['03 04', '05'] };
    expect(one(framing, '01 02 11 03 12 03 04 02 05 02 11')).toEqual([
      'left-over 01',
      'frame 0211031203' + '04',
      'frame 0205',
      'left-over 0211',
    ]);
    expect(one({ kind: 'until', end: ['0D'] }, '01 0D 02 0D 03')).toEqual(['frame 010d', 'frame 020d', 'left-over 03']);
  });

  it('cuts lines at all line ends, those before a line included', () => {
    expect(one({ kind: 'lines' }, '0D 0A 4F 4B 0D 0A 0D 41 0D 42 0A 43')).toEqual([
      'frame 0d0a4f4b0d0a',
      'frame 0d410d',
      'frame 420a',
      'left-over 43',
    ]);
  });

  it('keeps a carriage return and a line feed together that come apart', () => {
    expect(
      cut(
        [draft({ kind: 'lines' })],
        [
          [0, '41 0D'],
          [5, '0A 42 0D'],
          [20, '43'],
        ],
      ),
    ).toEqual(['frame 410d0a at 0', 'frame 420d at 5', 'left-over 43 at 20']);
  });

  it('decodes SLIP, and keeps a frame with an undefined escape as bytes', () => {
    expect(one({ kind: 'slip' }, 'C0 01 DB DC DB DD C0 C0 02 DB 01 C0 03 C0')).toEqual([
      'frame c001dbdcdbddc0',
      'left-over c002db01c0',
      'frame 03c0',
    ]);
  });

  it('ends a frame after a silence', () => {
    const framing = { kind: 'gap', ms: 10 } as const;
    expect(
      cut(
        [draft(framing)],
        [
          [0, '01'],
          [9, '02'],
          [19, '03'],
        ],
      ),
    ).toEqual(['frame 0102 at 0', 'frame 03 at 19']);
    expect(
      cut(
        [draft(framing, { checksum: { kind: 'sum8' } })],
        [
          [0, '01 02 03'],
          [20, '01 02 04'],
        ],
      ),
    ).toEqual(['frame 010203 at 0', 'broken 010204 at 20']);
  });
});
