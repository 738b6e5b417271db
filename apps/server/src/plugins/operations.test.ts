import { VirtualClock } from '@wirebench/clock';
import { ErrorAnswer, PublicConfig } from '@wirebench/contract';
import Fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import { buildTestApp } from '../testing/test-app.ts';
import { startTestServer } from '../testing/test-server.ts';
import { answerErrors } from './errors.ts';
import { operationRoutes } from './operations.ts';

const publicConfig: PublicConfig = {
  apiUrl: '',
  oidc: { issuer: 'https://id.example.org/realms/lab', url: 'https://id.example.org', realm: 'lab', clientId: 'bench' },
  adminRole: 'admin',
  latestReleaseUrl: 'https://bench.example.org/release.html?type=version&id=abc',
  limits: { projects: 50, versions: 3, jkits: 7, elfSize: 1_048_576, builds: 8 },
};

const unlimited = { limitProbes: async () => undefined, isOverloaded: () => false, clock: new VirtualClock() };

describe('/config.json', () => {
  it('tells the web app about its deployment', async () => {
    await using test = await buildTestApp({
      PUBLIC_URL: 'https://bench.example.org',
      OIDC_REALM: 'lab',
      OIDC_CLIENT_ID: 'bench',
      ADMIN_ROLE: 'keepers',
      LATEST_RELEASE_URL: 'https://bench.example.org/release.html?type=version&id=abc',
      LIMIT_PROJECTS: '50',
      LIMIT_JKITS: '7',
      LIMIT_ELF_SIZE: '1',
    });
    const answer = await test.app.inject('/config.json');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.json()).toEqual({
      apiUrl: '',
      oidc: { issuer: `${test.issuer.url}/realms/lab`, url: test.issuer.url, realm: 'lab', clientId: 'bench' },
      adminRole: 'keepers',
      latestReleaseUrl: 'https://bench.example.org/release.html?type=version&id=abc',
      limits: { projects: 50, versions: 3, jkits: 7, elfSize: 1_048_576, builds: 8 },
    } satisfies PublicConfig);
  });

  it('tells the web app where tokens name the roles, when that is not the usual place', async () => {
    await using test = await buildTestApp({ OIDC_ROLES_CLAIM: 'groups' });
    expect((await test.app.inject('/config.json')).json()).toMatchObject({ oidc: { rolesClaim: 'groups' } });
  });

  it.each([
    ['https://api.example.org', 'https://api.example.org'],
    ['https://bench.example.org/', ''],
  ])('tells the web app whose API to call: API_URL %s', async (API_URL, apiUrl) => {
    await using test = await buildTestApp({ PUBLIC_URL: 'https://bench.example.org', API_URL });
    expect((await test.app.inject('/config.json')).json()).toMatchObject({ apiUrl });
  });

  it('needs no configuration: the port says it all', async () => {
    await using server = await startTestServer();
    expect(PublicConfig.parse(await (await fetch(`${server.address}/config.json`)).json())).toEqual({
      apiUrl: '',
      oidc: {
        issuer: `${server.address}/realms/wirebench`,
        url: server.address,
        realm: 'wirebench',
        clientId: 'wirebench-web',
      },
      adminRole: 'admin',
      latestReleaseUrl: `${server.address}/release.html?type=version&id=CHSZpSaePY3Iq3BwSK1ccg`,
      limits: { projects: 5, versions: 3, jkits: 5, elfSize: 67_108_864, builds: 8 },
    });
  });
});

describe('probes', () => {
  it('find a server that is alive and ready', async () => {
    await using test = await buildTestApp();
    for (const url of ['/api/health', '/api/ready']) {
      const answer = await test.app.inject(url);
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  it('find it alive and not ready while the database is away', async () => {
    const app = Fastify();
    app.setSerializerCompiler(serializerCompiler);
    answerErrors(app);
    await app.register(operationRoutes, {
      publicConfig,
      checkDatabase: () => Promise.reject(new Error('disk I/O error')),
      checkStore: () => Promise.resolve(),
      checkShared: () => Promise.resolve(),
      ...unlimited,
    });
    expect((await app.inject('/api/health')).statusCode).toBe(200);
    const answer = await app.inject('/api/ready');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(ErrorAnswer.parse(answer.json()).code).toBe('database-unavailable');
  });
});
