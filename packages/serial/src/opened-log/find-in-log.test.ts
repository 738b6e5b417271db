import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type LineQuery, SearchQueryError } from '../line-query.ts';
import { LineSieve } from '../line-sieve.ts';
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
});
