/** Processor time of each kind of request, at the server and at the database: the number that one core answers. */
import { apiPaths, feedbackLimits, firmwarePaths, jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { saveManyJkits } from '@wirebench/server/testing/many-jkits.ts';
import { openDatabase } from '@wirebench/server/testing/open-database.ts';
import type { Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { jkitsOfMany } from './jkits-of-many.ts';
import { getRequest, runLoad, sendRequest } from './load.ts';
import type { Place } from './places.ts';
import { type MeasuredServer, microsecondsEach, startProduct } from './processes.ts';
import { call, type Maker, publishRelease, signInAsMaker } from './releases.ts';

const JKITS = orShortest(10_000, 200);
const CONNECTIONS = 8;

export async function measureCosts(place: Place, milliseconds: number): Promise<readonly Result[]> {
  await (await startProduct(place.folder, place.environment))[Symbol.asyncDispose]();
  {
    await using database = await openDatabase(place.database);
    await saveManyJkits(database.queries, jkitsOfMany(JKITS));
  }
  await using server = await startProduct(place.folder, place.environment);
  const results: Result[] = [];
  for (const [kind, request] of await requestsTo(server)) {
    const send = (time: number) =>
      runLoad({ port: server.port, connections: CONNECTIONS, milliseconds: time, requests: [request] });
    await send(milliseconds / 4);
    const before = [server.processorSeconds(), place.databaseSeconds()];
    const { times, perSecond } = await send(milliseconds);
    const own = microsecondsEach(before[0], server.processorSeconds(), times.length);
    const database = microsecondsEach(before[1], place.databaseSeconds(), times.length);
    const parts = [
      own === undefined ? '–' : `${own.toFixed(0)} µs of the server`,
      ...(database === undefined ? [] : [`${database.toFixed(0)} µs of the database`]),
      `${Math.round(perSecond).toLocaleString('en')}/s`,
    ];
    results.push({ what: `${kind}, ${place.name}`, measured: parts.join(', '), target: '–', reached: null });
  }
  return results;
}

/** Returns kinds of requests, from frequent to rare ones. */
async function requestsTo({ address }: MeasuredServer): Promise<readonly (readonly [string, Buffer])[]> {
  const release = await publishRelease(address);
  const maker = await signInAsMaker(address);
  const { version } = (await (await fetch(`${address}${release}`)).json()) as SharedVersion;
  const shareId = release.split('/').at(-1) ?? '';
  const file = sharedFirmwarePaths.file('version', shareId, version.files[0]?._id ?? '');
  const etag = (await fetch(`${address}${file}`)).headers.get('etag') ?? '';
  const jkit = await saveJkit(maker);
  const signedIn = { authorization: `Bearer ${maker.token}` };
  const get = (path: string) => getRequest(path, signedIn);
  const message = 'x'.repeat(feedbackLimits.maxLength);
  return [
    ['liveness', getRequest(apiPaths.health)],
    ['shared release', getRequest(release)],
    ['firmware file of 18 kB', getRequest(file)],
    ['firmware file that is known', getRequest(file, { 'if-none-match': etag })],
    ['flash report', sendRequest('POST', sharedFirmwarePaths.flashes(shareId), {}, { result: 'success' })],
    ['list of own projects', get(firmwarePaths.projects)],
    ['list of own jkits', get(jkitPaths.jkits)],
    ['a jkit', get(jkitPaths.jkit(jkit))],
    [`search in ${JKITS.toLocaleString('en')} jkits`, get(`${jkitPaths.search}?q=modem`)],
    ['change of a jkit', sendRequest('PUT', jkitPaths.jkit(jkit), signedIn, { description: 'changed' })],
    ['feedback', sendRequest('POST', apiPaths.feedback, signedIn, { email: 'a@b', message })],
  ];
}

interface SharedVersion {
  readonly version: { readonly files: readonly { readonly _id: string }[] };
}

async function saveJkit(maker: Maker): Promise<string> {
  const answer = await call(maker, jkitPaths.jkits, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Measured', content: '{"fields":["AT"]}', shared: true }),
  });
  return (answer as { data: { _id: string } }).data._id;
}
