/**
 * Compares frames of MAVLink with node-mavlink: values of random frames of each message that both define, damaged
 * frames, signatures, and CRC_EXTRA. In the long run, 10,000 frames.
 */
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import {
  common,
  type MavLinkData,
  type MavLinkDataConstructor,
  MavLinkPacketParser,
  MavLinkPacketSplitter,
  MavLinkProtocolV1,
  MavLinkProtocolV2,
  MSG_ID_MAGIC_NUMBER,
  minimal,
  standard,
} from 'node-mavlink';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBuiltInFile } from '../ready-reader.ts';
import { hexOf, readChunks } from '../testing/golden-cases.ts';
import { commonSet } from './common-set.ts';
import { type MavlinkMessage, readDefinitions } from './definitions.ts';

type Random = ReturnType<typeof random>;

const definitions = readDefinitions('common.xml', (name) => commonSet.get(name) ?? null);

const theirs = new Map<number, MavLinkDataConstructor<MavLinkData>>(
  [minimal, standard, common].flatMap(({ REGISTRY }) =>
    Object.entries(REGISTRY).map(([id, type]) => [Number(id), type as MavLinkDataConstructor<MavLinkData>] as const),
  ),
);

const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const { sha256 } of libraryDecoders.mavlink.files ?? []) {
    files.set(sha256, (await loadBuiltInFile(sha256)) ?? new Uint8Array(0));
  }
});

const read = (bytes: Uint8Array, key: Uint8Array | null = null) =>
  readChunks([libraryDecoders.mavlink], [{ at: 0, direction: 'received', bytes }], {
    files,
    ...(key === null ? {} : { keys: new Map([['mavlink', key]]) }),
  }).pieces;

describe('CRC_EXTRA', () => {
  it('equals that of node-mavlink for 217 of 218 messages; one has changed between two editions', () => {
    const extras: Readonly<Record<string, number>> = MSG_ID_MAGIC_NUMBER;
    const both = [...definitions.messages.values()].filter(({ id }) => extras[id] !== undefined);
    expect(both).toHaveLength(218);
    const different = both.filter(({ id, crcExtra }) => extras[id] !== crcExtra);
    expect(different.map(({ name }) => name)).toEqual(['GLOBAL_POSITION_SENSOR']);
  });
});

/** Messages that have the same definition in both editions, extensions included. */
const shared = [...definitions.messages.values()].filter((message) => {
  const type = theirs.get(message.id);
  return type?.MAGIC_NUMBER === message.crcExtra && type.FIELDS.length === message.fields.length;
});

function randomValue(type: string, numbers: Random): unknown {
  const bytes = Buffer.from(randomBytes(8, numbers));
  switch (type) {
    case 'float':
      return Math.fround((numbers.next() - 0.5) * 10 ** numbers.below(6));
    case 'double':
      return (numbers.next() - 0.5) * 1e9;
    case 'uint64_t':
      return bytes.readBigUInt64LE();
    case 'int64_t':
      return bytes.readBigInt64LE();
    default: {
      const [, sign = '', bits = '8'] = /^(u?)int(\d+)_t/.exec(type) ?? [];
      const width = Number(bits) / 8;
      const value = sign === 'u' ? bytes.readUIntLE(0, width) : bytes.readIntLE(0, width);
      // Zeros at the end of a payload are not sent.
      return numbers.below(3) === 0 ? 0 : value;
    }
  }
}

function randomMessage(message: MavlinkMessage, numbers: Random): MavLinkData {
  const Type = theirs.get(message.id) as MavLinkDataConstructor<MavLinkData>;
  const data = new Type();
  for (const { name, type, length } of Type.FIELDS) {
    const base = type.replace('[]', '');
    let value: unknown;
    if (base === 'char') {
      value = Array.from({ length: numbers.below(length + 1) }, () =>
        String.fromCharCode(0x20 + numbers.below(95)),
      ).join('');
    } else if (type.endsWith('[]')) {
      value = Array.from({ length }, () => randomValue(base, numbers));
    } else {
      value = randomValue(base, numbers);
    }
    (data as unknown as Record<string, unknown>)[name] = value;
  }
  return data;
}

const key = Buffer.from('cdda8fcc52b16c17ac169334cb55cf87d19f36106b33333acaa7cacbcd79270d', 'hex');

function serialize(data: MavLinkData, sequence: number, kind: 1 | 2 | 'signed'): Buffer {
  if (kind === 1) {
    return new MavLinkProtocolV1(7, 3).serialize(data, sequence);
  }
  const protocol = new MavLinkProtocolV2(7, 3, kind === 'signed' ? MavLinkProtocolV2.IFLAG_SIGNED : 0);
  const plain = protocol.serialize(data, sequence);
  return kind === 'signed' ? protocol.sign(plain, 5, key, Date.UTC(2026, 0, 1) + sequence) : plain;
}

/** Returns what node-mavlink reads in a stream: frames whose checksum is right, with the values of those it defines. */
async function readTheirs(bytes: Buffer): Promise<{ hex: string; values: Record<string, unknown> }[]> {
  const splitter = new MavLinkPacketSplitter();
  const parser = splitter.pipe(new MavLinkPacketParser());
  const packets: { hex: string; values: Record<string, unknown> }[] = [];
  parser.on('data', (packet) => {
    const type = theirs.get(packet.header.msgid);
    const values: Record<string, unknown> = {};
    if (type !== undefined) {
      const data = packet.protocol.data(packet.payload, type) as unknown as Record<string, unknown>;
      for (const { name, source } of type.FIELDS) {
        values[source] = data[name];
      }
    }
    packets.push({ hex: hexOf(packet.buffer), values });
  });
  const ended = new Promise((resolve) => parser.once('end', resolve));
  splitter.end(bytes);
  await ended;
  return packets;
}

function ours(bytes: Uint8Array): { hex: string; values: Record<string, unknown> }[] {
  return read(bytes)
    .filter(({ kind }) => kind === 'frame')
    .map(({ bytes: frame, decoded }) => {
      const values: Record<string, unknown> = {};
      for (const { name, value } of decoded.fields) {
        const [, list = name] = /^(\w+)\.\d+$/.exec(name) ?? [];
        if (!/^(frame\..*|sys|comp|crc|signature.*)$/.test(name)) {
          values[list] =
            list === name
              ? value instanceof Uint8Array
                ? [...value]
                : value
              : [...((values[list] ?? []) as unknown[]), value];
        }
      }
      return { hex: hexOf(frame), values };
    });
}

describe('node-mavlink', () => {
  it('reads the same values of random frames', { timeout: 300_000 }, async () => {
    const numbers = random('frames');
    const count = isLong ? 10_000 : 1_000;
    const stream: Buffer[] = [];
    for (let index = 0; index < count; index++) {
      const message = shared[index % shared.length] as MavlinkMessage;
      const kinds = message.id > 255 ? ([2, 'signed'] as const) : ([1, 2, 'signed'] as const);
      stream.push(serialize(randomMessage(message, numbers), index % 256, kinds[numbers.below(kinds.length)] ?? 2));
    }
    const bytes = Buffer.concat(stream);
    const expected = await readTheirs(bytes);
    const seen = ours(bytes);
    expect(expected).toHaveLength(count);
    expect(seen.map(({ hex }) => hex)).toEqual(expected.map(({ hex }) => hex));
    for (const [index, { hex, values }] of expected.entries()) {
      expect(seen[index]?.values, hex).toEqual(values);
    }
  });

  it('calls the same frames damaged', { timeout: 300_000 }, async () => {
    const numbers = random('damage');
    const count = isLong ? 10_000 : 300;
    for (let index = 0; index < count; index++) {
      const message = shared[index % shared.length] as MavlinkMessage;
      const frame = serialize(
        randomMessage(message, numbers),
        index % 256,
        message.id < 256 && index % 2 === 0 ? 1 : 2,
      );
      // Behind the header, so that both look at the same bytes.
      const header = frame[0] === 0xfe ? 6 : 10;
      const at = header + numbers.below(frame.length - header);
      const damaged = Buffer.from(frame);
      damaged[at] = (damaged[at] ?? 0) ^ (1 + numbers.below(255));
      expect(await readTheirs(damaged), hexOf(damaged)).toEqual([]);
      const pieces = read(damaged);
      expect(
        pieces.some(({ kind, decoded }) => kind === 'frame' && decoded.message === message.name),
        hexOf(damaged),
      ).toBe(false);
      expect(pieces[0]?.decoded.kind, hexOf(damaged)).toBe('broken');
    }
  });

  it('signs frames whose signature is right, and no longer after a change', () => {
    const numbers = random('signatures');
    for (let index = 0; index < (isLong ? 10_000 : 200); index++) {
      const message = shared[index % shared.length] as MavlinkMessage;
      const frame = serialize(randomMessage(message, numbers), index % 256, 'signed');
      const state = (bytes: Uint8Array) =>
        read(bytes, key)[0]?.decoded.fields.find(({ name }) => name === 'signature')?.value;
      expect(state(frame), hexOf(frame)).toBe('right');
      const changed = Buffer.from(frame);
      const at = frame.length - 1 - numbers.below(13);
      changed[at] = (changed[at] ?? 0) ^ (1 + numbers.below(255));
      expect(state(changed), hexOf(changed)).toBe('wrong');
    }
  });
});
