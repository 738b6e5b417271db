/**
 * UBX, the binary protocol of u-blox receivers (u-blox M8 protocol 18, F9 HPG 1.32 and M10 SPG 5.10 interface
 * descriptions): two sync bytes, class, id, length, payload, and the two sums of RFC 1145. Numbers are little-endian.
 */
import type { DecoderDraft } from '../decoder-content.ts';
import { ubxFlags, ubxLines, ubxMessages, ubxValues } from './ubx-messages.ts';

type Message = NonNullable<DecoderDraft['messages']>[number];
type Field = NonNullable<Message['fields']>[number];
type Inner = NonNullable<Field['fields']>[number];

/** Payload bytes of the longest message, and the bytes around a payload. */
const MAX_PAYLOAD = 65_535;
const AROUND = 8;

function sizeOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Reads one field of the table: `lon:i32/10000000|°`. */
function field(text: string, message: string, before: string): Inner {
  const bits = /^(\w+)@(\d+)\+(\d+)$/.exec(text);
  if (bits !== null) {
    const [, name = '', bit, count] = bits;
    return {
      name,
      type: before,
      at: 'previous',
      bit: Number(bit),
      bits: Number(count),
      ...words(name, message),
    } as Inner;
  }
  const [, name = '', count, type = '', divide, unit] =
    /^(\w+)(?:\*(\w+))?:([\w.]+)(?:\/(\d+))?(?:\|(\S+))?$/.exec(text) ?? [];
  const [kind = '', length] = type.split('.');
  const isBytes = /^(?:\d+|rest)$/.test(type);
  return {
    name,
    type: isBytes ? 'bytes' : kind,
    ...(isBytes && { length: sizeOf(type) }),
    ...(length !== undefined && { length: sizeOf(length) }),
    ...(count !== undefined && { count: sizeOf(count) }),
    ...(divide !== undefined && { divide: Number(divide) }),
    ...(unit !== undefined && { unit }),
    // The version of the message's layout.
    ...(name === 'version' && { header: true }),
    ...words(name, message),
  } as Inner;
}

function words(name: string, message: string): Pick<Inner, 'values' | 'flags'> {
  const values = ubxValues[`${message}.${name}`] ?? ubxValues[name];
  const flags = ubxFlags[`${message}.${name}`];
  return { ...(values !== undefined && { values }), ...(flags !== undefined && { flags }) };
}

function fields(text: string, message: string): Inner[] {
  let before = '';
  return text
    .split(' ')
    .filter(Boolean)
    .map((part) => {
      const one = field(part, message, before);
      before = one.type ?? '';
      return one;
    });
}

/** Reads one line of the table. */
function message(line: string): Message {
  const [, group, id, name = '', length, payload = ''] =
    /^([\dA-F]{2}) ([\dA-F]{2}) ([\w,-]+)(?:\[(\d+)\])? *(.*)$/.exec(line) ?? [];
  const plain = name.split(',')[0] as string;
  const list: Field[] = [];
  for (const part of payload.split(/(\w+\*\w+\([^)]*\))/)) {
    const repeated = /^(\w+)\*(\w+)\((.*)\)$/.exec(part);
    if (repeated === null) {
      list.push(...fields(part, plain));
    } else {
      const [, own = '', count = '', inner = ''] = repeated;
      list.push({ name: own, count: sizeOf(count), fields: fields(inner, plain) } as Field);
    }
  }
  const text = ubxLines[plain];
  return {
    name,
    when: [
      { field: 'class', is: Number.parseInt(group as string, 16) },
      { field: 'id', is: Number.parseInt(id as string, 16) },
      ...(length === undefined ? [] : [{ field: 'length', is: Number(length) }]),
    ],
    fields: list,
    ...(text !== undefined && { line: text }),
  };
}

export const ubx: DecoderDraft = {
  name: 'ubx',
  title: 'UBX',
  source: 'u-blox interface descriptions: M8 protocol 18, F9 HPG 1.32, M10 SPG 5.10',
  framing: {
    kind: 'length',
    start: ['B5 62'],
    length: { at: 4, type: 'u16', order: 'little', add: AROUND },
    longest: MAX_PAYLOAD + AROUND,
  },
  order: 'little',
  checksum: { kind: 'fletcher8', from: 2 },
  fields: [
    { name: 'class', type: 'u8', header: true },
    { name: 'id', type: 'u8', header: true },
    { name: 'length', type: 'u16', header: true },
  ],
  messages: [
    // A message without a payload asks for the one with its class and id.
    { name: 'poll', when: [{ field: 'length', is: 0 }] },
    ...ubxMessages
      .trim()
      .split('\n')
      .map(message)
      // The first message that fits is that of a frame: those of one length come before those of any.
      .toSorted((one, other) => (other.when?.length ?? 0) - (one.when?.length ?? 0)),
  ],
  steps: ['ubx'],
};
