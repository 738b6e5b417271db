/** Many concurrent reads of a shared release, compared with a bare Fastify route that returns the same bytes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { getRequest, type LoadResult, runLoad } from './load.ts';
import type { Place } from './places.ts';
import { type MeasuredServer, microsecondsEach, startBare, startProduct } from './processes.ts';
import { publishRelease } from './releases.ts';

const CONNECTIONS = orShortest(200, 4);
/**
 * Number of rounds. Many short ones, alternating with the baseline, because the machine's other load changes from
 * second to second.
 */
const ROUNDS = orShortest(15, 1);
const TARGET = { SQLite: 0.5, PostgreSQL: 0.25 } as const;
/** Milliseconds. */
const P99 = 50;

interface Round extends LoadResult {
  /** Processor time for each request, in microseconds. */
  readonly microseconds: number | undefined;
}

export async function measureSharedRead(place: Place, milliseconds: number): Promise<readonly Result[]> {
  await using product = await startProduct(place.folder, place.environment);
  const path = await publishRelease(product.address);
  const file = join(place.folder, 'answer.json');
  await writeFile(file, await (await fetch(`${product.address}${path}`)).text());
  await using bare = await startBare(place.folder, file);

  const load = async (server: MeasuredServer, time: number): Promise<Round> => {
    const before = server.processorSeconds();
    const result = await runLoad({
      port: server.port,
      connections: CONNECTIONS,
      milliseconds: time,
      requests: [getRequest(path)],
    });
    return { ...result, microseconds: microsecondsEach(before, server.processorSeconds(), result.times.length) };
  };
  const slice = (3 * milliseconds) / ROUNDS;
  await load(product, milliseconds / 2);
  await load(bare, milliseconds / 2);
  const rounds: { readonly product: Round; readonly bare: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await load(bare, slice), product: await load(product, slice) });
  }
  const ratio = quantile(
    rounds.map((round) => round.product.perSecond / round.bare.perSecond),
    0.5,
  );
  const p99 = (which: 'product' | 'bare') =>
    quantile(
      rounds.flatMap((round) => round[which].times),
      0.99,
    );
  const perSecond = (which: 'product' | 'bare') =>
    Math.round(
      quantile(
        rounds.map((round) => round[which].perSecond),
        0.5,
      ),
    ).toLocaleString('en');
  const processor = (which: 'product' | 'bare') => {
    const all = rounds.map((round) => round[which].microseconds).filter((time) => time !== undefined);
    return all.length === 0 ? '–' : quantile(all, 0.5).toFixed(0);
  };
  return [
    {
      what: `shared release read, ${place.name}, ${CONNECTIONS} connections`,
      measured: `${perSecond('product')}/s beside ${perSecond('bare')}/s: ${ratio.toFixed(2)}`,
      target: `≥ ${TARGET[place.name]} of a bare route`,
      reached: ratio >= TARGET[place.name],
    },
    {
      what: `shared release read, ${place.name}, p99`,
      measured: `${p99('product').toFixed(1)} ms beside ${p99('bare').toFixed(1)} ms`,
      target: `< ${P99} ms`,
      reached: p99('product') < P99,
    },
    {
      what: `shared release read, ${place.name}, CPU time of the server`,
      measured: `${processor('product')} µs each beside ${processor('bare')} µs`,
      target: '–',
      reached: null,
    },
  ];
}
