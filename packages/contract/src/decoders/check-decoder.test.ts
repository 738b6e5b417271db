import { readFileSync } from 'node:fs';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { jkitLimits } from '../jkit-rules.ts';
import { checkDecoder } from './check-decoder.ts';
import type { DecoderDraft } from './decoder-content.ts';
import { DecoderContent } from './decoder-content.ts';
import { libraryDecoders } from './library/all-decoders.ts';

const smallest = { name: 'my', title: 'Mine', framing: { kind: 'cobs' } };

const faultsOf = (change: object) => checkDecoder(JSON.stringify({ ...smallest, ...change })).faults;

describe('check of a decoder', () => {
  it('fills in defaults', () => {
    const { content } = checkDecoder(JSON.stringify(smallest));
    expect(content).toMatchObject({ framing: { kind: 'cobs', longest: 4_096, ms: 1_000 }, order: 'big', fields: [] });
  });

  it.each(Object.entries(libraryDecoders))('accepts the ready decoder %s, which has its own name', (name, decoder) => {
    expect(checkDecoder(JSON.stringify(decoder)).faults).toEqual([]);
    expect(decoder.name).toBe(name);
  });

  it.each(Object.entries(libraryDecoders))('keeps the ready decoder %s small enough for a page', (_name, decoder) => {
    const { messages = [] }: DecoderDraft = decoder;
    // Long tables of messages stand on a page of their own.
    const short = { ...decoder, messages: messages.slice(0, 16) };
    expect(JSON.stringify(short).length).toBeLessThan(jkitLimits.contentSize / 4);
    expect(JSON.stringify(decoder).length).toBeLessThan(jkitLimits.contentSize);
  });

  it.each([
    ['an unknown entry', { crc: 1 }, 'The decoder has an unknown entry: crc'],
    [
      'an unknown entry of a field',
      { fields: [{ name: 'a', type: 'u8', bias: 2 }] },
      'Field 1 has an unknown entry: bias',
    ],
    [
      'an unknown entry of the framing',
      { framing: { kind: 'cobs', start: ['00'] } },
      'Framing has an unknown entry: start',
    ],
    ['an unknown step', { steps: ['teleport'] }, /^Step 1 cannot be teleport: this version knows .*dmx, /],
    [
      'an unknown framing',
      { framing: { kind: 'morse' } },
      'Framing, kind cannot be morse: this version knows length, until, lines, escaped, cobs, slip, gap, any, step',
    ],
    [
      'an unknown type',
      { fields: [{ name: 'a', type: 'u9' }] },
      /^Field 1, type cannot be u9: this version knows u8, i8, /,
    ],
    ['an unknown checksum', { checksum: { kind: 'md5' } }, /^Checksum, kind cannot be md5: this version knows sum8, /],
    ['a field without a type', { fields: [{ name: 'a' }] }, 'Field a needs a type'],
    [
      'two fields of a name',
      {
        fields: [
          { name: 'a', type: 'u8' },
          { name: 'a', type: 'u8' },
        ],
      },
      'The name a is taken',
    ],
    ['a text without a length', { fields: [{ name: 'a', type: 'text' }] }, 'Field a needs a length'],
    [
      'a number with a length',
      { fields: [{ name: 'a', type: 'u8', length: 2 }] },
      'Field a cannot have a length: its type has one',
    ],
    [
      'bits outside',
      { fields: [{ name: 'a', type: 'u8', bit: 7, bits: 2 }] },
      'Field a has bits outside of its number',
    ],
    [
      'a count from a later field',
      {
        fields: [
          { name: 'a', type: 'u8', count: 'b' },
          { name: 'b', type: 'u8' },
        ],
      },
      'Field a needs a field before it: b',
    ],
    [
      'a group without a count',
      { fields: [{ name: 'g', fields: [{ name: 'a', type: 'u8' }] }] },
      'Field g is a group: it needs a count and has no type',
    ],
    [
      'a condition on no field',
      { messages: [{ name: 'm', when: [{ field: 'id', is: 1 }] }] },
      'A condition of message m needs a field before it: id',
    ],
    [
      'a condition without a value',
      { fields: [{ name: 'id', type: 'u8' }], messages: [{ name: 'm', when: [{ field: 'id' }] }] },
      'A condition of message m needs is, from or to',
    ],
    [
      'an answer to nothing',
      { messages: [{ name: 'm', answers: ['q'] }] },
      'Message m answers q, which is no message of this decoder',
    ],
    ['a divisor of 0', { fields: [{ name: 'a', type: 'u8', divide: 0 }] }, 'Field 1, divide cannot be 0'],
    ['a step with another framing', { steps: ['modbus'] }, 'The step modbus needs the framing step'],
    ['a framing by no step', { framing: { kind: 'step' } }, 'The framing needs a step that measures frames'],
    [
      'a checksum beside the framing step',
      { framing: { kind: 'step' }, steps: ['modbus'], checksum: { kind: 'sum8' } },
      'The framing step takes no checksum: its step decides which frames are right',
    ],
    [
      'a CRC without a polynomial',
      { checksum: { kind: 'crc' } },
      'The checksum crc, and no other, needs a width and a polynomial',
    ],
    [
      'checksum beside checksums',
      { checksum: { kind: 'sum8' }, checksums: [] },
      'Give checksum or checksums, not both',
    ],
    [
      'a parameter that a name has',
      { checksum: { kind: 'crc16-modbus', xorOut: 1 } },
      'The checksum crc16-modbus has no xorOut: its name says its parameters. Take crc for others',
    ],
    [
      'a negated CRC',
      { checksum: { kind: 'crc8', negate: true } },
      'The checksum crc8 cannot be negated: that is for sum8, lrc, xor8, sum16',
    ],
    [
      'two kinds of escapes',
      { framing: { kind: 'escaped', end: ['7E'], escape: '7D', xor: 32, doubled: true } },
      'The framing escaped needs one of xor, doubled and replace',
    ],
    [
      'escapes without an end',
      { framing: { kind: 'escaped', start: ['7E'], escape: '7D', xor: 32 } },
      'The framing escaped needs end bytes or a length, not both',
    ],
    [
      'several shapes inside of several',
      { framing: { kind: 'any', of: [{ kind: 'any', of: [] }] } },
      'Framing, shape 1, kind cannot be any: this version knows length, until, lines, escaped, cobs, slip, gap',
    ],
    [
      'a fault of a shape',
      { framing: { kind: 'any', of: [{ kind: 'cobs' }, { kind: 'length', length: 9, longest: 8 }] } },
      'Shape 2: The length of a frame cannot be above its longest',
    ],
    [
      'a marker that is no hex',
      { framing: { kind: 'until', end: ['8y'] } },
      'Framing, end 1 must be pairs of hex digits, with x for any digit',
    ],
    [
      'a separator of letters beyond ASCII',
      { framing: { kind: 'lines', separator: 'é' } },
      'Framing, separator must be marks of ASCII, tabs or blanks',
    ],
    ['a transform without a change', { transform: [{ from: 1 }] }, 'A transform needs one of add, xor and remove'],
    [
      'a byte that is taken out anywhere',
      { transform: [{ remove: 'FD' }] },
      'A transform that removes a byte, and no other, needs the bytes after which it stands',
    ],
    [
      'a key where no text is parted',
      { fields: [{ name: 'a', type: 'number', key: 'T:' }] },
      'Field a has a key, so it needs a framing with a separator, or a text that it is in',
    ],
    [
      'a key with an offset',
      { framing: { kind: 'lines' }, fields: [{ name: 'a', type: 'number', key: 'T:', at: 2 }] },
      'Field a has a key, so it has no offset and no length',
    ],
    [
      'a field in a number',
      {
        fields: [
          { name: 'a', type: 'u8' },
          { name: 'b', type: 'u8', in: 'a' },
        ],
      },
      'Field b can only be in a field of text, bytes or hex: a is none',
    ],
    [
      'a field of no question',
      { fields: [{ name: 'a', type: 'u8', when: [{ field: 'question.b', is: 1 }] }] },
      'A condition of field a needs a field of a question: b',
    ],
    [
      'an end of no list',
      { fields: [{ name: 'a', type: 'u8', until: [{ field: 'a', is: 0 }] }] },
      'Field a has until, so it needs a count',
    ],
    [
      'a field without its address',
      { fields: [{ name: 'g', base: 0, fields: [{ name: 'a', type: 'u8' }] }] },
      'Field g, field a needs its address: at',
    ],
    ['a long number', { fields: [{ name: 'a', type: 'int', length: 9 }] }, 'Field a must have a length from 1 to 8'],
    [
      'a separator of a number',
      { fields: [{ name: 'a', type: 'u8', separator: ',' }] },
      'Field a has a separator, so it must be text',
    ],
    [
      'a text by a power of ten',
      { fields: [{ name: 'a', type: 'text', length: 2, power: 3 }] },
      'Field a cannot have a power of ten: it is no number',
    ],
    ['a name with a space', { name: 'my own' }, 'Name must be letters, digits and _, beginning with a letter'],
    ['a sequence of no field', { sequence: { field: 'seq' } }, 'The sequence needs a field before it: seq'],
    ['a long gap', { framing: { kind: 'gap', ms: 20_000 } }, 'Framing, ms must be a whole number from 1 to 10000'],
    [
      'a huge frame',
      { framing: { kind: 'length', length: 70_000 } },
      'Framing, length must be a whole number from 1 to 65543',
    ],
  ])('refuses %s with its place', (_name, change, fault) => {
    const [first] = faultsOf(change);
    expect(first).toMatch(fault instanceof RegExp ? fault : new RegExp(`^${fault.replaceAll(/[{}().]/g, '\\$&')}$`));
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a deep list', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['many lists', JSON.stringify({ ...smallest, fields: Array.from({ length: 999 }, () => ({})) })],
    ['more than 64 KiB', JSON.stringify({ ...smallest, title: 'a'.repeat(70_000) })],
  ])('refuses %s with few sentences', (_name, text) => {
    const { content, faults } = checkDecoder(text);
    expect(content).toBeNull();
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(12);
  });

  it('takes an answer to a message of another decoder, and fields of one name under conditions', () => {
    const condition = (is: number) => [{ field: 'kind', is }];
    const fields = [
      { name: 'kind', type: 'u8' },
      { name: 'value', type: 'u8', when: condition(1) },
      { name: 'value', type: 'u16', when: condition(2) },
    ];
    expect(faultsOf({ fields, messages: [{ name: 'm', answers: ['meter.read'] }] })).toEqual([]);
  });

  it('never throws for a damaged decoder', () => {
    const source = random('damaged decoders');
    const texts = Object.values(libraryDecoders).map((decoder) => JSON.stringify(decoder));
    for (let turn = 0; turn < (isLong ? 20_000 : 500); turn++) {
      const text = texts[source.below(texts.length)] as string;
      const at = source.below(text.length);
      const damaged = `${text.slice(0, at)}${'{}[]",:019-eNu\u0000'.charAt(source.below(15))}${text.slice(at + source.below(4))}`;
      expect(() => checkDecoder(damaged)).not.toThrow();
    }
  });
});

describe('page of the format', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');

  it('names every entry', () => {
    const entries = new Set<string>();
    const collect = (schema: unknown): void => {
      for (const [key, value] of Object.entries(typeof schema === 'object' && schema !== null ? schema : {})) {
        if (key === 'properties') {
          for (const name of Object.keys(value as object)) {
            entries.add(name);
          }
        }
        collect(value);
      }
    };
    collect(z.toJSONSchema(DecoderContent, { io: 'input' }));
    expect(entries.size).toBeGreaterThan(50);
    expect([...entries].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('has an example that is a decoder', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(checkDecoder(example).faults).toEqual([]);
  });

  it('is a page', () => {
    expect(page.split('\n').length).toBeLessThan(100);
  });
});
