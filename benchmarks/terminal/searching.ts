/** Searches a million lines in the bench's thread while it owns the ports. */
import type { SearchQuery } from '@wirebench/serial';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import type { TerminalPage } from './terminal-page.ts';

interface SearchCase {
  readonly name: string;
  readonly query: SearchQuery;
  /** Number of matches that count as the first answer: one, or a screenful. */
  readonly wanted: number;
  /** Maximum milliseconds until the first answer, and until the end. */
  readonly first: number;
  readonly all: number;
}

const cases: readonly SearchCase[] = [
  {
    name: 'text',
    query: { kind: 'text', text: '77777', ignoreCase: false },
    wanted: 1,
    first: 50,
    all: 300,
  },
  {
    name: 'text, any case',
    query: { kind: 'text', text: 'ABCD', ignoreCase: true },
    wanted: 1,
    first: 50,
    all: 300,
  },
  {
    name: 'regular expression',
    query: { kind: 'regex', source: '^\\d+7 .*[aeiou]{3}.* [0-9a-f]+$', ignoreCase: false },
    wanted: 60,
    first: 200,
    all: 1_000,
  },
];

const runs = orShortest(5, 1);

export async function measureSearches({ worker }: TerminalPage): Promise<Result[]> {
  const lines = await worker.evaluate(() => globalThis.bench.bench.status().lines);
  const results: Result[] = [];
  for (const { name, query, wanted, first, all } of cases) {
    const times: { first: number; all: number; count: number }[] = [];
    for (let run = 0; run < runs; run++) {
      times.push(await worker.evaluate(search, { query, wanted }));
    }
    const firstTook = quantile(
      times.map((time) => time.first),
      0.5,
    );
    const allTook = quantile(
      times.map((time) => time.all),
      0.5,
    );
    const count = (times[0]?.count ?? 0).toLocaleString('en');
    results.push({
      what: `search ${name} in ${lines.toLocaleString('en')} lines (${count} found)`,
      measured: `first ${firstTook.toFixed(1)} ms, all ${allTook.toFixed(0)} ms`,
      target: `first < ${first} ms, all < ${all} ms`,
      reached: firstTook < first && allTook < all,
    });
  }
  return results;
}

/** Runs in the worker. */
function search({ query, wanted }: { query: SearchQuery; wanted: number }) {
  const start = performance.now();
  const found = globalThis.bench.bench.search(query);
  let first = Number.NaN;
  let more = true;
  while (more) {
    more = found.step();
    if (Number.isNaN(first) && found.count >= wanted) {
      first = performance.now() - start;
    }
  }
  return { first, all: performance.now() - start, count: found.count };
}
