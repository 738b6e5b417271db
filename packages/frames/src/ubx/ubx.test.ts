import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { readChunks, type SeenPiece } from '../testing/golden-cases.ts';

/** Returns a frame with its checksum. */
function frame(group: number, id: number, payload: readonly number[]): number[] {
  const body = [group, id, payload.length & 255, payload.length >> 8, ...payload];
  let [first, second] = [0, 0];
  for (const byte of body) {
    first = (first + byte) & 255;
    second = (second + first) & 255;
  }
  return [0xb5, 0x62, ...body, first, second];
}

const little = (value: number, size: number) =>
  Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) & 255);

type Step = readonly [direction: '>' | '<', bytes: readonly number[]];

/** Sends (`>`) and receives (`<`) frames, 10 ms apart. */
const talk = (...steps: readonly Step[]) =>
  readChunks(
    [libraryDecoders.ubx, libraryDecoders.nmea],
    steps.map(([direction, bytes], index) => ({
      at: index * 10,
      direction: direction === '>' ? ('sent' as const) : ('received' as const),
      bytes: Uint8Array.from(bytes),
    })),
  );

const field = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((one) => one.name === name);
const only = (bytes: readonly number[]) => talk(['<', bytes]).pieces[0] as SeenPiece;
const kinds = (pieces: readonly SeenPiece[]) => pieces.map(({ kind, bytes }) => [kind, bytes.length]);

it('a UBX message has its checksum behind the payload', () => {
  expect(only(frame(0x06, 0x08, little(200, 6))).decoded.checksum).toEqual({ from: 12, to: 14 });
});

describe('a UBX conversation', () => {
  it('takes the echo of what was sent for no answer', () => {
    const poll = frame(0x0a, 0x04, []);
    const set = frame(0x06, 0x08, [...little(200, 2), ...little(1, 2), ...little(0, 2)]);
    const { pieces, unanswered } = talk(
      ['>', poll],
      ['<', poll],
      ['<', frame(0x0a, 0x04, Array(40).fill(0x41))],
      ['>', set],
      ['<', set],
      ['<', frame(0x05, 0x01, [0x06, 0x08])],
      ['>', poll],
      ['<', poll],
    );
    expect(pieces.map(({ link }) => [link.role, link.to])).toEqual([
      ['question', null],
      ['notice', null],
      ['answer', 0],
      ['question', null],
      ['notice', null],
      ['answer', 3],
      ['question', null],
      ['notice', null],
    ]);
    expect(unanswered).toEqual([{ index: 6, limit: 1_000 }]);
  });

  it('pairs a poll with its answer, and a setting with its acknowledgement', () => {
    const { pieces } = talk(
      ['>', frame(0x0a, 0x04, [])],
      ['>', frame(0x06, 0x08, [...little(200, 2), ...little(1, 2), ...little(0, 2)])],
      ['<', frame(0x05, 0x01, [0x06, 0x08])],
      ['<', frame(0x0a, 0x04, Array(40).fill(0x41))],
      ['<', frame(0x0a, 0x04, Array(40).fill(0x41))],
    );
    expect(pieces.map(({ link }) => [link.role, link.to, link.ms])).toEqual([
      ['question', null, null],
      ['question', null, null],
      ['answer', 1, 10],
      ['answer', 0, 30],
      ['notice', null, null],
    ]);
    expect(pieces.map(({ decoded }) => decoded.sentence).slice(0, 3)).toEqual([
      'asks for MON-VER',
      'every 200 ms, 1 measurements a position, UTC',
      'took CFG-RATE',
    ]);
  });

  it('calls a refused setting an exception', () => {
    const { pieces } = talk(['>', frame(0x06, 0x8a, [0, 1, 0, 0])], ['<', frame(0x05, 0x00, [0x06, 0x8a])]);
    expect(pieces[1]?.decoded).toMatchObject({ kind: 'exception', message: 'ACK-NAK', sentence: 'refused CFG-VALSET' });
  });

  it('expects an answer and an acknowledgement of a polled setting', () => {
    const { pieces, unanswered } = talk(
      ['>', frame(0x06, 0x08, [])],
      ['<', frame(0x06, 0x08, [0xc8, 0, 1, 0, 0, 0])],
      ['<', frame(0x05, 0x01, [0x06, 0x08])],
    );
    expect(pieces.map(({ link }) => link.to)).toEqual([null, 0, 0]);
    expect(unanswered).toEqual([]);
  });

  it('names questions without an answer once', () => {
    const { pieces, unanswered } = talk(['>', frame(0x0a, 0x04, [])], ['<', frame(0x01, 0x61, [1, 0, 0, 0])]);
    expect(pieces[1]?.link.to).toBeNull();
    expect(unanswered).toEqual([{ index: 0, limit: 1_000 }]);
  });
});

describe('a UBX message', () => {
  it('has its settings by key', () => {
    const piece = only(
      frame(0x06, 0x8a, [0, 1, 0, 0, ...little(0x30210001, 4), ...little(100, 2), ...little(0x1031001f, 4), 1]),
    );
    expect(piece.decoded.message).toBe('CFG-VALSET');
    expect(piece.decoded.sentence).toBe('0x30210001 = 100, 0x1031001F = 1');
    expect(field(piece, 'x30210001')).toMatchObject({ value: 100, from: 14, to: 16, place: 'key 0x30210001' });
  });

  it('ends its settings at a key whose value is cut', () => {
    const piece = only(frame(0x06, 0x8a, [0, 1, 0, 0, ...little(0x30210001, 4), 100]));
    expect(piece.decoded.sentence).toBe('no settings');
  });

  it('names the keys that are asked for', () => {
    const piece = only(frame(0x06, 0x8b, [0, 0, 0, 0, ...little(0x30210001, 4)]));
    expect(piece.decoded.sentence).toBe('asks for 0x30210001');
  });

  it('has class, id and payload if its class is unknown', () => {
    const piece = only(frame(0x77, 0x8b, [1, 2, 3]));
    expect(piece.decoded).toMatchObject({ message: 'class 0x77, id 0x8B', sentence: '3 bytes' });
    expect(field(piece, 'payload')?.value).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('has no value from the checksum if its payload is shorter than its fields', () => {
    const piece = only(frame(0x06, 0x00, [1]));
    expect(field(piece, 'portID')).toMatchObject({ value: 1, named: 'UART 1' });
    expect(piece.decoded.fields.every(({ to, name }) => to <= 7 || name === 'checksum')).toBe(true);
  });

  it('has 84 bytes in positions of older receivers', () => {
    const payload = [
      ...Array(20).fill(0),
      3,
      1,
      0,
      12,
      ...little(92_900_520, 4),
      ...little(476_603_040, 4),
      ...Array(52).fill(0),
    ];
    const piece = only(frame(0x01, 0x07, payload));
    expect(piece.decoded.message).toBe('NAV-PVT');
    expect(piece.decoded.sentence).toBe(
      'lat 47.660304°, lon 9.290052°, 3D, no RTK, satellites 12, altitude 0 m, speed 0 m/s',
    );
  });

  it('has satellites as a group', () => {
    const piece = only(
      frame(0x01, 0x35, [
        ...little(1_000, 4),
        1,
        1,
        0,
        0,
        3,
        27,
        30,
        42,
        ...little(121, 2),
        ...little(65_516, 2),
        0x5f,
        0,
        0,
        0,
      ]),
    );
    expect(field(piece, 'svs.0.gnssId')).toMatchObject({ value: 3, named: 'BeiDou' });
    expect(field(piece, 'svs.0.prRes')).toMatchObject({ value: -2, raw: -20, unit: 'm' });
  });
});

describe('cutting of UBX', () => {
  const ack = frame(0x05, 0x01, [0x06, 0x08]);

  it('finds the frames that a damaged length covers', () => {
    const damaged = frame(0x01, 0x61, [1, 0, 0, 0]).with(4, 40);
    expect(kinds(talk(['<', [...damaged, ...ack, ...ack, ...ack, ...ack]]).pieces)).toEqual([
      ['broken', 12],
      ...Array(4).fill(['frame', 10]),
    ]);
  });

  it('does not look for sentences inside a right frame', () => {
    const text = [...Buffer.from('$GPTXT,01,01,02,inside\r\n')];
    expect(kinds(talk(['<', [...frame(0x04, 0x02, text), ...text]]).pieces)).toEqual([
      ['frame', 32],
      ['frame', 24],
    ]);
  });

  it('waits for the rest of a long length, and gives up after a silence', () => {
    const { pieces } = readChunks(
      [libraryDecoders.ubx],
      [
        { at: 0, direction: 'received', bytes: Uint8Array.from([0xb5, 0x62, 1, 7, 0xff, 0xff, ...ack]) },
        { at: 5_000, direction: 'received', bytes: Uint8Array.from(ack) },
      ],
    );
    expect(kinds(pieces)).toEqual([
      ['broken', 6],
      ['frame', 10],
      ['frame', 10],
    ]);
  });

  it('says of a frame without its end that it is missing, before another frame and at the end', () => {
    const cut = [0xb5, 0x62, 0x01, 0x07, 0x5c, 0x00, 0x05, 0x72, 0x97, 0x0c, 0xea];
    const said = (...bytes: readonly number[]) =>
      talk(['<', bytes]).pieces.map(({ kind, decoded }) => [kind, decoded.message, decoded.sentence]);
    const missing = ['broken', 'NAV-PVT', '11 bytes, its end is missing'];
    expect(said(...cut)).toEqual([missing]);
    expect(said(...cut, ...ack)[0]).toEqual(missing);
    const wrong = ack.with(-1, (ack.at(-1) ?? 0) ^ 1);
    expect(said(...wrong)).toEqual([['broken', 'ACK-ACK', '10 bytes, wrong checksum']]);
  });
});
