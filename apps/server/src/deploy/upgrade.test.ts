/**
 * A rolling upgrade behind the proxy of `deploy/`: two servers with different builds of the web app, one of which
 * stops under load.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiPaths, firmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findCaddy } from '../testing/caddy.ts';
import { type ProxiedPair, startProxiedPair } from '../testing/proxied-pair.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';

const postgres = inject('postgres');

/** Writes a build: a page, and a script with a unique name. */
async function writeBuild(folder: string, mark: string): Promise<string> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), `<!doctype html><script src="/assets/index-${mark}.js"></script>`);
  await writeFile(join(folder, 'assets', `index-${mark}.js`), `console.log('${mark}');`);
  return folder;
}

describe.runIf(postgres !== null && findCaddy() !== null)('an upgrade of two servers behind the proxy', () => {
  let folder: TemporaryFolder;
  let pair: ProxiedPair;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const builds = [
      await writeBuild(join(folder.path, 'previous'), 'previous'),
      await writeBuild(join(folder.path, 'next'), 'next'),
    ] as const;
    pair = await startProxiedPair(postgres?.url ?? '', postgres?.template ?? '', { webRoots: builds });
  }, 90_000);

  afterAll(async () => {
    await pair?.[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const ask = (path: string, init?: RequestInit) => fetch(`${pair.proxy.address}${path}`, init);

  it('loads every page with its own script, whichever server gets which request', async () => {
    // At first the proxy may know only one server, because it has not checked the other one yet.
    await pair.untilProxyLooked();
    const loaded = new Set<string>();
    for (let load = 0; load < 15; load++) {
      // Several at once, so that the proxy uses both servers.
      const pages = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const page = await ask('/');
          return { status: page.status, text: await page.text() };
        }),
      );
      for (const { status, text } of pages) {
        expect([status, text]).toEqual([200, expect.stringContaining('<script src="/assets/')]);
        const path = /src="([^"]+)"/.exec(text)?.[1] ?? '';
        const script = await ask(path);
        expect([path, script.status]).toEqual([path, 200]);
        expect(script.headers.get('cache-control')).toContain('immutable');
        expect(path).toContain(/'(\w+)'/.exec(await script.text())?.[1]);
        loaded.add(path);
      }
    }
    expect(loaded.size).toBe(2);
  }, 240_000);

  it('answers 404 for an asset that neither build has', async () => {
    expect((await ask('/assets/index-neither.js')).status).toBe(404);
  });

  it('loses no read and no write while a server stops', async () => {
    const headers = { authorization: `Bearer ${await pair.newToken('writer')}`, 'content-type': 'application/json' };
    let isOver = false;
    let reads = 0;
    const failures: string[] = [];
    const load = async (request: () => Promise<Response>) => {
      while (!isOver) {
        const answer = await request();
        const text = await answer.text();
        reads += answer.status === 200 ? 1 : 0;
        if (answer.status >= 500) {
          failures.push(`${answer.status} ${text}`);
        }
      }
    };
    const read = () => ask(apiPaths.config);
    // Refused by the rules of names after the whole body is read, so that no limit of the account is used.
    const write = () => ask(firmwarePaths.newProject, { method: 'POST', headers, body: '{"name":""}' });
    const loads = Promise.all([read, read, write, write].map(load));
    const untilReads = (count: number) =>
      Promise.race([loads, expect.poll(() => reads, { timeout: 60_000 }).toBeGreaterThan(count)]);
    try {
      await untilReads(50);
      await pair.servers[0].process.stop();
      await untilReads(reads + 50);
    } finally {
      isOver = true;
    }
    await loads;
    expect(pair.servers[0].process.child.exitCode).toBe(0);
    expect(failures).toEqual([]);
  }, 240_000);

  it('says in a sentence that no server is running', async () => {
    await Promise.all(pair.servers.map(({ process }) => process.kill()));
    // Asked together, because the proxy looks for a server for five seconds before it answers.
    const answers = async (path: string) => {
      const answer = await ask(path);
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
    };
    const ask503 = (path: string, text: string) =>
      // Until the proxy has noticed, it gets no answer.
      expect.poll(() => answers(path), { timeout: 60_000 }).toEqual({ status: 503, retryAfter: '5', text });
    await Promise.all([
      ask503('/', 'No Wirebench server is running at the moment. Reload the page in a minute.'),
      ask503(apiPaths.health, '{"message":"No Wirebench server is running at the moment. Try again in a minute."}'),
    ]);
  }, 90_000);
});
