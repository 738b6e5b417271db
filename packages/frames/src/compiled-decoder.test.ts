import type { DecoderDraft } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { isMadeFor } from './compile.ts';
import { bytesOf, type Chunk, checkedDecoder, readChunks, type SeenPiece } from './testing/golden-cases.ts';

type Fields = NonNullable<DecoderDraft['fields']>;

const my = (more: Partial<DecoderDraft>): DecoderDraft => ({
  name: 'my',
  title: 'Mine',
  framing: { kind: 'gap', ms: 10 },
  ...more,
});

function read(
  draft: DecoderDraft,
  ...frames: readonly (string | (Omit<Chunk, 'bytes'> & { hex: string }))[]
): readonly SeenPiece[] {
  const chunks = frames.map(
    (frame, index): Chunk =>
      typeof frame === 'string'
        ? { at: index * 100, direction: 'received', bytes: bytesOf(frame) }
        : { ...frame, bytes: bytesOf(frame.hex) },
  );
  return readChunks([draft], chunks).pieces;
}

function decode(draft: DecoderDraft, hex: string) {
  const decoded = read(draft, hex)[0]?.decoded;
  if (decoded === undefined) {
    throw new Error('no frame');
  }
  return decoded;
}

/** Values by name, numbers of 64 bits as bigint. */
const valuesOf = (fields: Fields, hex: string, more: Partial<DecoderDraft> = {}) =>
  Object.fromEntries(decode(my({ fields, ...more }), hex).fields.map(({ name, value }) => [name, value]));

describe('fields', () => {
  it.each([
    ['u8', 'FF', 255],
    ['i8', 'FF', -1],
    ['u16', '01 02', 0x0102],
    ['i16', 'FF FE', -2],
    ['u24', '01 02 03', 0x010203],
    ['i24', 'FF FF FE', -2],
    ['u32', 'FF FF FF FF', 0xffffffff],
    ['i32', 'FF FF FF FF', -1],
    ['u64', 'FF FF FF FF FF FF FF FF', 0xffff_ffff_ffff_ffffn],
    ['i64', 'FF FF FF FF FF FF FF FF', -1n],
    ['f32', '3F C0 00 00', 1.5],
    ['f64', '3F F8 00 00 00 00 00 00', 1.5],
  ] as const)('%s is read in both orders', (type, hex, value) => {
    expect(valuesOf([{ name: 'v', type }], hex)).toEqual({ v: value });
    const reversed = hex.split(' ').toReversed().join(' ');
    expect(valuesOf([{ name: 'v', type, order: 'little' }], reversed)).toEqual({ v: value });
  });

  it('follow each other, or stand at an offset from either end', () => {
    const fields: Fields = [
      { name: 'a', type: 'u8', at: 1 },
      { name: 'b', type: 'u8' },
      { name: 'c', type: 'u8', at: -1 },
    ];
    expect(valuesOf(fields, '00 11 22 33 44')).toEqual({ a: 0x11, b: 0x22, c: 0x44 });
  });

  it('take bits of one number', () => {
    const fields: Fields = [
      { name: 'low', type: 'u16', bit: 0, bits: 4 },
      { name: 'high', type: 'i16', at: 'previous', bit: 12, bits: 4 },
      { name: 'next', type: 'u8' },
    ];
    expect(valuesOf(fields, 'F0 05 07')).toEqual({ low: 5, high: -1, next: 7 });
    expect(decode(my({ fields }), 'F0 05 07').fields[1]).toMatchObject({ place: 'bits 12 to 15', from: 0, to: 2 });
  });

  it('read BCD, text up to a NUL, and bytes', () => {
    const fields: Fields = [
      { name: 'bcd', type: 'bcd', length: 2 },
      { name: 'odd', type: 'bcd', length: 1 },
      { name: 'text', type: 'text', length: 4 },
      { name: 'rest', type: 'bytes', length: 'rest' },
    ];
    const hex = '12 34 1A 41 42 00 43 FE FF';
    expect(valuesOf(fields, hex)).toEqual({ bcd: 1234, odd: null, text: 'AB', rest: bytesOf('FE FF') });
  });

  it('repeat as often as a field before them says', () => {
    const fields: Fields = [
      { name: 'n', type: 'u8' },
      { name: 'v', type: 'u8', count: { field: 'n', multiply: 2, add: -1 } },
      {
        name: 'sats',
        count: 'n',
        fields: [
          { name: 'id', type: 'u8' },
          { name: 'cno', type: 'u16' },
        ],
      },
      { name: 'tail', type: 'u8', count: 'rest', first: 1 },
    ];
    expect(valuesOf(fields, '02 01 02 03 0A 0001 0B 0002 7E 7F')).toEqual({
      n: 2,
      'v.0': 1,
      'v.1': 2,
      'v.2': 3,
      'sats.0.id': 10,
      'sats.0.cno': 1,
      'sats.1.id': 11,
      'sats.1.cno': 2,
      'tail.1': 0x7e,
      'tail.2': 0x7f,
    });
  });

  it('have a unit, a scale, names and flags', () => {
    const fields: Fields = [
      { name: 'current', type: 'u16', scale: 0.01, unit: 'A' },
      { name: 'temp', type: 'u8', scale: 0.5, offset: -40, unit: '°C' },
      { name: 'ratio', type: 'u8', divide: 8 },
      { name: 'gear', type: 'u8', values: { '2': 'second' } },
      { name: 'state', type: 'u8', flags: { '0': 'ready', '7': 'fault' } },
    ];
    const decoded = decode(my({ fields }), '01 38 5B 03 02 81');
    expect(decoded.fields).toEqual([
      { name: 'current', value: 3.12, raw: 312, how: 'divided by 100', unit: 'A', from: 0, to: 2 },
      { name: 'temp', value: 5.5, raw: 91, how: 'divided by 2, minus 40', unit: '°C', from: 2, to: 3 },
      { name: 'ratio', value: 0.375, raw: 3, how: 'divided by 8', from: 3, to: 4 },
      { name: 'gear', value: 2, named: 'second', from: 4, to: 5 },
      { name: 'state', value: 0x81, named: 'ready, fault', from: 5, to: 6 },
    ]);
    expect(decoded.sentence).toBe('current 3.12 A, temp 5.5 °C, ratio 0.375, gear second, state ready, fault');
  });

  it('are left out where the frame ends, with the places of those that are there', () => {
    const { fields, sentence } = decode(
      my({
        fields: [
          { name: 'a', type: 'u8' },
          { name: 'b', type: 'u16' },
          { name: 'c', type: 'u8' },
        ],
      }),
      '01 02',
    );
    expect(fields.map(({ name }) => name)).toEqual(['a']);
    expect(sentence).toBe('a 1, frame too short for all fields');
  });

  it('stop before a checksum and an end', () => {
    const decoder = my({
      framing: { kind: 'length', start: ['7E'], length: 5, end: ['E7'] },
      checksum: { kind: 'sum8', from: 1 },
      fields: [{ name: 'v', type: 'u8', count: 'rest' }],
    });
    expect(decode(decoder, '7E 01 02 03 E7').fields.map(({ name, from }) => [name, from])).toEqual([
      ['v.0', 1],
      ['v.1', 2],
    ]);
  });

  it('keep the place of their bytes on the wire through escapes', () => {
    const fields: Fields = [
      { name: 'a', type: 'u8' },
      { name: 'b', type: 'u16' },
    ];
    const slip = decode(my({ framing: { kind: 'slip' }, fields }), 'C0 DB DC 01 DB DD C0');
    expect(slip.fields).toEqual([
      { name: 'a', value: 0xc0, from: 1, to: 3 },
      { name: 'b', value: 0x01db, from: 3, to: 6 },
    ]);
    const cobs = decode(my({ framing: { kind: 'cobs' }, fields }), '01 03 11 22 00');
    expect(cobs.fields).toEqual([
      { name: 'a', value: 0, from: 1, to: 2 },
      { name: 'b', value: 0x1122, from: 2, to: 4 },
    ]);
  });

  it('are parts of a text line; an empty part has no value', () => {
    const text = (line: string) => Buffer.from(line).toString('hex');
    const decoder = my({
      framing: { kind: 'lines', start: '$', separator: ';' },
      fields: [
        { name: 'id', type: 'text', part: 0 },
        { name: 'temp', type: 'f64', part: 1, unit: '°C' },
        { name: 'empty', type: 'f64', part: 2 },
        { name: 'word', type: 'f64', part: 3 },
        { name: 'big', type: 'u64', part: 4 },
        { name: 'missing', type: 'text', part: 9 },
      ],
    });
    const { fields } = decode(decoder, text('$A;-2.5;;12x;18446744073709551615\r\n'));
    expect(fields.map(({ name, value, from, to }) => [name, value, from, to])).toEqual([
      ['id', '$A', 0, 2],
      ['temp', -2.5, 3, 7],
      ['empty', null, 8, 8],
      ['word', null, 9, 12],
      ['big', 18_446_744_073_709_551_615n, 13, 33],
    ]);
  });
});

describe('messages', () => {
  const decoder = my({
    fields: [
      { name: 'id', type: 'u8' },
      { name: 'who', type: 'u8' },
    ],
    who: '{who}',
    key: 'node {who}',
    line: 'message {id}: {fields}',
    messages: [
      {
        name: 'speed',
        when: [{ field: 'id', is: [1, 2] }],
        fields: [{ name: 'rpm', type: 'u16', unit: 'rpm' }],
        line: '{rpm} of {who}',
      },
      { name: 'alarm', when: [{ field: 'id', from: 0x80, to: 0x8f }], exception: true, key: 'alarms' },
      {
        name: 'ping',
        when: [
          { field: 'frame.length', is: 2 },
          { field: 'frame.direction', is: 'received' },
        ],
      },
    ],
  });

  it.each([
    ['02 07 05 C8', 'speed', 'right', '1480 rpm of 7', 'node 7'],
    ['81 07', 'alarm', 'exception', 'message 129: id 129, who 7', 'alarms'],
    ['20 07', 'ping', 'right', 'message 32: id 32, who 7', 'node 7'],
    ['20 07 01', '', 'right', 'message 32: id 32, who 7, data 01', 'node 7'],
  ])('%s is %s', (hex, message, kind, sentence, key) => {
    expect(decode(decoder, hex)).toMatchObject({ decoder: 'my', message, kind, sentence, key, who: '7' });
  });

  it('have their own fields in the order of the conditions', () => {
    const both = my({
      fields: [{ name: 'id', type: 'u8' }],
      messages: [
        { name: 'first', when: [{ field: 'id', is: 1 }] },
        { name: 'second', when: [{ field: 'id', is: 1 }] },
      ],
    });
    expect(decode(both, '01').message).toBe('first');
  });
});

describe('conversation by data', () => {
  const decoder = my({
    fields: [
      { name: 'id', type: 'u8' },
      { name: 'tag', type: 'u8' },
    ],
    messages: [
      { name: 'ask', when: [{ field: 'id', is: 1 }], question: true },
      { name: 'tell', when: [{ field: 'id', is: 2 }], answers: ['ask'] },
      { name: 'set', when: [{ field: 'id', is: 3 }], question: true, answers: ['set'] },
    ],
    pairing: { same: ['tag'], limit: 250 },
  });

  it('pairs an answer with the newest question that has the same fields', () => {
    const links = read(decoder, '01 05', '01 06', '02 05', '02 05').map(({ link }) => [link.role, link.to, link.ms]);
    expect(links).toEqual([
      ['question', null, null],
      ['question', null, null],
      ['answer', 0, 200],
      ['answer', null, null],
    ]);
  });

  it('reports questions whose limit has passed, once', () => {
    const pieces = read(decoder, '01 05', '02 04', '02 04', '02 05', '02 05');
    expect(pieces.map(({ unanswered }) => unanswered)).toEqual([[], [], [], [{ index: 0, limit: 250 }], []]);
    expect(pieces[3]?.link).toMatchObject({ to: 0, isLate: true });
  });

  it('takes the echo of a sent question for no other one', () => {
    const talk = (...frames: readonly (readonly ['sent' | 'received', string])[]) => {
      const chunks = frames.map(([direction, hex], index) => ({ at: 100 * index, direction, bytes: bytesOf(hex) }));
      const { pieces, unanswered } = readChunks([decoder], chunks);
      const seen = pieces.map(({ link }) => (link.to === null ? link.role : `${link.role} to ${link.to}`));
      return [...seen, ...unanswered.map(({ index }) => `none to ${index}`)];
    };
    expect(talk(['sent', '01 05'], ['received', '01 05'], ['received', '02 05'])).toEqual([
      'question',
      'notice',
      'answer to 0',
    ]);
    // A question whose answer is the same bytes: the first is its echo where others had one.
    const repeat = [['sent', '03 05'] as const, ['received', '03 05'] as const] as const;
    expect(talk(...repeat)).toEqual(['question', 'answer to 0']);
    expect(talk(['sent', '01 05'], ['received', '01 05'], ['received', '02 05'], ...repeat, repeat[1])).toEqual([
      'question',
      'notice',
      'answer to 0',
      'question',
      'notice',
      'answer to 3',
    ]);
  });

  it('counts frames that are missing by the sequence number of each sender', () => {
    const counted = my({
      fields: [
        { name: 'seq', type: 'u8' },
        { name: 'sys', type: 'u8' },
      ],
      sequence: { field: 'seq', per: ['sys'] },
    });
    const missing = read(counted, 'FE 01', 'FF 01', '00 01', '03 01', '10 02', '03 01', '02 01', '12 02').map(
      ({ link }) => link.missing,
    );
    expect(missing).toEqual([0, 0, 0, 2, 0, 0, 0, 1]);
  });
});

describe('decoders that share a line', () => {
  const lines = my({
    name: 'lines',
    framing: { kind: 'lines', start: '$' },
    fields: [{ name: 'text', type: 'text', part: 0 }],
  });
  const long = my({
    name: 'long',
    framing: { kind: 'length', start: ['A5'], length: 2_000 },
    checksum: { kind: 'sum8' },
  });

  it('find each frame again by its bytes, whatever came before', () => {
    const texts = ['$long enough\n', '$b\n', '$c\n', '$a long one again\n'];
    const chunks = texts.map((text, at): Chunk => ({ at, direction: 'received', bytes: Buffer.from(text) }));
    const { pieces } = readChunks([long, lines], chunks);
    expect(pieces.map(({ decoded }) => decoded.fields[0]?.value)).toEqual(texts.map((text) => text.trim()));
  });

  it('find long frames again, however many there were', () => {
    const frame = new Uint8Array(2_000);
    frame[0] = 0xa5;
    frame[1_999] = 0xa5;
    const chunks = Array.from({ length: 800 }, (_, at): Chunk => ({ at, direction: 'received', bytes: frame }));
    const { pieces } = readChunks([long, lines], chunks);
    expect(new Set(pieces.map(({ decoded }) => decoded.decoder))).toEqual(new Set(['long']));
  });

  it('apply to frames with their first bytes and lengths alone', () => {
    const first = my({ name: 'first', framing: { kind: 'cobs' }, when: { first: ['01 02'], shortest: 3, longest: 4 } });
    const rest = my({ name: 'rest', framing: { kind: 'cobs' }, when: { shortest: 2 } });
    const stream = [
      '03 01 02 00',
      '04 01 02 03 00',
      '05 01 02 03 04 00',
      '06 01 02 03 04 05 00',
      '04 01 01 03 00',
      '02 01 00',
    ];
    const { pieces } = readChunks([first, rest], [{ at: 0, direction: 'received', bytes: bytesOf(stream.join('')) }]);
    expect(pieces.map(({ decoded }) => decoded.decoder)).toEqual(['rest', 'first', 'first', 'rest', 'rest', '']);
  });
});

describe('decoder for an adapter', () => {
  it.each([
    [['0403'], 0x0403, 0x6001, true],
    [['0403:6001'], 0x0403, 0x6001, true],
    [['0403:6015'], 0x0403, 0x6001, false],
    [['04D8:00aF'], 0x04d8, 0x00af, true],
    [[], 0x0403, 0x6001, false],
    [['0403'], undefined, undefined, false],
  ])('%j fits %i:%i: %s', (usb, usbVendorId, usbProductId, expected) => {
    expect(isMadeFor(checkedDecoder(my({ when: { usb } })), { usbVendorId, usbProductId })).toBe(expected);
  });
});

describe('pieces that are no frame', () => {
  it('say their length, and that the checksum is wrong', () => {
    const decoder = my({ framing: { kind: 'length', start: ['A5'], length: 3 }, checksum: { kind: 'sum8' } });
    const sentences = read(decoder, 'A5 01 00 99').map(({ decoded }) => [
      decoded.kind,
      decoded.decoder,
      decoded.sentence,
      decoded.fields.length,
    ]);
    expect(sentences).toEqual([
      ['broken', 'my', '3 bytes, wrong checksum', 0],
      ['left-over', '', '1 byte, no Mine frame', 0],
    ]);
  });
});
