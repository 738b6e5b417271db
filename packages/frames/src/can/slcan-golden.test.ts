/** Every row of the golden file of SLCAN, as it came and cut again at random; and three cases from the field. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedField } from '../frame-types.ts';
import {
  type Chunk,
  chunksOf,
  type GoldenCase,
  goldenCases,
  hexOf,
  readChunks,
  recut,
  type SeenPiece,
} from '../testing/golden-cases.ts';

const dbc = readFileSync(new URL('../testing/golden/shared.dbc', import.meta.url));

function read(chunks: readonly Chunk[], file: Uint8Array = dbc) {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const decoder: DecoderDraft = { ...libraryDecoders.slcan, files: [{ use: 'dbc', name: 'test.dbc', sha256 }] };
  return readChunks([decoder], chunks, { files: new Map([[sha256, file]]) });
}

const own = new Set(['id', 'ext', 'rtr', 'dlc', 'data', 'stamp', 'short', 'answer', 'status']);

const plain = ({ value }: DecodedField) =>
  value instanceof Uint8Array ? hexOf(value) : typeof value === 'bigint' ? String(value) : value;

/** Says what a piece is, in the words of the golden file. */
function described({ kind, bytes, at, decoded }: SeenPiece): Record<string, unknown> {
  const t = at * 1_000;
  if (kind !== 'frame') {
    return { text: Buffer.from(bytes).toString('latin1').replace('\r', ''), what: 'no frame', t };
  }
  const known = Object.fromEntries(
    decoded.fields.filter(({ name }) => own.has(name)).map((field) => [field.name, plain(field)]),
  );
  const { stamp, ...rest } = known;
  const signals = decoded.fields.filter(({ name }) => !own.has(name));
  const named = signals.filter((field) => field.named !== undefined).map((field) => [field.name, field.named]);
  const hasMessage = 'id' in known && !['frame', 'remote frame'].includes(decoded.message);
  return {
    ...rest,
    ...(stamp === undefined ? {} : { adapter_ms: stamp }),
    ...(hasMessage ? { message: decoded.message } : {}),
    // The file gives no signals of a short frame.
    ...(hasMessage && known['short'] === undefined
      ? { signals: Object.fromEntries(signals.map((field) => [field.name, plain(field)])) }
      : {}),
    ...(named.length > 0 ? { named: Object.fromEntries(named) } : {}),
    t,
  };
}

function compare(golden: GoldenCase, chunks: readonly Chunk[]): void {
  // The file lists no bells.
  const pieces = read(chunks).pieces.filter(({ decoded }) => decoded.message !== 'refused');
  const seen = pieces.map(described);
  expect(seen).toHaveLength(golden.frames.length);
  for (const [index, { t, ...frame }] of golden.frames.entries()) {
    const { t: seenAt, ...rest } = seen[index] ?? {};
    expect(rest, `frame ${index}`).toEqual(frame);
    if (t !== undefined) {
      expect(seenAt, `frame ${index}`).toBeCloseTo(Number(t), 3);
    }
  }
}

const cases = goldenCases('slcan');

describe('golden frames of SLCAN', () => {
  it('has 126 frames in 53 cases', () => {
    expect([cases.reduce((sum, { frames }) => sum + frames.length, 0), cases.length]).toEqual([126, 53]);
  });

  it.each(cases.map((golden) => [`${golden.case}, ${golden.kind}`, golden] as const))('%s', (_, golden) => {
    compare(golden, chunksOf(golden));
    for (let round = 0; round < (isLong ? 20 : 2); round++) {
      compare(golden, recut(chunksOf(golden)));
    }
  });

  it('give short frames the signals that are there whole', () => {
    const [motor, edges] = ['T18FEF1FE717FF07FFFF3F61\r', 't3017030000FFE20083\r'].map((line) => lineFields(line));
    expect(motor).toMatchObject({ short: true, Coolant: -17, Fuel: 215, Oil: 1767.21875 });
    expect(edges).toMatchObject({ short: true, Lsb37: -15_571_353_600, Msb21: null });
  });
});

const chunk = (text: string, at = 0, direction: Chunk['direction'] = 'received'): Chunk => ({
  at,
  direction,
  bytes: new TextEncoder().encode(text),
});

const lineFields = (text: string, file?: string) =>
  Object.fromEntries(
    (
      read([chunk(text)], file === undefined ? dbc : new TextEncoder().encode(file)).pieces[0]?.decoded.fields ?? []
    ).map(({ name, value }) => [name, value]),
  );

describe('cases from the field', () => {
  it('reads overlapping signals of both byte orders (SavvyCAN#955)', () => {
    const file = `BO_ ${0x97b4_52b0} Mixed: 8 A
 SG_ Intel : 0|16@1+ (1,0) [0|0] "" X
 SG_ Motorola7 : 7|16@0+ (1,0) [0|0] "" X
 SG_ Motorola0 : 0|16@0+ (1,0) [0|0] "" X
`;
    expect(lineFields('T17B452B0802EF706E40C8C800\r', file)).toMatchObject({
      Intel: 61_186,
      Motorola7: 751,
      Motorola0: 30_648,
    });
  });

  it('gives each multiplexed signal only the points of its page (SavvyCAN#754)', () => {
    const lines = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? 't200800B80BDC05000011\r' : 't20080112345678000022\r',
    );
    const points: Record<string, unknown[]> = {};
    for (const { decoded } of read([chunk(lines.join(''))]).pieces) {
      for (const { name, value } of decoded.fields) {
        points[name] = [...(points[name] ?? []), value];
      }
    }
    expect(points['CellA']).toEqual(Array.from({ length: 50 }, () => 3));
    expect(points['Serial']).toEqual(Array.from({ length: 50 }, () => 305_419_896));
    expect(points['Always']).toHaveLength(100);
    expect(points['Fault']).toBeUndefined();
  });

  it('counts time stamps on when they wrap (SavvyCAN#934)', () => {
    const { pieces } = read([chunk('t1010E9FC\r', 1_000), chunk('t10100064\r', 1_200)]);
    expect(pieces.map(({ decoded }) => decoded.adapterAt)).toEqual([59_900, 60_100]);
  });
});

describe('lines of a CAN adapter on a port', () => {
  const sentences = (...chunks: readonly Chunk[]) =>
    read(chunks).pieces.map(({ kind, decoded }) => `${kind} ${decoded.kind} ${decoded.sentence}`);

  it('counts silences of more than a wrap by the time of the port', () => {
    const at = (ms: number, stamp: string) => chunk(`t1010${stamp}\r`, ms);
    const times = read([at(0, '0064'), at(250_000, '0064'), at(250_100, '00C8')]).pieces.map(
      ({ decoded }) => decoded.adapterAt,
    );
    expect(times).toEqual([100, 240_100, 240_200]);
  });

  it('takes stamps that are a little older than the one before as they are', () => {
    const stamps = ['EA5F', '0002', '0001', 'EA5E', '0003'];
    const { pieces } = read([chunk(stamps.map((stamp) => `t1010${stamp}\r`).join(''))]);
    expect(pieces.map(({ decoded }) => decoded.adapterAt)).toEqual([59_999, 60_002, 60_001, 59_998, 60_003]);
  });

  it('follows adapters that count all 16 bits', () => {
    const at = (ms: number, stamp: string) => chunk(`t1010${stamp}\r`, ms);
    const times = read([at(0, 'FFF0'), at(26, '000A')]).pieces.map(({ decoded }) => decoded.adapterAt);
    expect(times).toEqual([65_520, 65_546]);
  });

  it('pairs answers with commands', () => {
    const { pieces, unanswered } = read([
      chunk('S6\r', 0, 'sent'),
      chunk('\r', 5),
      chunk('V\r', 10, 'sent'),
      chunk('t10110F\r', 11),
      chunk('V1013\r', 12),
      chunk('O\r', 20, 'sent'),
      chunk('\x07', 25),
      chunk('t1230\r', 30, 'sent'),
      chunk('z\r', 40),
      chunk('F\r', 50, 'sent'),
    ]);
    expect(pieces.map(({ link, decoded }) => [link.role, link.to, link.ms, decoded.kind, decoded.sentence])).toEqual([
      ['question', null, null, 'right', 'bit rate 500 kbit/s'],
      ['answer', 0, 5, 'right', 'OK: bit rate 500 kbit/s'],
      ['question', null, null, 'right', 'ask for the version'],
      ['notice', null, null, 'right', 'MotorStatus, 1 of 8 bytes'],
      ['answer', 2, 2, 'right', 'hardware 1.0, software 1.3'],
      ['question', null, null, 'right', 'open the channel'],
      ['answer', 5, 5, 'exception', 'refused: open the channel'],
      ['question', null, null, 'right', 'no data'],
      ['answer', 7, 10, 'right', 'OK, sent: frame 123'],
      ['question', null, null, 'right', 'ask for status flags'],
    ]);
    expect(unanswered).toEqual([{ index: 9, limit: 1_000 }]);
  });

  it('finds the frame inside a line that lost its end', () => {
    expect(sentences(chunk('t1018080t10110F\rt10180800FFA2F00\r\x07t1230\r'))).toEqual([
      'broken broken 8 bytes, its end is missing',
      'frame right MotorStatus, 1 of 8 bytes',
      'broken broken 17 bytes, not the digits that its length says',
      'frame exception refused',
      'frame right no data',
    ]);
  });

  it('shows what is no line, and drops nothing', () => {
    const noise = `boot 1.2\r\n\r${'x'.repeat(300)}\rt1230\r`;
    const { pieces } = read([chunk(noise)]);
    expect(pieces.map(({ kind }) => kind)).toEqual(['left-over', 'frame', 'left-over', 'frame']);
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1')).toBe(noise);
    expect(pieces.at(-1)?.decoded).toMatchObject({ kind: 'right', who: '123' });
  });

  it('takes lines that end with a carriage return and a line feed', () => {
    expect(sentences(chunk('t1230\r\nt12411F\r\n'))).toEqual([
      'frame right no data',
      'frame right 1 byte: 1F',
      'left-over left-over 1 byte, no CAN (SLCAN) frame',
    ]);
  });
});
