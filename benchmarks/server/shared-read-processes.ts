/**
 * Many concurrent reads of a shared release, from several server processes on one PostgreSQL, compared with one
 * process in the same run.
 */
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { getRequest, runLoad } from './load.ts';
import type { Place } from './places.ts';
import { type MeasuredServer, startProduct } from './processes.ts';
import { publishRelease } from './releases.ts';

const CONNECTIONS = orShortest(200, 4);
const COUNTS = orShortest([1, 2, 4, 8], [1, 2]);
const MOST = orShortest(8, 2);
const ROUNDS = orShortest(5, 1);
/** Target ratio of several processes to one: they share the cores with the load and the database. */
const RATIO = 1;

/** Returns nothing for SQLite, which supports only one process. */
export async function measureProcesses(place: Place, milliseconds: number): Promise<readonly Result[]> {
  if (place.name === 'SQLite') {
    return [];
  }
  await using started = new AsyncDisposableStack();
  const servers: MeasuredServer[] = [];
  for (let number = 0; number < MOST; number++) {
    const folder = join(place.folder, `process-${number}`);
    await mkdir(folder);
    servers.push(started.use(await startProduct(folder, place.environment)));
  }
  const [first] = servers;
  const path = await publishRelease(first?.address ?? '');
  const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]));
  await load(servers, path, milliseconds / 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of COUNTS) {
      rates.get(count)?.push(await load(servers.slice(0, count), path, milliseconds / 2));
    }
  }
  const one = rates.get(1) ?? [];
  return COUNTS.slice(1).map((count) => {
    const ratios = (rates.get(count) ?? []).map((rate, round) => rate / (one[round] ?? Number.NaN));
    const ratio = quantile(ratios, 0.5);
    const rate = (values: readonly number[]) => Math.round(quantile(values, 0.5)).toLocaleString('en');
    return {
      what: `shared release read, ${count} processes on ${availableParallelism()} cores`,
      measured: `${rate(rates.get(count) ?? [])}/s beside ${rate(one)}/s of one process: ${ratio.toFixed(2)}`,
      target: `≥ ${RATIO} of one process`,
      reached: ratio >= RATIO,
    };
  });
}

/** Returns the answers a second of all servers together, with the connections divided among them. */
async function load(servers: readonly MeasuredServer[], path: string, milliseconds: number): Promise<number> {
  const connections = CONNECTIONS / servers.length;
  const requests = [getRequest(path)];
  const loads = await Promise.all(servers.map(({ port }) => runLoad({ port, connections, milliseconds, requests })));
  return loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
}
