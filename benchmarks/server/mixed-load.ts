/** Interference between kinds of requests: reads of a release while it is flashed, and a server under mixed load. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiPaths, jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { saveManyJkits } from '@wirebench/server/testing/many-jkits.ts';
import { openDatabase } from '@wirebench/server/testing/open-database.ts';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { jkitsOfMany } from './jkits-of-many.ts';
import { getRequest, runLoad } from './load.ts';
import type { Place } from './places.ts';
import { startProduct } from './processes.ts';
import { createProject, postJson, publishRelease, signInAsMaker } from './releases.ts';
import { startSteadyLoad } from './steady-load.ts';
import { uploadLargeFiles, uploadText } from './upload.ts';

const REPORTS = 200;
const CONNECTIONS = orShortest(200, 4);
const ROUNDS = orShortest(8, 1);
/** Target share of the read rate without reports. */
const RATIO = 0.8;
const JKITS = orShortest(100_000, 200);
/** More pieces than the search index may have before it is merged. */
const PIECES = 40;
const HEALTH_CHECKS = 100;
/** Milliseconds. */
const P99 = 20;

/** Measures reads by 200 connections, alternating with and without reports of flashes of the same release. */
export async function measureReadsWhileFlashed(place: Place, milliseconds: number): Promise<readonly Result[]> {
  await using product = await startProduct(place.folder, place.environment);
  const path = await publishRelease(product.address);
  const read = (time: number) =>
    runLoad({ port: product.port, connections: CONNECTIONS, milliseconds: time, requests: [getRequest(path)] });
  const slice = (2 * milliseconds) / ROUNDS;
  await read(milliseconds / 2);
  const quiet: number[] = [];
  const flashed: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push((await read(slice)).perSecond);
    const reports = await startSteadyLoad(reportsOf(product.port, path));
    const load = await read(slice);
    const { failures } = await reports.stop();
    if (failures > 0) {
      throw new Error(`${failures} reports were refused`);
    }
    flashed.push(load.perSecond);
    times.push(...load.times);
  }
  const ratio = quantile(flashed, 0.5) / quantile(quiet, 0.5);
  return [
    {
      what: `shared release read while ${REPORTS} flashes a second are reported, ${place.name}, ${CONNECTIONS} connections`,
      measured: `${perSecond(flashed)} beside ${perSecond(quiet)} without reports: ${ratio.toFixed(2)}; p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      target: `≥ ${RATIO} of the reads without reports`,
      reached: ratio >= RATIO,
    },
  ];
}

/** Measures `/api/health` alone, then beside reports, uploads and, on SQLite, a merge of the search index. */
export async function measureHealth(place: Place, milliseconds: number): Promise<readonly Result[]> {
  const path = await prepare(place);
  await using product = await startProduct(place.folder, place.environment);
  const health = { port: product.port, method: 'GET', path: apiPaths.health, perSecond: HEALTH_CHECKS } as const;
  const maker = await signInAsMaker(product.address);
  const project = await createProject(maker, 'Large');

  const checks = await startSteadyLoad(health);
  const reports = await startSteadyLoad(reportsOf(product.port, path));
  const start = performance.now();
  let merged: number | null = null;
  let uploads = 0;
  while (performance.now() - start < 2 * milliseconds) {
    await uploadLargeFiles(product, maker, project, `1.0.${uploads++}`);
    merged ??= piecesOf(place) === 1 ? performance.now() - start : null;
  }
  const mixed = await checks.stop();
  const reported = await reports.stop();
  await sleep(1_000);
  const alone = await startSteadyLoad(health);
  await sleep(milliseconds);
  const baseline = await alone.stop();
  const failures = mixed.failures + reported.failures + baseline.failures;
  const p99 = quantile(mixed.times, 0.99);
  const merge =
    'path' in place.database
      ? `, a merge of ${merged === null ? 'more than the time' : `${(merged / 1_000).toFixed(1)} s`}`
      : '';
  return [
    {
      what: `health while ${REPORTS} flashes a second are reported, ${uploads} × ${uploadText} uploaded${merge}, ${place.name}`,
      measured: `p99 ${p99.toFixed(1)} ms, median ${quantile(mixed.times, 0.5).toFixed(1)} ms, at most ${quantile(mixed.times, 1).toFixed(1)} ms beside p99 ${quantile(baseline.times, 0.99).toFixed(1)} ms alone; ${failures} of ${mixed.times.length + reported.times.length + baseline.times.length} calls failed`,
      target: `p99 < ${P99} ms`,
      reached: p99 < P99 && failures === 0,
    },
  ];
}

function reportsOf(port: number, path: string) {
  const shareId = path.split('/').at(-1) ?? '';
  return { port, method: 'POST', path: sharedFirmwarePaths.flashes(shareId), perSecond: REPORTS } as const;
}

function perSecond(rates: readonly number[]): string {
  return `${Math.round(quantile(rates, 0.5)).toLocaleString('en')}/s`;
}

/**
 * Prepares a release, and a search index in pieces for the next start.
 *
 * @returns Address of the release.
 */
async function prepare(place: Place): Promise<string> {
  await (await startProduct(place.folder, place.environment))[Symbol.asyncDispose]();
  {
    await using database = await openDatabase(place.database);
    await saveManyJkits(database.queries, jkitsOfMany(JKITS));
  }
  await using product = await startProduct(place.folder, { ...place.environment, LIMIT_JKITS: String(PIECES) });
  const maker = await signInAsMaker(product.address);
  for (let number = 0; number < PIECES; number++) {
    await postJson(maker, jkitPaths.jkits, { name: `modem ${number}`, content: '{"fields":[]}', shared: true });
  }
  // Awaits the result here, because the server ends with this block.
  return await publishRelease(product.address);
}

function piecesOf({ database }: Place): number | null {
  if ('url' in database) {
    return null;
  }
  const file = new DatabaseSync(database.path, { readOnly: true });
  try {
    return Number(file.prepare('select count(distinct segid) as pieces from jkit_search_idx').get()?.['pieces']);
  } finally {
    file.close();
  }
}
