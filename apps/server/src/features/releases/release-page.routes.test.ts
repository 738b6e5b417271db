import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasePath } from '@wirebench/boards';
import { VirtualClock } from '@wirebench/clock';
import { demoReleaseId } from '@wirebench/contract';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { runInThread } from '../../testing/sqlite-in-thread.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startTokenIssuer } from '../../testing/token-issuer.ts';
import { writeWebApp } from '../../testing/web-app.ts';
import { releasePage } from './release-page.routes.ts';

const general = '<title>Firmware release: Wirebench</title>';
const page = `<!doctype html><head><!-- preview -->${general}<!-- /preview --></head><body>Release</body>`;
const publicUrl = 'https://bench.example.org';

/** Starts an app whose web app has a release page, or none. */
async function start(releasePage: string | null = page) {
  const folder = await temporaryFolder();
  const issuer = await startTokenIssuer();
  const webRoot = join(folder.path, 'web');
  await mkdir(webRoot);
  await writeWebApp(webRoot);
  if (releasePage !== null) {
    await writeFile(join(webRoot, 'release.html'), releasePage);
    await writeFile(join(webRoot, 'release.html.br'), 'compressed without tags');
  }
  const dataDir = join(folder.path, 'data');
  const log: string[] = [];
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const app = await buildApp({
    config: readConfig({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...issuer.environment }),
    publicUrl,
    webRoot,
    clock,
    sqlite: { busyTimeout: 0, startRunner: runInThread },
    logDestination: { write: (line) => log.push(line) },
  });
  const now = clock.now() / 1_000;
  const token = await issuer.sign({ iss: issuer.issuer, sub: 'maker', azp: 'wirebench-web', exp: now + 300 });
  return {
    app,
    dataDir,
    log,
    owner: releaseClient(app, { authorization: `Bearer ${token}` }),
    read: (url: string) => app.inject({ url, headers: { accept: 'text/html', 'accept-encoding': 'br, gzip' } }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await issuer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];

describe('the release page', () => {
  it('carries the tags of a public item, and is never cached', async () => {
    await using test = await start();
    const { _id, shareId } = await test.owner.newProject('Blinker <3', { description: 'Makes a light blink' });
    const version = await test.owner.newVersion(_id, { version: '1.2.0', description: '- faster' });
    await test.owner.setProjectPublic(_id, true);
    await test.owner.setVersionPublic(version._id, true);
    const ofVersion = await test.read(releasePath('version', version.shareId));
    expect(ofVersion.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(ofVersion.headers).not.toHaveProperty('content-encoding');
    expect(ofVersion.headers['content-security-policy']).toContain("script-src 'self'");
    expect(titleOf(ofVersion.body)).toBe('Blinker &lt;3 1.2.0: Wirebench');
    expect(ofVersion.body).toContain('<meta property="og:description" content="faster">');
    expect(ofVersion.body).toContain(
      `<link rel="canonical" href="${publicUrl}/release.html?type=version&amp;id=${version.shareId}">`,
    );
    expect(ofVersion.body).not.toContain('<!--');
    const ofProject = await test.read(`${releasePath('project', shareId)}&owned=true`);
    expect(titleOf(ofProject.body)).toBe('Blinker &lt;3: Wirebench');
    expect(ofProject.body).toContain('content="Makes a light blink"');
  });

  it('is the general one for what is private, unknown or not asked for properly', async () => {
    await using test = await start();
    const { _id, shareId } = await test.owner.newProject('Secret');
    const version = await test.owner.newVersion(_id);
    for (const url of [
      releasePath('project', shareId),
      releasePath('version', version.shareId),
      releasePath('project', _id),
      releasePath('project', 'nothing'),
      '/release.html',
      '/release.html?type=project',
      `/release.html?id=${demoReleaseId}`,
      `/release.html?type=other&id=${demoReleaseId}`,
      `/release.html?type=version&id=${demoReleaseId}&id=${demoReleaseId}`,
      '/release.html?type=version&id=%00',
    ]) {
      const answer = await test.read(url);
      expect([url, answer.statusCode, answer.body]).toEqual([url, 200, page]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('loses the tags at once when its item is made private', async () => {
    await using test = await start();
    const { _id, shareId } = await test.owner.newProject('Secret');
    await test.owner.setProjectPublic(_id, true);
    expect((await test.read(releasePath('project', shareId))).body).toContain('Secret');
    await test.owner.setProjectPublic(_id, false);
    expect((await test.read(releasePath('project', shareId))).body).toBe(page);
  });

  it('shows the demo', async () => {
    await using test = await start();
    expect(titleOf((await test.read(releasePath('version', demoReleaseId))).body)).toBe(
      'Wirebench demo 1.0.0: Wirebench',
    );
  });

  it('comes without tags while the database is away', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'release.html'), page);
    const app = Fastify();
    const derived = () => Promise.reject(new DatabaseUnavailableError({ cause: new Error('database is locked') }));
    const meterReads = async () => null;
    await app.register(releasePage, { shared: { derived }, meterReads, publicUrl, webRoot: folder.path });
    const answer = await app.inject(releasePath('version', demoReleaseId));
    expect([answer.statusCode, answer.body]).toEqual([200, page]);
  });

  it('is served as it is, with a line in the log, when it marks no place', async () => {
    await using test = await start('<title>Release</title>');
    expect((await test.read(releasePath('version', demoReleaseId))).body).toBe('<title>Release</title>');
    expect(test.log.join('')).toContain('The release page has no preview marks');
  });

  it('is not there when the web app has none', async () => {
    await using test = await start(null);
    const answer = await test.read(releasePath('version', demoReleaseId));
    expect(answer.statusCode).toBe(404);
  });
});
