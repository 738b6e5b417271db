/** Examples of the page of the format: their decoders are right, and their bytes say what stands below them. */
import { readFileSync } from 'node:fs';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { valueText } from './frame-text.ts';
import { bytesOf, type Chunk, readChunks, type SeenPiece } from './testing/golden-cases.ts';

const page = readFileSync(new URL('../../contract/src/decoders/EXAMPLES.md', import.meta.url), 'utf8');

const examples = [...page.matchAll(/^## (.+?)\n.*?```json\n(.*?)```\n+```text\n(.*?)```/gms)].map(
  ([, title = '', decoder = '', lines = '']) => ({ title, decoder, lines: lines.trimEnd().split('\n') }),
);

/** Bytes of `53 2C`, or of text in quotes, whose characters are bytes. */
const bytesIn = (text: string) =>
  text.startsWith('"') ? Uint8Array.from(Buffer.from(JSON.parse(text) as string, 'latin1')) : bytesOf(text);

function shown({ kind, decoded }: SeenPiece): string {
  if (kind !== 'frame' || decoded.kind === 'broken') {
    return kind === 'left-over' ? 'left over' : 'broken';
  }
  const values = decoded.fields.filter(({ value }) => value !== null);
  return values.map((field) => `${field.name} ${valueText(field)}`).join(', ');
}

describe('examples of the format', () => {
  it.each(examples)('$title', ({ decoder, lines }) => {
    const chunks = lines.flatMap((line, index): Chunk[] => {
      const [, direction, text = ''] = /^(sent|received) (.+)$/.exec(line) ?? [];
      return direction === undefined
        ? []
        : [{ at: 50 * index, direction: direction === 'sent' ? 'sent' : 'received', bytes: bytesIn(text) }];
    });
    const { pieces } = readChunks([JSON.parse(decoder) as DecoderDraft], chunks);
    const expected = lines.filter((line) => !/^(sent|received) /.test(line)).map((line) => line.replace(/^→ ?/, ''));
    expect(pieces.map(shown)).toEqual(expected);
  });

  it('have every part of the format that stands apart from whole frames of numbers', () => {
    const entries = new Set<string>();
    for (const { decoder } of examples) {
      JSON.parse(decoder, (key, value: unknown) => {
        entries.add(key);
        return value;
      });
    }
    const parts =
      'after any base checksums direction divide doubled escape first hex in init key mask negate of part plus power question remove replace same separator step table transform until when wire xor xorOut';
    expect(parts.split(' ').filter((part) => part !== 'any' && !entries.has(part))).toEqual([]);
  });
});
