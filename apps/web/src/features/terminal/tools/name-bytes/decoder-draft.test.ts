import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderContent } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import type { TriedField, TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import {
  countingSteps,
  lengthAt,
  nameFrom,
  namesFrom,
  namesText,
  newDraft,
  newField,
  newPart,
  partAt,
  shortened,
  typesFor,
  withChangedField,
  withField,
  withoutField,
  withTitle,
  withType,
} from './decoder-draft.ts';

const draft = newDraft({ kind: 'length', start: ['A5'], length: 8 });

const faultsOf = (content: DecoderContent) => checkDecoder(JSON.stringify({ ...content, title: 'Any' })).faults;

function triedFrame(content: readonly number[], fields: readonly TriedField[] = []): TriedFrame {
  const bytes = Uint8Array.from(content);
  const offsets = Array.from({ length: bytes.length + 1 }, (_, offset) => offset);
  return {
    at: 0,
    direction: 'received',
    isBroken: false,
    message: '',
    sentence: '',
    bytes,
    content: bytes,
    offsets,
    fields,
  };
}

describe('a draft', () => {
  it('shows the bytes of its frames until a field has a name', () => {
    expect(draft.fields).toEqual([{ name: 'data', type: 'bytes', length: 'rest' }]);
    const named = withField(draft, '', newField(draft, { from: 4, to: 6 }));
    expect(named.fields).toEqual([{ name: 'value_1', type: 'u16', at: 4 }]);
    expect(withoutField(named, '', 'value_1').fields).toEqual(draft.fields);
    expect(faultsOf(named)).toEqual([]);
  });

  it('has its fields in the order of their bytes, and no name twice', () => {
    let changed = draft;
    for (const from of [6, 1, 4]) {
      changed = withField(changed, '', newField(changed, { from, to: from + 1 }));
    }
    expect(changed.fields.map(({ name, at }) => [name, at])).toEqual([
      ['value_2', 1],
      ['value_3', 4],
      ['value_1', 6],
    ]);
  });

  it('puts a field into the message of the frame that is shown', () => {
    const ubx = completeDecoder(libraryDecoders.ubx);
    const changed = withField(ubx, 'NAV-PVT', { name: 'mine', type: 'u8', at: 20 });
    const places = changed.messages.filter(({ fields }) => fields.some(({ name }) => name === 'mine'));
    expect(places.map(({ name }) => name)).toEqual(['NAV-PVT']);
    expect(changed.fields).toEqual(ubx.fields);
  });

  it('keeps the counter when its field is renamed, and drops it with the field', () => {
    const counting = {
      ...withField(draft, '', { name: 'count_1', type: 'u8', at: 1 }),
      sequence: { field: 'count_1', per: [] },
    };
    const renamed = withChangedField(counting, '', 'count_1', { name: 'number', type: 'u8', at: 1 });
    expect(renamed.sequence).toEqual({ field: 'number', per: [] });
    expect(faultsOf(renamed)).toEqual([]);
    expect(withoutField(renamed, '', 'number').sequence).toBeUndefined();
  });

  it('offers only types that the bytes can have, each of which the check takes', () => {
    for (const size of [1, 2, 3, 4, 5, 8, 12]) {
      for (const type of typesFor(size)) {
        const field = withType({ name: 'any', at: 1, scale: 0.1, unit: 'A' }, type, size);
        expect(faultsOf({ ...draft, fields: [field] }), `${type} of ${size}`).toEqual([]);
      }
    }
  });

  it.each([
    ['Engine speed', 'Engine_speed'],
    ['3 phase', '_phase'],
    ['', 'value'],
    ['Öl-Druck', 'OlDruck'],
  ])('makes a name of %s that Find takes', (typed, name) => {
    expect(nameFrom(typed, 'value')).toBe(name === '_phase' ? '_phase' : name);
    expect(
      faultsOf({ ...withTitle(draft, 'My motor'), fields: [{ name: nameFrom(typed, 'value'), type: 'u8', at: 0 }] }),
    ).toEqual([]);
  });

  it('names the parts of a line, as numbers where they are some', () => {
    const lines = newDraft({ kind: 'lines', separator: ';' });
    expect(lines.fields).toEqual([{ name: 'data', type: 'text', length: 'rest' }]);
    const content = new TextEncoder().encode('T;21.5;ok');
    expect(partAt(lines, content, { from: 3, to: 5 })).toEqual({ part: 1, from: 2, to: 6 });
    expect(partAt(lines, content, { from: 0, to: 1 })).toEqual({ part: 0, from: 0, to: 1 });
    const part = partAt(lines, content, { from: 7, to: 8 });
    expect(part).toEqual({ part: 2, from: 7, to: 9 });
    expect(part === null ? null : newPart(lines, part, content)).toEqual({ name: 'value_1', part: 2, type: 'text' });
    const named = withField(lines, '', newPart(lines, { part: 1, from: 2, to: 6 }, content));
    expect(named.fields).toEqual([{ name: 'value_1', part: 1, type: 'f64' }]);
    expect(faultsOf(named)).toEqual([]);
    expect(withoutField(named, '', 'value_1').fields).toEqual(lines.fields);
    expect(partAt(draft, content, { from: 3, to: 5 })).toBeNull();
  });

  it('parses names of values as it writes them', () => {
    expect(namesFrom('0 off, 1: on,2=half open')).toEqual({ 0: 'off', 1: 'on', 2: 'half open' });
    expect(namesFrom('off')).toBeNull();
    expect(namesFrom('')).toEqual({});
    expect(namesText({ 0: 'off', 1: 'on' })).toBe('0 off, 1 on');
  });
});

describe('bytes that are the length', () => {
  const of = (lengths: readonly number[]) =>
    lengths.map((length) => triedFrame([0xa5, 1, length >> 8, length & 0xff, ...Array.from({ length }, () => 7)]));

  it('give the number to add, the byte order, and the frames that agree', () => {
    const reading = lengthAt(draft, { from: 2, to: 4 }, of([3, 9, 9, 30]));
    expect(reading).toEqual({
      framing: {
        kind: 'length',
        start: ['A5'],
        length: { at: 2, type: 'u16', order: 'big', multiply: 1, add: 4 },
        longest: 4_096,
        ms: 1_000,
      },
      agreed: 4,
      of: 4,
      lengths: 3,
    });
  });

  it('say how many frames do not agree, and that one length shows little', () => {
    const [odd] = of([5]);
    const frames = [...of([3, 4]), { ...(odd as TriedFrame), bytes: new Uint8Array(20) }];
    expect(lengthAt(draft, { from: 3, to: 4 }, frames)).toMatchObject({ agreed: 2, of: 3 });
    expect(lengthAt(draft, { from: 3, to: 4 }, of([6, 6]))?.lengths).toBe(1);
  });

  it('cut no frames with escapes', () => {
    expect(lengthAt(newDraft({ kind: 'cobs' }), { from: 0, to: 1 }, of([3]))).toBeNull();
    expect(lengthAt(draft, { from: 0, to: 5 }, of([3]))).toBeNull();
  });
});

describe('bytes that count', () => {
  it('wrap at their end, and a jump is no step', () => {
    const frames = [254, 255, 0, 1, 5, 6].map((count) => triedFrame([count]));
    expect(countingSteps({ from: 0, to: 1 }, 'little', frames)).toEqual({ counted: 4, of: 5 });
    expect(countingSteps({ from: 0, to: 1 }, 'little', [])).toEqual({ counted: 0, of: 0 });
  });
});

describe('a saved decoder', () => {
  it.each(Object.entries(libraryDecoders))('leaves out defaults, and means the same: %s', (_, library) => {
    const content = completeDecoder(library);
    const short = shortened(content);
    expect(checkDecoder(JSON.stringify(short)).content).toEqual(checkDecoder(JSON.stringify(content)).content);
    expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(content).length);
  });
});
