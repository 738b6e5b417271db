/**
 * Number of rows that a search reads: for a frequent word no more than a page needs, for a rare one no more than its
 * matches.
 */
import { type Jkit, NewJkit } from '@wirebench/contract';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import { databaseKinds, type TestDatabase } from '../../testing/databases.ts';
import { saveManyJkits } from '../../testing/many-jkits.ts';
import { searchStatement } from '../../testing/search-statements.ts';
import { searchRepository } from './search.repository.ts';

const SAVED = 12_000;
/** For a page of 20: fifty matches, and a hundred texts scanned for each. */
const LOOKED_THROUGH = 5_000;

/** One of a hundred jkits is a chip, and one a decoder, named like the messages. */
const CHIPS = SAVED / 100;

const chip = (number: number) =>
  JSON.stringify({
    name: `ZX-${number}`,
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x5a],
    registers: [{ name: 'id', address: 0 }],
  });

const decoder = (number: number) =>
  JSON.stringify({ name: `zx_${number}`, title: 'Zx', framing: { kind: 'cobs' }, source: '0x5a' });

const formOf = (number: number) => {
  switch (number % 100) {
    case 0:
      return { type: 'chip', content: chip(number) };
    case 51:
      return { type: 'decoder', content: decoder(number) };
    default:
      return { content: '{"fields":[]}' };
  }
};

function* manyJkits() {
  for (let number = 1; number <= SAVED; number++) {
    const description = `${number % 3 === 0 ? 'a modem' : 'a sensor'} ${number === 7 ? 'for a zebra' : ''}`;
    const draft = NewJkit.parse({ name: `Device ${number}`, ...formOf(number), description, shared: true });
    yield { ...draft, publisher: 'maker' };
  }
}

/** A node of PostgreSQL's `explain (analyze, format json)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

async function measuredPlan(queries: Queries, query: string, type?: Jkit['type']): Promise<readonly PlanNode[]> {
  const { sql, parameters } = await searchStatement('postgres', query, { type, limit: 20 });
  const { rows } = await queries.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]),
  );
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  return rows.flatMap((row) => all(row['QUERY PLAN'][0].Plan));
}

/** Counts the texts that were read, and the entries returned by the trigram index. */
function textsRead(nodes: readonly PlanNode[]): { texts: number; entries: number } {
  const read = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const sum = (some: readonly PlanNode[]) => some.map(read).reduce((total, count) => total + count, 0);
  return {
    texts: sum(nodes.filter((node) => node['Relation Name'] === 'jkit_search')),
    entries: sum(nodes.filter(({ 'Index Name': name }) => name !== undefined && /^jkit_search_.*trigrams$/.test(name))),
  };
}

describe.each(databaseKinds)('a search in many jkits on $name', ({ name, open }) => {
  let opened: TestDatabase;
  let queries: Queries;
  beforeAll(async () => {
    opened = await open();
    queries = opened.database.queries;
    await saveManyJkits(queries, manyJkits());
    if (dialectOf(queries) === 'postgres') {
      await queries.executeQuery(CompiledQuery.raw('analyze'));
    }
  }, 120_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  const find = (query: string, skip = 0) => searchRepository(queries).find({ query, type: undefined, skip, limit: 20 });

  it('finds what is frequent, rare and absent, on the last page too', async () => {
    expect(await find('modem')).toHaveLength(20);
    expect((await find('zebra')).map((jkit) => jkit.name)).toEqual(['Device 7']);
    expect(await find('modem zebra')).toEqual([]);
    expect(await find('xylophone')).toEqual([]);
    const deep = (await find('modem', 980)).map((jkit) => jkit.name);
    // All matches have the same rank, so that only their age decides.
    expect(deep).toEqual(Array.from({ length: 20 }, (_, index) => `Device ${SAVED - 3 * (980 + index)}`));
  });

  it.runIf(name === 'SQLite').each([undefined, 'uart'] as const)(
    'takes what it finds in the order of the index, and stops (type: %s)',
    async (type) => {
      const { sql, parameters } = await searchStatement('sqlite', 'modem', { type, limit: 20 });
      const { rows } = await queries.executeQuery<{ id: number; parent: number; detail: string }>(
        CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
      );
      const index = rows.filter(({ detail }) => detail.startsWith('SCAN jkit_search VIRTUAL TABLE'));
      expect(index).toHaveLength(1);
      const beside = rows.filter(({ parent }) => parent === index[0]?.parent).map(({ detail }) => detail);
      // A sort would appear here and would need all matches.
      expect(beside).toEqual([index[0]?.detail]);
      expect(rows.filter(({ detail }) => /^SCAN jkit(s|_name_parts)\b/.test(detail))).toEqual([]);
    },
  );

  it.runIf(name === 'PostgreSQL').each([undefined, 'uart'] as const)(
    'reads some of a frequent word, and all of a rare one only (type: %s)',
    async (type) => {
      const frequent = textsRead(await measuredPlan(queries, 'modem', type));
      expect(frequent.texts).toBeLessThan(200);
      expect(frequent.entries).toBe(0);
      for (const query of ['zebra', 'xylophone', 'modem zebra']) {
        const { texts, entries } = textsRead(await measuredPlan(queries, query, type));
        expect(texts).toBeLessThanOrEqual(LOOKED_THROUGH + 10);
        expect(entries).toBeLessThanOrEqual(10);
      }
    },
  );

  it
    .runIf(name === 'PostgreSQL')
    .each(
      (['chip', 'decoder'] as const).flatMap((type) =>
        ['modem', 'zebra', 'xylophone', 'zx', '0x5a'].map((query) => [type, query] as const),
      ),
    )(
    'reads no more than the jkits of a type that there are, when one is searched by a word of many messages: %s, %s',
    async (type, query) => {
      const { texts, entries } = textsRead(await measuredPlan(queries, query, type));
      expect(texts).toBeLessThanOrEqual(2 * CHIPS);
      expect(entries).toBeLessThanOrEqual(2 * CHIPS);
    },
  );
});
