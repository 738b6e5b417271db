import { describe, expect, it } from 'vitest';
import { NewJkit } from '../jkit-bodies.ts';
import { checkDecoder } from './check-decoder.ts';
import { completeDecoder } from './complete-decoder.ts';
import type { DecoderDraft } from './decoder-content.ts';
import { allDecoders, libraryDecoders } from './library/all-decoders.ts';

describe('ready decoders', () => {
  it.each(Object.entries<DecoderDraft>(libraryDecoders))('%s is completed as the schema does', (_, draft) => {
    const { content, faults } = checkDecoder(JSON.stringify(draft));
    expect(faults).toEqual([]);
    expect(completeDecoder(draft)).toEqual(content);
  });

  it('are JKits, each once, under an id of its own', () => {
    expect(new Set(allDecoders.map(({ id }) => id)).size).toBe(allDecoders.length);
    expect(new Set(allDecoders.map(({ content }) => content))).toEqual(new Set(Object.values(libraryDecoders)));
    for (const { name, description, tags, content } of allDecoders) {
      const jkit = { name, description, tags, type: 'decoder', shared: true, content: JSON.stringify(content) };
      expect(NewJkit.safeParse(jkit).error, name).toBeUndefined();
    }
  });

  it('are completed in every part that has a default', () => {
    const draft: DecoderDraft = {
      name: 'all',
      title: 'All',
      when: { first: ['01'] },
      framing: { kind: 'length', start: ['01'], length: { at: 1, type: 'u8' } },
      checksum: { kind: 'sum8' },
      fields: [
        { name: 'count', type: 'u8' },
        { name: 'values', type: 'u8', count: { field: 'count' } },
        {
          name: 'groups',
          count: 'count',
          fields: [{ name: 'text', type: 'text', length: { field: 'count', add: 1 } }],
        },
      ],
      messages: [
        { name: 'one' },
        { name: 'two', when: [{ field: 'count', is: 1 }], fields: [{ name: 'a', type: 'u8' }] },
      ],
      pairing: { same: ['count'] },
      sequence: { field: 'count' },
      registers: [{ name: 'speed', address: 0 }],
    };
    expect(completeDecoder(draft)).toEqual(checkDecoder(JSON.stringify(draft)).content);
    const lines: DecoderDraft = { name: 'lines', title: 'Lines', framing: { kind: 'lines' } };
    expect(completeDecoder(lines)).toEqual(checkDecoder(JSON.stringify(lines)).content);
    const shapes: DecoderDraft = {
      ...lines,
      framing: {
        kind: 'any',
        of: [
          {
            kind: 'escaped',
            start: ['7E'],
            length: { at: 0, type: 'u8', plus: [{ at: 1, type: 'u8' }] },
            escape: '7D',
            xor: 32,
          },
          { kind: 'lines', checksum: { kind: 'sum8' } },
        ],
      },
      checksums: [{ kind: 'xor8' }],
      transform: [{ add: 1 }],
      fields: [{ name: 'a', base: { field: 'frame.length' }, fields: [{ name: 'b', at: 0, type: 'u8' }] }],
    };
    expect(completeDecoder(shapes)).toEqual(checkDecoder(JSON.stringify(shapes)).content);
  });
});
