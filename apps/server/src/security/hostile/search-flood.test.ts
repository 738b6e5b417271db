/** Endless searches and previews. Each small request costs a query. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasePath } from '@wirebench/boards';
import { apiPaths, demoReleaseId, ErrorAnswer, jkitPaths } from '@wirebench/contract';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { releasePage } from '../../features/releases/release-page.routes.ts';
import { meterAddresses } from '../../plugins/rate-limit.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { buildTestApp } from '../../testing/test-app.ts';

const LIMIT = 5;
const LITTLE = { TRUST_PROXY: 'on', RATE_LIMIT_READS: String(LIMIT) };
const search = `${jkitPaths.search}?search=modem`;

describe('a flood of searches', () => {
  it('is limited by address without a valid token, whatever its headers claim', async () => {
    await using test = await buildTestApp(LITTLE);
    const statuses: number[] = [];
    for (let number = 0; number < 20; number++) {
      const headers = { 'x-forwarded-for': `2001:db8::${number}`, authorization: `Bearer forged.${number}` };
      statuses.push(
        (await test.app.inject({ url: search, headers: number < 10 ? headers : { ...headers, authorization: '' } }))
          .statusCode,
      );
    }
    expect(statuses).toEqual([...new Array(LIMIT).fill(401), ...new Array(20 - LIMIT).fill(429)]);
  });

  it('is limited for a user with a time to retry, and another address continues', async () => {
    await using test = await buildTestApp(LITTLE);
    const ask = async (address: string) =>
      test.app.inject({ url: search, headers: { ...(await test.bearer()), 'x-forwarded-for': address } });
    for (let number = 0; number < LIMIT; number++) {
      expect((await ask('192.0.2.1')).statusCode).toBe(200);
    }
    const refused = await ask('192.0.2.1');
    expect([refused.statusCode, ErrorAnswer.parse(refused.json()).code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('192.0.2.2')).statusCode).toBe(200);
  });
});

describe('a flood of previews', () => {
  it('gets the page without previews or look-ups above the limit', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'release.html'), '<!-- preview --><title>Release</title><!-- /preview -->');
    const app = Fastify({ trustProxy: true });
    let lookups = 0;
    await app.register(releasePage, {
      shared: {
        derived: async () => {
          lookups++;
          return null;
        },
      },
      meterReads: await meterAddresses(app, 'reads', LIMIT),
      publicUrl: 'https://bench.example.org',
      webRoot: folder.path,
    });
    for (let number = 0; number < 50; number++) {
      const headers = { 'x-forwarded-for': `2001:db8::${number}` };
      const answer = await app.inject({ url: releasePath('project', demoReleaseId), headers });
      expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('<title>Release</title>')]);
    }
    expect(lookups).toBe(LIMIT);
    await app.inject({ url: releasePath('project', demoReleaseId), headers: { 'x-forwarded-for': '2001:db8:1::1' } });
    expect(lookups).toBe(LIMIT + 1);
    await app.close();
  });
});

describe('a flood of readiness checks', () => {
  it('is limited by address, and leaves the health check', async () => {
    await using test = await buildTestApp(LITTLE);
    const ask = (url: string) => test.app.inject({ url, headers: { 'x-forwarded-for': '192.0.2.1' } });
    const statuses: number[] = [];
    for (let number = 0; number < LIMIT + 2; number++) {
      statuses.push((await ask(apiPaths.ready)).statusCode);
    }
    expect(statuses).toEqual([...new Array(LIMIT).fill(200), 429, 429]);
    expect((await ask(apiPaths.health)).statusCode).toBe(200);
  });
});
