import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineQuery, SearchQueryError } from '../line-query.ts';
import { LineSieve } from '../line-sieve.ts';
import { utf8 } from '../testing/line-channels.ts';
import { type FindInLogOptions, findInLog } from './find-in-log.ts';
import { fileOf } from './testing/log-files.ts';

const plain = { encoding: 'utf-8', program: null, withPorts: false, mark: 0 } as const;
const text = 'nothing here\n'.repeat(60_000);
const needle = 'the needle\n';
const source = fileOf(text + needle + text);

const find = (query: LineQuery, change: Partial<FindInLogOptions> = {}) =>
  findInLog(source, plain, () => new LineSieve(new VirtualClock(), query), {
    from: 0,
    to: source.size,
    onProgress: () => undefined,
    ...change,
  });
const withText = (wanted: string): LineQuery => ({ terms: [{ kind: 'text', text: wanted, ignoreCase: true }] });

describe('search in a whole log', () => {
  it('returns a line at or shortly before the first hit', async () => {
    const at = await find(withText('NEEDLE'));
    expect(at).toBeLessThanOrEqual(text.length);
    expect(at).toBeGreaterThan(text.length - (1 << 13));
    expect(text.slice((at ?? 0) - 1, at ?? 0)).toBe('\n');
  });

  it('finds text in any case and with divided accents, also between colours', async () => {
    for (const line of ['ОШИБКА É\n', 'оши\x1b[31mбка\x1b[0m e\u0301\n']) {
      const log = fileOf(text + line);
      const sieve = () => new LineSieve(new VirtualClock(), withText('Ошибка é'));
      const options = { from: 0, to: log.size, onProgress: () => undefined };
      expect(await findInLog(log, plain, sieve, options)).toBeGreaterThan(text.length - (1 << 13));
    }
  });

  it('returns null without a hit, and after the only one', async () => {
    expect(await find(withText('haystack'))).toBeNull();
    expect(await find(withText('needle'), { from: text.length + needle.length })).toBeNull();
  });

  it('reports how much was searched, and stops when it is cancelled', async () => {
    const cancel = new AbortController();
    const seen: number[] = [];
    const onProgress = (bytes: number) => {
      seen.push(bytes);
      if (seen.length === 2) {
        cancel.abort(new Error('cancelled'));
      }
    };
    await expect(find(withText('needle'), { onProgress, signal: cancel.signal })).rejects.toThrow('cancelled');
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  });

  it('refuses an expression that cannot be used', async () => {
    const query: LineQuery = { terms: [{ kind: 'regex', source: '(', ignoreCase: false }] };
    await expect(find(query)).rejects.toThrow(SearchQueryError);
  });

  it('finds the same as a search that reads every line', async () => {
    // Colours, backspaces, quotes and prefixes between and in front of the searched letters.
    const part = fc.constantFrom(
      'a',
      'b',
      'A',
      '"',
      '""',
      '\u001b[1m',
      '\u001b[0;32m',
      '\u001b[K',
      '\b',
      '\r',
      ' ',
      '\n',
      '[12:00:00.000] ',
      ',RX,',
    );
    const term = fc.record({
      kind: fc.constant('text' as const),
      text: fc.string({ unit: fc.constantFrom('a', 'b', '"', ' ', '1', '\n'), maxLength: 3 }),
      ignoreCase: fc.boolean(),
      not: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 60 }),
        fc.array(term, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(null, 'tio', 'wirebench', 'wirebench-csv'),
        fc.constantFrom('utf-8', 'latin1'),
        async (parts, terms, program, encoding) => {
          const lines = fileOf(parts.join(''));
          const form = { ...plain, program, encoding } as const;
          const sieve = () => new LineSieve(new VirtualClock(), { terms });
          const slow = () => {
            const reading = sieve();
            return { take: reading.take.bind(reading), mayFind: () => true };
          };
          const options = { from: 0, to: lines.size, onProgress: () => undefined, sliceBytes: 16 };
          expect(await findInLog(lines, form, sieve, options)).toEqual(await findInLog(lines, form, slow, options));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads no lines where the text is not', () => {
    const sieve = new LineSieve(new VirtualClock(), withText('needle'));
    expect(sieve.mayFind(utf8('nothing here\r\n'))).toBe(false);
    expect(sieve.mayFind(utf8('the NEEDLE\n'))).toBe(true);
    expect(sieve.mayFind(utf8('the nee\u001b[1mdle\n'))).toBe(true);
    expect(sieve.mayFind(utf8('\u001b[0;32mnothing\u001b[0m here\r\n'))).toBe(false);
    expect(sieve.mayFind(utf8('\u001b[2Knothing here\n'))).toBe(true);
    expect(sieve.mayFind(utf8('nothing\b here\n'))).toBe(true);
  });
});
