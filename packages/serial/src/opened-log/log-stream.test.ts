import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { LogStream, lineFrom } from './log-stream.ts';
import { fileOf, formOf, piecesOf, textOf } from './testing/log-files.ts';

const raw = { encoding: 'bytes', program: null, withPorts: false, mark: 0 } as const;

/** A log of tio with lines of random text, some of them without a prefix. */
const tioLog = fc
  .array(fc.tuple(fc.nat(86_399_999), fc.string({ unit: 'grapheme', maxLength: 40 }), fc.boolean()), { minLength: 3 })
  .map((lines) =>
    lines
      .map(([time, text, hasPrefix]) => {
        const stamp = new Date(time).toISOString().slice(11, 23);
        return `${hasPrefix ? `[${stamp}] ` : ''}${text.replaceAll('\n', ' ')}\n`;
      })
      .join(''),
  );

describe('slices of a log', () => {
  it('give the same lines at any size', async () => {
    await fc.assert(
      fc.asyncProperty(tioLog, fc.integer({ min: 1, max: 200 }), async (text, sliceBytes) => {
        const source = fileOf(text);
        const form = { encoding: 'utf-8', program: 'tio', withPorts: false, mark: 0 } as const;
        const whole = await piecesOf(source, form);
        expect(await piecesOf(source, form, { sliceBytes })).toEqual(whole);
        expect(whole).toHaveLength(text.split('\n').length - 1);
      }),
    );
  });

  it('hold every byte of a raw log', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 500 }),
        fc.integer({ min: 1, max: 64 }),
        async (bytes, sliceBytes) => {
          const content = Uint8Array.from(bytes);
          const pieces = await piecesOf(fileOf(content), raw, { sliceBytes });
          expect(pieces.flatMap((piece) => [...piece.text])).toEqual([...content]);
        },
      ),
    );
  });

  it('end between the characters of UTF-16', async () => {
    const text = `\ufeff${'ä€😀'.repeat(30)}\nsecond\n`;
    const wide = new Uint8Array(new Uint16Array([...text].flatMap((one) => [...one].flatMap((c) => units(c)))).buffer);
    const source = fileOf(wide);
    for (const sliceBytes of [1, 2, 3, 7, 64]) {
      expect(textOf(await piecesOf(source, await formOf(source), { sliceBytes }))).toBe(text.slice(1));
    }
  });

  it('end before the first line that does not fit, and report the cut', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `${index % 10}ab\n`);
    const source = fileOf(lines.join(''));
    const form = { ...raw, encoding: 'utf-8' } as const;
    const stream = new LogStream(source, form, { sliceBytes: 4, most: { received: 32, sent: 0 } });
    const read: string[] = [];
    for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
      read.push(textOf(pieces));
    }
    expect(read).toEqual(lines.slice(0, 8));
    expect([stream.at, stream.isCut]).toEqual([32, true]);
  });

  it('begin at the next line after any requested offset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 12 })), fc.nat(200), async (lines, offset) => {
        const text = lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join('');
        const bytes = utf8(text);
        const at = await lineFrom(fileOf(bytes), { ...raw, encoding: 'utf-8' }, offset);
        expect(at === 0 || at === bytes.length || bytes[at - 1] === 0x0a).toBe(true);
        expect(at).toBeGreaterThanOrEqual(Math.min(offset, bytes.length));
        expect(bytes.subarray(Math.min(offset, bytes.length), Math.max(0, at - 1)).includes(0x0a)).toBe(false);
      }),
    );
  });
});

function units(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}
