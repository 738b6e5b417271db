/** Search among a hundred thousand and a million JKits, compared with the same statements through the bare driver. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { jkitPaths } from '@wirebench/contract';
import { saveManyJkits } from '@wirebench/server/testing/many-jkits.ts';
import { openDatabase } from '@wirebench/server/testing/open-database.ts';
import { type Statement, searchStatement } from '@wirebench/server/testing/search-statements.ts';
import { signIn } from '@wirebench/server/testing/sign-in.ts';
import { Client } from 'pg';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { absentQueries, frequentQueries, jkitsOfMany, queriesOfLength, rareQueries } from './jkits-of-many.ts';
import { getRequest, runLoad } from './load.ts';
import type { Place } from './places.ts';
import { type MeasuredServer, microsecondsEach, startProduct } from './processes.ts';

const LIMIT = 20;
const ROUNDS = orShortest(3, 1);
const LENGTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const PER_LENGTH = orShortest(20, 2);
const PER_KIND = orShortest(40, 4);
const RATIO = 0.5;

interface Figure {
  readonly what: string;
  readonly connections: number;
  readonly queries: readonly string[];
  /** Target of the median in milliseconds. */
  readonly median: number;
}

/** Runs a statement on one connection of the bare driver. */
type Run = (statement: Statement) => Promise<number> | number;

export function measureJkitSearch(place: Place, milliseconds: number): Promise<readonly Result[]> {
  const queries = LENGTHS.flatMap((length) => queriesOfLength(length, PER_LENGTH));
  const figures = [1, 8].map((connections) => ({
    what: `${connections} connection${connections > 1 ? 's' : ''}`,
    connections,
    queries,
    median: 10,
  }));
  return measureAmong(place, orShortest(100_000, 1_000), figures, milliseconds);
}

/** Measures queries by the number of their matches, because it decides how the database searches. */
export function measureMillionJkits(place: Place, milliseconds: number): Promise<readonly Result[]> {
  const count = orShortest(1_000_000, 2_000);
  const figures = [
    ['frequent words', frequentQueries(PER_KIND)],
    ['rare words', rareQueries(PER_KIND, count)],
    ['absent words', absentQueries(PER_KIND, count)],
  ] as const;
  return measureAmong(
    place,
    count,
    figures.map(([what, queries]) => ({ what, connections: 1, queries, median: 20 })),
    milliseconds,
  );
}

async function measureAmong(
  place: Place,
  count: number,
  figures: readonly Figure[],
  milliseconds: number,
): Promise<readonly Result[]> {
  // Starting the product once creates the tables.
  await (await startProduct(place.folder, place.environment))[Symbol.asyncDispose]();
  await fill(place, count);
  await using product = await startProduct(place.folder, place.environment);
  const { access_token } = await signIn(product.address, 'maker');
  const results: Result[] = [];
  for (const figure of figures) {
    results.push(await measureFigure(place, count, figure, { product, token: access_token, milliseconds }));
  }
  return results;
}

interface Measuring {
  readonly product: MeasuredServer;
  readonly token: string;
  readonly milliseconds: number;
}

async function measureFigure(
  place: Place,
  count: number,
  { what, connections, queries, median: target }: Figure,
  { product, token, milliseconds }: Measuring,
): Promise<Result> {
  const requests = queries.map((query) =>
    getRequest(`${jkitPaths.search}?q=${encodeURIComponent(query)}&type=uart&limit=${LIMIT}`, {
      authorization: `Bearer ${token}`,
    }),
  );
  const dialect = place.name === 'SQLite' ? 'sqlite' : 'postgres';
  const statements = await Promise.all(
    queries.map((query) => searchStatement(dialect, query, { type: 'uart', limit: LIMIT })),
  );
  await using bare = await openBare(place, connections);
  const ratios: number[] = [];
  const rates: number[] = [];
  const times: number[] = [];
  const processor: number[] = [];
  await runLoad({ port: product.port, connections, milliseconds: milliseconds / 2, requests });
  await runBare(bare.connections, statements, milliseconds / 2);
  for (let round = 0; round < ROUNDS; round++) {
    const bareRate = await runBare(bare.connections, statements, milliseconds);
    const before = product.processorSeconds();
    const load = await runLoad({ port: product.port, connections, milliseconds, requests });
    const each = microsecondsEach(before, product.processorSeconds(), load.times.length);
    ratios.push(load.perSecond / bareRate);
    rates.push(bareRate);
    times.push(...load.times);
    if (each !== undefined) {
      processor.push(each);
    }
  }
  const ratio = quantile(ratios, 0.5);
  const median = quantile(times, 0.5);
  return {
    what: `jkit search in ${count.toLocaleString('en')}, ${place.name}, ${what}`,
    measured: `${Math.round(ratio * quantile(rates, 0.5)).toLocaleString('en')}/s beside ${Math.round(quantile(rates, 0.5)).toLocaleString('en')}/s: ${ratio.toFixed(2)}; median ${median.toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms; ${processor.length === 0 ? '–' : quantile(processor, 0.5).toFixed(0)} µs of processor time each`,
    target: `≥ ${RATIO} of the bare driver, median < ${target} ms`,
    reached: ratio >= RATIO && median < target,
  };
}

async function fill(place: Place, count: number): Promise<void> {
  await using database = await openDatabase(place.database);
  await saveManyJkits(database.queries, jkitsOfMany(count));
  if ('url' in place.database) {
    const client = new Client(place.database.url);
    await client.connect();
    await client.query('vacuum analyze');
    await client.end();
  }
}

interface Bare extends AsyncDisposable {
  readonly connections: readonly Run[];
}

async function openBare({ database }: Place, connections: number): Promise<Bare> {
  if ('path' in database) {
    const file = new DatabaseSync(database.path, { readOnly: true });
    const prepared = new Map<string, StatementSync>();
    const run: Run = ({ sql, parameters }) => {
      const statement = prepared.get(sql) ?? file.prepare(sql);
      prepared.set(sql, statement);
      return statement.all(...(parameters as SQLInputValue[])).length;
    };
    // SQLite answers synchronously, so more connections in one process would not be faster.
    return { connections: [run], [Symbol.asyncDispose]: async () => file.close() };
  }
  const clients = Array.from({ length: connections }, () => new Client(database.url));
  await Promise.all(clients.map((client) => client.connect()));
  return {
    connections: clients.map((client) => async ({ sql, parameters }: Statement) => {
      const { rows } = await client.query(sql, [...parameters]);
      return rows.length;
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** Returns the statements a second of all connections together. */
async function runBare(
  connections: readonly Run[],
  statements: readonly Statement[],
  milliseconds: number,
): Promise<number> {
  const start = performance.now();
  let done = 0;
  await Promise.all(
    connections.map(async (run) => {
      while (performance.now() - start < milliseconds) {
        const statement = statements[done++ % statements.length];
        if (statement !== undefined) {
          await run(statement);
        }
      }
    }),
  );
  return (done / (performance.now() - start)) * 1_000;
}
