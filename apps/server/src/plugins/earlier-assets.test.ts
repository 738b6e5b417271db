import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { startServer } from '../start-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { writeWebApp } from '../testing/web-app.ts';
import { openEarlierAssets } from './earlier-assets.ts';

/** Starts a server with a build of the web app in `webRoot`. */
const serve = (dataDir: string, webRoot: string) =>
  startServer({ PORT: '0', DATA_DIR: dataDir, OVERLOAD_DELAY: '0', LOG_LEVEL: 'silent' }, { webRoot });

describe('a tab that was opened before an update', () => {
  it('gets the scripts of its own version from the new server, packed where the browser takes that', async () => {
    await using folder = await temporaryFolder();
    const [dataDir, before, after] = ['data', 'before', 'after'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    await writeWebApp(before, {
      'assets/settings-Old1Old1.js': '/* settings of before */',
      'assets/settings-Old1Old1.js.br': 'packed settings',
      'assets/deep/worker-Old1Old1.js': '/* worker */',
    });
    await writeWebApp(after, { 'assets/settings-New2New2.js': '/* settings of today */' });
    const old = await serve(dataDir, before);
    await expect
      .poll(() =>
        readdir(join(dataDir, 'web-builds')).then(
          ({ length }) => length,
          () => 0,
        ),
      )
      .toBe(1);
    await old.close();
    const server = await serve(dataDir, after);
    const ask = (path: string, headers = {}) => fetch(new URL(path, server.address), { headers });
    const script = await ask('/assets/settings-Old1Old1.js', { 'accept-encoding': 'identity' });
    expect([script.status, await script.text()]).toEqual([200, '/* settings of before */']);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect((await ask('/assets/deep/worker-Old1Old1.js')).status).toBe(200);
    expect((await ask('/assets/settings-New2New2.js')).status).toBe(200);
    const packed = await fetch(new URL('/assets/settings-Old1Old1.js', server.address), {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    });
    expect(packed.headers.get('content-encoding')).toBe('br');
    for (const path of [
      '/assets/settings-Never.js',
      '/assets/',
      '/assets/deep',
      '/assets/%2e%2e/%2e%2e/wirebench.sqlite',
      '/assets/..%2f..%2fwirebench.sqlite',
      '/web-builds/x',
      `/assets/${'a'.repeat(300)}.js`,
      `/assets${'/deep'.repeat(1_000)}.js`,
      '/assets/settings-Old1Old1.js/below.js',
      `/flash-button/${'a'.repeat(300)}.js`,
    ]) {
      expect((await ask(path)).status, path).toBe(404);
    }
    await server.close();
  });
});

describe('kept builds', () => {
  it('are the four that were served last, and none that is not finished', async () => {
    await using folder = await temporaryFolder();
    const webRoot = join(folder.path, 'web');
    const clock = new VirtualClock(Date.now());
    const keep = async (name: string) => {
      await rm(webRoot, { recursive: true, force: true });
      const path = join(webRoot, 'assets', `${name}.js`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, name);
      await clock.advance(60_000);
      const failures: unknown[] = [];
      const assets = openEarlierAssets({
        webRoot,
        dataDir: folder.path,
        clock,
        onFailure: (error) => failures.push(error),
      });
      await assets.kept;
      expect(failures).toEqual([]);
      return assets;
    };
    await mkdir(join(folder.path, 'web-builds', 'copy-5-1'), { recursive: true });
    for (const name of ['one', 'two', 'three', 'four']) {
      await keep(name);
    }
    await keep('one');
    const assets = await keep('five');
    const there = async (name: string) => (await assets.folderOf(`/assets/${name}.js`)) !== null;
    expect(await Promise.all(['one', 'two', 'three', 'four', 'five'].map(there))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
    expect((await readdir(join(folder.path, 'web-builds'))).filter((name) => name.startsWith('copy-'))).toEqual([]);
  });
});
