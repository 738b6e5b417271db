/** Any decoder that the check accepts, on any bytes: no byte is lost, nothing throws, memory and work are bounded. */

import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderContent, type DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { assert, beforeAll, describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import type { DecodedField } from './frame-types.ts';
import { loadBuiltInFile } from './ready-reader.ts';
import { checkedDecoder, chunksOf, goldenCases } from './testing/golden-cases.ts';
import { protocolDecoders } from './testing/protocol-decoders.ts';

type Source = ReturnType<typeof random>;

const pick = <Item>(source: Source, items: readonly Item[]): Item => items[source.below(items.length)] as Item;
const maybe = <Item>(source: Source, value: () => Item) => (source.below(3) === 0 ? value() : undefined);

/** Bytes of a hostile stream. */
const SIZE = isLong ? 1_048_576 : 131_072;

const types = [
  'u8',
  'i8',
  'u16',
  'i16',
  'u24',
  'i24',
  'u32',
  'i32',
  'u64',
  'i64',
  'f32',
  'f64',
  'bcd',
  'text',
  'bytes',
  'hex',
  'number',
  'unit',
  'int',
  'uint',
  'bits7',
];
const sized = ['bcd', 'text', 'bytes', 'hex', 'number', 'unit', 'int', 'uint', 'bits7'];

function size(source: Source, names: readonly string[]): unknown {
  const name = pick(source, ['frame.length', ...names]);
  return pick(source, [
    'rest',
    source.below(5),
    source.below(70_000),
    name,
    { field: name, multiply: 1 + source.below(256), add: source.below(9) - 4 },
    { field: name, table: { 0: 1, 1: 2, 255: 7 } },
  ]);
}

function condition(source: Source, names: readonly string[]): object {
  const name = pick(source, ['frame.length', 'frame.parts', ...names, ...names.map((one) => `question.${one}`)]);
  return { field: name, ...pick(source, [{ from: 1 }, { to: 200 }, { is: [0, 1, 7] }]) };
}

function field(source: Source, name: string, names: readonly string[], isInner: boolean): object {
  if (!isInner && source.below(6) === 0) {
    const fields = Array.from({ length: 1 + source.below(3) }, (_, index) => field(source, `i${index}`, names, true));
    if (source.below(3) === 0) {
      const addressed = fields.map((one) => ({ ...one, at: source.below(20), part: undefined }));
      return { name, base: size(source, names), step: maybe(source, () => 2), fields: addressed };
    }
    return { name, count: size(source, names), until: maybe(source, () => [condition(source, ['i0'])]), fields };
  }
  const type = pick(source, types);
  const isBytes = sized.includes(type);
  if (source.below(24) === 0) {
    return { name, type, key: pick(source, ['$', 'G', [',', '$GPGGA,']]), part: maybe(source, () => source.below(3)) };
  }
  return {
    when: maybe(source, () => [condition(source, names)]),
    in: names.length > 0 && source.below(24) === 0 ? pick(source, names) : undefined,
    ...(type === 'text' && { separator: maybe(source, () => ', ') }),
    power: source.below(24) === 0 ? pick(source, [-3, 30, ...names]) : undefined,
    name,
    type,
    at: maybe(source, () => pick(source, ['previous', source.below(40) - 20, source.below(140_000) - 70_000])),
    part: maybe(source, () => source.below(12) - 3),
    order: maybe(source, () => pick(source, ['big', 'little', 'badc', 'cdab'])),
    count: maybe(source, () => size(source, names)),
    ...(isBytes && { length: size(source, names) }),
    ...(!isBytes &&
      !type.startsWith('f') && {
        bit: maybe(source, () => source.below(4)),
        bits: maybe(source, () => 1 + source.below(4)),
      }),
    scale: maybe(source, () => pick(source, [0, 0.1, -3, 1e300, 1e-300])),
    offset: maybe(source, () => -40),
    values: maybe(source, () => ({ '0': 'off', '1': 'on' })),
    flags: maybe(source, () => ({ '0': 'ready', '63': 'last' })),
  };
}

function fields(source: Source, prefix: string, before: readonly string[]): object[] {
  const names = [...before];
  return Array.from({ length: source.below(6) }, (_, index) => {
    const name = `${prefix}${index}`;
    const made = field(source, name, names, false);
    names.push(name);
    return made;
  });
}

/** One framing, or several shapes. */
function anyFraming(source: Source): object {
  return source.below(4) > 0
    ? framing(source)
    : {
        kind: 'any',
        of: Array.from({ length: 1 + source.below(3) }, () => ({
          ...shape(source),
          direction: maybe(source, () => pick(source, ['sent', 'received'])),
          checksum: maybe(source, () => checksum(source)),
        })),
      };
}

/** A framing that no step measures. */
function shape(source: Source): object {
  const one = framing(source);
  return 'kind' in one && one.kind === 'step' ? { kind: 'cobs' } : one;
}

function checksum(source: Source): object {
  const kind = pick(source, ['sum8', 'lrc', 'xor8', 'fletcher8', 'crc16-modbus', 'crc32']);
  return {
    kind,
    order: pick(source, ['big', 'little']),
    form: pick(source, ['bytes', 'hex']),
    at: maybe(source, () => source.below(20) - 10),
    from: source.below(20) - 10,
    to: maybe(source, () => source.below(20) - 10),
    wire: maybe(source, () => true),
    question: maybe(source, () => source.below(3) === 0),
    ...((kind === 'sum8' || kind === 'lrc') && {
      xorOut: maybe(source, () => 255),
      negate: maybe(source, () => true),
      init: maybe(source, () => source.below(300)),
    }),
  };
}

function transform(source: Source): object {
  return {
    from: source.below(9) - 4,
    to: maybe(source, () => source.below(9) - 4),
    ...pick(source, [{ add: -51 }, { xor: 255 }, { remove: '00', after: '00 00' }, { remove: '7E', after: '7E' }]),
  };
}

function framing(source: Source): object {
  const marker = () => [pick(source, ['00', '7E', 'B5 62', 'AA AA AA', '00 00', '8x', '7E xx 7E'])];
  const longest = maybe(source, () => 1 + source.below(65_543));
  return pick(source, [
    () => ({
      kind: 'length',
      start: maybe(source, marker),
      end: maybe(source, marker),
      length: 1 + source.below(30),
      longest,
    }),
    () => ({
      kind: 'length',
      start: maybe(source, marker),
      end: maybe(source, marker),
      length: {
        at: source.below(9),
        type: pick(source, ['u8', 'u16', 'u24', 'u32']),
        order: pick(source, ['big', 'little']),
        add: source.below(12) - 3,
      },
      longest,
    }),
    () => ({
      kind: 'length',
      start: marker(),
      length: {
        at: source.below(9),
        type: 'u16',
        mask: 1 + source.below(0xffff),
        plus: maybe(source, () => [{ at: source.below(9), type: 'u8' }]),
      },
      longest,
    }),
    () => ({
      kind: 'until',
      start: maybe(source, marker),
      end: marker(),
      after: maybe(source, () => 1 + source.below(9)),
      hex: maybe(source, () => true),
      separator: maybe(source, () => pick(source, [',', ' ', '\t$', '()* '])),
      longest,
    }),
    () => ({
      kind: 'lines',
      start: maybe(source, () => '$'),
      hex: maybe(source, () => true),
      separator: maybe(source, () => pick(source, [' ', ', ', '\t'])),
      longest,
    }),
    () => ({
      kind: 'escaped',
      start: maybe(source, marker),
      end: marker(),
      after: maybe(source, () => 1 + source.below(9)),
      escape: pick(source, ['7E', '00', 'DB']),
      ...pick(source, [{ doubled: true }, { xor: 0 }, { xor: 32 }, { replace: { '00': '01', DD: 'DB' } }]),
      longest,
    }),
    () => ({
      kind: 'escaped',
      start: marker(),
      length: { at: source.below(4), type: 'u8', add: source.below(6) },
      escape: pick(source, ['7D', '00']),
      ...pick(source, [{ doubled: true }, { xor: 32 }]),
      longest,
    }),
    () => ({ kind: 'cobs', longest }),
    () => ({ kind: 'slip', longest }),
    () => ({ kind: 'gap', ms: 5, longest }),
    () => ({ kind: 'step', longest: 256 }),
  ])();
}

function decoder(source: Source): unknown {
  const own = fields(source, 'f', []);
  const names = own.map((one) => (one as { name: string }).name);
  return {
    name: 'any',
    title: 'Any',
    framing: anyFraming(source),
    order: pick(source, ['big', 'little', 'badc', 'cdab']),
    ...(source.below(2) === 0
      ? { checksum: maybe(source, () => checksum(source)) }
      : { checksums: Array.from({ length: source.below(3) }, () => checksum(source)) }),
    transform: maybe(source, () => [transform(source)]),
    fields: own,
    messages: Array.from({ length: source.below(4) }, (_, index) => ({
      name: `m${index}`,
      when: names.length === 0 ? [] : [{ field: pick(source, names), is: pick(source, [0, 1, [1, 2, 255]]) }],
      fields: fields(source, `m${index}_`, names),
      question: source.below(2) === 0,
      answers: index > 0 ? ['m0'] : [],
      line: maybe(source, () => '{f0} {f1.*} {fields} {nothing}'),
    })),
    pairing: maybe(source, () => ({ same: names.slice(0, 1), limit: 1 + source.below(500) })),
    sequence: maybe(source, () => ({ field: names[0] ?? 'frame.length' })),
    steps: pick(source, [[], [], [], [], [], ['modbus'], ['dmx']]),
  };
}

/** Bytes that look like frames more often than chance. */
function bytes(source: Source, length: number): Uint8Array {
  const special = [0, 1, 2, 3, 0x7e, 0xe7, 0xb5, 0x62, 0xaa, 0xc0, 0xdb, 0x24, 0x0a, 0x0d, 0xff];
  return Uint8Array.from({ length }, () => (source.below(2) === 0 ? pick(source, special) : source.below(256)));
}

/** Files of the ready decoders. */
const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const { files: named = [] } of Object.values<DecoderDraft>(libraryDecoders)) {
    for (const { sha256 } of named) {
      files.set(sha256, (await loadBuiltInFile(sha256)) ?? new Uint8Array(0));
    }
  }
});

/** Returns true for fields of which one has a value. Steps say of a broken frame which it is. */
const hasValue = (fields: readonly DecodedField[], contents: readonly DecoderContent[]) =>
  contents.every(({ steps }) => steps.length === 0) && fields.some(({ value }) => value !== null);

/** Reads a stream in random chunks, and returns the number of its pieces. */
function readAll(contents: readonly DecoderContent[], stream: Uint8Array, source: Source): number {
  const reader = compile(contents, { files });
  const cutter = reader.cutter('received');
  const conversation = reader.conversation();
  let at = 0;
  let pieces = 0;
  let time = 0;
  const drain = () => {
    for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
      // An expectation for each piece would take most of the time.
      assert(piece.length > 0, 'an empty piece');
      const frame = stream.slice(at, at + piece.length);
      at += piece.length;
      pieces++;
      const link = conversation.add(frame, piece.kind, 'received', piece.at, piece.until);
      const decoded = conversation.decode(frame, piece.kind, link, 'received');
      assert(decoded.kind !== 'broken' || !hasValue(decoded.fields, contents), 'a value of a broken frame');
      assert(decoded.fields.length <= 5_000, `${decoded.fields.length} fields`);
      assert(decoded.sentence.length + decoded.key.length < 20_000, 'a long sentence');
      for (const { from, to } of decoded.fields) {
        assert(from <= to && from >= 0 && to <= frame.length, `a field from ${from} to ${to} of ${frame.length} bytes`);
      }
    }
  };
  for (let from = 0; from < stream.length; ) {
    const to = Math.min(stream.length, from + 1 + source.below(300));
    time += source.below(10) === 0 ? 2_000 : source.below(20);
    cutter.push(stream, from, to, time);
    from = to;
    drain();
  }
  cutter.end();
  drain();
  expect(at).toBe(stream.length);
  expect(cutter.deadline).toBeNull();
  return pieces;
}

describe('any decoder', () => {
  it('reads any bytes without losing one', { timeout: 900_000 }, () => {
    const source = random('random decoders');
    let accepted = 0;
    for (let turn = 0; turn < (isLong ? 100_000 : 1_500); turn++) {
      const draft = JSON.stringify(decoder(source));
      const { content } = checkDecoder(draft);
      if (content === null) {
        continue;
      }
      accepted++;
      try {
        readAll([content], bytes(source, source.below(600)), source);
      } catch (error) {
        throw new Error(`decoder ${draft}`, { cause: error });
      }
    }
    expect(accepted).toBeGreaterThan(isLong ? 20_000 : 300);
  });

  it('shares a line with others', { timeout: 300_000 }, () => {
    const source = random('several decoders');
    for (let turn = 0; turn < (isLong ? 5_000 : 100); turn++) {
      const contents = Array.from({ length: 4 }, () => checkDecoder(JSON.stringify(decoder(source))).content).filter(
        (content) => content !== null,
      );
      readAll(contents, bytes(source, 600), source);
    }
  });
});

describe('ready decoders', () => {
  const golden = [...protocolDecoders].map(([name, draft]) => [`protocols/${name}`, draft] as const);
  it.each<readonly [string, DecoderDraft]>([...Object.entries(libraryDecoders), ...golden])(
    '%s reads mutated streams',
    { timeout: 300_000 },
    (name, draft: DecoderDraft) => {
      const source = random(`mutated ${name}`);
      const content = checkedDecoder(draft);
      const streams = goldenCases(name).map((golden) => Buffer.concat(chunksOf(golden).map((chunk) => chunk.bytes)));
      for (let turn = 0; turn < (isLong ? 10_000 : 100); turn++) {
        const stream = [...pick(source, streams)];
        for (let change = source.below(8); change > 0; change--) {
          const at = source.below(stream.length);
          const kind = source.below(3);
          if (kind === 0) {
            stream[at] = source.below(256);
          } else {
            stream.splice(at, kind === 1 ? 1 + source.below(4) : 0, ...(kind === 2 ? [source.below(256)] : []));
          }
        }
        readAll([content], Uint8Array.from(stream), source);
      }
    },
  );

  const hostile: readonly (readonly [string, Uint8Array])[] = [
    ['bytes at random', randomBytes(SIZE)],
    ['zeros', new Uint8Array(SIZE)],
    ['ones', new Uint8Array(SIZE).fill(0xff)],
    ['starts of long frames', Uint8Array.from({ length: SIZE }, (_, at) => [0x7e, 0x05, 0x58, 0x02][at % 4] as number)],
    ['lines without an end', new Uint8Array(SIZE).fill(0x78)],
    ['line ends', new Uint8Array(SIZE).fill(0x0d)],
    ['starts of sentences', Uint8Array.from({ length: SIZE }, (_, at) => '$GPGGA,'.charCodeAt(at % 7))],
    [
      'headers of long writes',
      Uint8Array.from({ length: SIZE }, (_, at) => [1, 16, 0, 1, 0, 120, 240][at % 7] as number),
    ],
  ];
  it.each(hostile)('read many %s', (_name, stream) => {
    const source = random('hostile streams');
    for (const draft of Object.values<DecoderDraft>(libraryDecoders)) {
      expect(readAll([checkedDecoder(draft)], stream, source)).toBeGreaterThan(0);
    }
    for (const draft of protocolDecoders.values()) {
      const part = stream.subarray(0, stream.length / 8);
      expect(readAll([checkedDecoder(draft)], part, source)).toBeGreaterThan(0);
    }
  });

  it('bounds the work for escaped frames without an end', () => {
    const tsip = checkedDecoder(protocolDecoders.get('tsip') as DecoderDraft);
    const stream = Uint8Array.from({ length: SIZE }, (_, at) => [0x10, 0x10, 0x41, 0x42][at % 4] as number);
    const started = performance.now();
    readAll([tsip], stream, random('escaped starts'));
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('bounds the work for headers that promise 65,000 bytes at each place', () => {
    const content = checkedDecoder({
      name: 'long',
      title: 'Long frames',
      framing: { kind: 'length', start: ['B5 62'], length: { at: 2, type: 'u16' }, longest: 65_543 },
      checksum: { kind: 'crc32' },
    });
    const stream = Uint8Array.from({ length: SIZE }, (_, at) => (at % 2 === 0 ? 0xb5 : 0x62));
    const started = performance.now();
    readAll([content], stream, random('long headers'));
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
