import { createHash } from 'node:crypto';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { DecoderError } from '../steps/step-files.ts';
import { bytesOf, type Chunk, readChunks } from '../testing/golden-cases.ts';
import { checksumOf } from './crc.ts';
import { readDefinitions } from './definitions.ts';

const base = `<mavlink><enums><enum name="MODE"><entry name="MODE_IDLE" value="0"/><entry name="MODE_RUN" value="1"/></enum></enums>
<messages><message id="7" name="STATE"><field type="uint16_t" name="speed" units="cm/s"/><field type="uint8_t" name="mode" enum="MODE"/><field type="uint8_t" name="sys"/></message></messages></mavlink>`;
const own = `<mavlink><include>base.xml</include><messages><message id="300" name="OWN"><field type="uint8_t[4]" name="data"/></message></messages></mavlink>`;
const definitions = readDefinitions('own.xml', (name) => (name === 'own.xml' ? own : base));

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const files: ReadonlyMap<string, Uint8Array> = new Map(
  [base, own].map((text) => [hashOf(text), new TextEncoder().encode(text)]),
);
const decoder: DecoderDraft = {
  ...libraryDecoders.mavlink,
  files: [
    { use: 'mavlink', name: 'own.xml', sha256: hashOf(own) },
    { use: 'mavlink', name: 'base.xml', sha256: hashOf(base) },
  ],
};

interface Parts {
  readonly version?: 1 | 2;
  readonly seq?: number;
  readonly sys?: number;
  readonly id?: number;
  readonly flags?: number;
  readonly payload?: string;
}

/** A frame whose checksum is right, with CRC_EXTRA 0 if the message is not defined. */
function frame({ version = 2, seq = 0, sys = 1, id = 7, flags = 0, payload = '2c010103' }: Parts = {}): Buffer {
  const data = Buffer.from(payload, 'hex');
  const head =
    version === 1
      ? [0xfe, data.length, seq, sys, 1, id]
      : [0xfd, data.length, flags, 0, seq, sys, 1, id & 0xff, (id >> 8) & 0xff, id >> 16];
  const plain = Buffer.concat([Buffer.from(head), data]);
  const crc = checksumOf(plain, 1, plain.length, definitions.messages.get(id)?.crcExtra ?? 0);
  return Buffer.concat([plain, Buffer.from([crc & 0xff, crc >> 8])]);
}

const read = (...chunks: readonly (Uint8Array | Chunk)[]) =>
  readChunks(
    [decoder],
    chunks.map(
      (chunk, index) =>
        ('at' in chunk && 'bytes' in chunk
          ? chunk
          : { at: index * 1_000, direction: 'received', bytes: chunk }) as Chunk,
    ),
    { files },
  ).pieces;

const words = (...chunks: readonly Uint8Array[]) =>
  read(Buffer.concat(chunks)).map(({ decoded }) => `${decoded.kind} ${decoded.sentence}`);

const state = 'right STATE speed 300 cm/s, mode MODE_RUN, payload.sys 3';

describe('MAVLink on a line', () => {
  it('has messages of a file and of those that it includes', () => {
    const [piece, second] = read(frame(), frame({ id: 300, payload: '01020304' }));
    expect(piece?.decoded).toMatchObject({
      decoder: 'mavlink',
      who: '1.1',
      key: '1.1 STATE',
      message: 'STATE',
      kind: 'right',
    });
    expect(piece?.decoded.fields).toContainEqual({ name: 'speed', value: 300, unit: 'cm/s', from: 10, to: 12 });
    expect(piece?.decoded.fields).toContainEqual({ name: 'mode', value: 1, named: 'MODE_RUN', from: 12, to: 13 });
    expect(piece?.decoded.fields).toContainEqual({ name: 'sys', isHeader: true, value: 1, from: 5, to: 6 });
    expect(piece?.decoded.fields).toContainEqual({ name: 'payload.sys', value: 3, from: 13, to: 14 });
    expect(second?.decoded.sentence).toBe('OWN data 01 02 03 04');
  });

  it('finds the right frame inside a broken one', () => {
    const lost = frame({ id: 300, payload: '01020304' }).subarray(0, 12);
    expect(words(lost, frame(), frame())).toEqual(['broken 12 bytes, its end is missing', state, state]);
  });

  it('shows a frame that is cut off as it is', () => {
    expect(read(frame().subarray(0, 12), frame()).map(({ kind, bytes }) => [kind, bytes.length])).toEqual([
      ['left-over', 12],
      ['frame', 16],
    ]);
  });

  it('shows an undefined message between frames or before a silence, and not in noise', () => {
    const other = frame({ id: 9, payload: '0102' });
    const undefinedMessage = 'right message 9, which is not defined, 2 bytes';
    expect(words(other, frame(), other)).toEqual([undefinedMessage, state, undefinedMessage]);
    expect(words(other, Buffer.from('text'))).toEqual(['left-over 18 bytes, no MAVLink frame']);
    // The bytes of a right frame are no payload of an undefined message.
    const around = Buffer.concat([Buffer.from('fd100000000101090000', 'hex'), frame(), Buffer.from('0000', 'hex')]);
    expect(words(around, frame())).toEqual([
      'left-over 10 bytes, no MAVLink frame',
      state,
      'left-over 2 bytes, no MAVLink frame',
      state,
    ]);
  });

  it('gives no values if a frame has flags that it does not know', () => {
    const [piece] = read(frame({ flags: 0x02 }));
    expect(piece?.decoded.sentence).toBe('STATE, not read: it needs features that this version does not know');
    expect(piece?.decoded.fields.map(({ name }) => name)).not.toContain('speed');
  });

  it('shows bytes behind the fields that it knows', () => {
    const [piece] = read(frame({ payload: '2c010103aabb' }));
    expect(piece?.decoded.fields).toContainEqual({
      name: 'payload.rest',
      value: Uint8Array.of(0xaa, 0xbb),
      from: 14,
      to: 16,
    });
  });

  it('counts lost frames of each system; a restart and a repetition lose none', () => {
    const missing = (...frames: readonly [sys: number, seq: number, version?: 1 | 2][]) =>
      read(...frames.map(([sys, seq, version = 2]) => frame({ sys, seq, version }))).map(({ link }) => link.missing);
    expect(missing([1, 0], [2, 9], [1, 1], [2, 12], [1, 3, 1])).toEqual([0, 0, 0, 2, 1]);
    expect(missing([1, 254], [1, 255], [1, 0], [1, 0], [1, 200], [1, 0])).toEqual([0, 0, 0, 0, 0, 55]);
  });

  it('takes 13 bytes behind a frame for a signature without its flag, unless they are text', () => {
    const signature = bytesOf('0500b0b72b8b19112233445566');
    const seen = (...chunks: Uint8Array[]) =>
      read(Buffer.concat(chunks)).map(({ bytes, kind }) => [kind, bytes.length]);
    expect(seen(frame(), signature)).toEqual([['frame', 29]]);
    expect(seen(frame(), signature, frame())).toEqual([
      ['frame', 29],
      ['frame', 16],
    ]);
    expect(seen(frame(), Buffer.from('boot: hello\r\n'), frame())).toEqual([
      ['frame', 16],
      ['left-over', 13],
      ['frame', 16],
    ]);
    expect(seen(frame(), signature.subarray(1), frame())).toEqual([
      ['frame', 16],
      ['left-over', 12],
      ['frame', 16],
    ]);
    const [piece] = read(Buffer.concat([frame(), signature]));
    expect(piece?.decoded.fields).toContainEqual({
      name: 'signature',
      value: 'not checked',
      from: 23,
      to: 29,
      place: 'without its flag',
    });
  });

  it('drops no byte of any stream, and calls no damaged frame right', () => {
    const numbers = random('streams');
    for (let round = 0; round < (isLong ? 10_000 : 300); round++) {
      const parts = Array.from({ length: 1 + numbers.below(6) }, () => {
        const one = frame({
          seq: numbers.below(256),
          version: numbers.below(2) === 0 ? 1 : 2,
          payload: randomBytes(4, numbers).toString('hex'),
        });
        return numbers.below(3) === 0 ? randomBytes(numbers.below(40), numbers) : one;
      });
      const stream = Buffer.concat(parts);
      for (let change = numbers.below(4); change > 0 && stream.length > 0; change--) {
        stream[numbers.below(stream.length)] = numbers.below(256);
      }
      for (const { kind, bytes, decoded } of read(stream)) {
        const isState = kind === 'frame' && decoded.message === 'STATE';
        const end = bytes[0] === 0xfe ? 6 + (bytes[1] ?? 0) : 10 + (bytes[1] ?? 0);
        const crc = isState ? checksumOf(bytes, 1, end, definitions.messages.get(7)?.crcExtra ?? 0) : 0;
        expect(isState ? (bytes[end] ?? 0) | ((bytes[end + 1] ?? 0) << 8) : 0).toBe(crc);
      }
    }
  });
});

describe('files of a MAVLink decoder', () => {
  const compiled =
    (use: DecoderDraft, given = files) =>
    () =>
      readChunks([use], [], { files: given });
  const named = (name: string, text: string): [DecoderDraft, typeof files] => [
    { ...decoder, files: [{ use: 'mavlink', name, sha256: hashOf(text) }] },
    new Map<string, Uint8Array>([[hashOf(text), new TextEncoder().encode(text)]]),
  ];

  it.each([
    [
      { ...decoder, files: [] },
      files,
      'The decoder MAVLink has no message definitions. Add an XML file, such as common.xml.',
    ],
    [decoder, new Map(), 'The file own.xml of the decoder MAVLink is missing. Add it to the decoder.'],
    [...named('own.xml', own), 'base.xml is missing: own.xml includes it.'],
    [...named('own.xml', '<mavlink>'), 'own.xml: Line 1: <mavlink> has no end.'],
    [...named('own.xml', '<mavlink/>'), 'own.xml defines no message.'],
  ] as const)('are refused if they cannot be used: %#', (use, given, sentence) => {
    expect(compiled(use as DecoderDraft, given as typeof files)).toThrow(new DecoderError(sentence));
  });
});
