/** The cache rules for a CDN in `deploy/README.md`, compared with the server's headers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demoReleaseId, sharedFirmwarePaths, staticPages } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const guide = readFileSync(fileURLToPath(new URL('../../../../deploy/README.md', import.meta.url)), 'utf8');
const [, section = ''] = guide.split('\n## A CDN\n');
// The small web app of the tests has no release page. Its rule is tested with the page.
const rules = [...section.matchAll(/^\| (`\/.*?`) \| `(.*?)` \|/gm)]
  .flatMap(([, paths = '', rule = '']) => [...paths.matchAll(/`(.*?)`/g)].map(([, path = '']) => ({ path, rule })))
  .filter(({ path }) => path !== staticPages.release);

/** Example addresses of a pattern, one for each kind of answer. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '/assets/*': ['/assets/main-B1ab2Cd3.js'],
  '/api/firmware/shared/*': [
    sharedFirmwarePaths.item('version', demoReleaseId),
    sharedFirmwarePaths.badge('version', demoReleaseId),
  ],
  '/api/*': ['/api/health', '/api/ready', '/api/jkits?shared=true', '/api/firmware/projects'],
};

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp({ METRICS: 'all' });
});
afterAll(() => test[Symbol.asyncDispose]());

describe('the rules for a CDN', () => {
  it('are as many as the guide has lines for', () => {
    expect(rules.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/assets/*', '/', '/sw.js', '/api/firmware/shared/*', '/api/*']),
    );
  });

  it.each(rules)('$path says $rule', async ({ path, rule }) => {
    for (const url of examples[path] ?? [path]) {
      const answer = await test.app.inject(url);
      expect([url, answer.headers['cache-control']]).toEqual([url, rule]);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('keep no refusal', async () => {
    for (const url of [sharedFirmwarePaths.item('version', 'A'.repeat(22)), '/api/nothing']) {
      const answer = await test.app.inject(url);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    }
  });
});
