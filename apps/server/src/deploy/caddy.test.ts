/** The Caddyfile in a real Caddy, in front of two real servers: forwarded and hidden requests, and failures. */
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  apiPaths,
  ErrorAnswer,
  firmwarePaths,
  ProjectAnswer,
  sharedFirmwarePaths,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findCaddy } from '../testing/caddy.ts';
import { noise } from '../testing/noise.ts';
import { type ProxiedPair, reportsPerMinute, startProxiedPair } from '../testing/proxied-pair.ts';

const postgres = inject('postgres');

describe.runIf(postgres !== null && findCaddy() !== null)('two servers behind the proxy', () => {
  let pair: ProxiedPair;

  beforeAll(async () => {
    pair = await startProxiedPair(postgres?.url ?? '', postgres?.template ?? '');
  }, 90_000);

  afterAll(() => pair?.[Symbol.asyncDispose]());

  const ask = (path: string, init?: RequestInit) => fetch(`${pair.proxy.address}${path}`, init);

  /** Sends a request with a path or a host that `fetch` would change. */
  async function askAsIs(options: RequestOptions): Promise<{ status: number | undefined; body: string }> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(pair.proxy.address, options, resolve).once('error', reject).end();
    });
    return { status: answer.statusCode, body: await text(answer) };
  }

  /** Publishes a version with one file of these bytes through the proxy. */
  async function publish(bytes: Uint8Array<ArrayBuffer>, publisher: string): Promise<Version> {
    const authorization = `Bearer ${await pair.newToken(publisher)}`;
    const post = async (path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' };
      return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    const draft = { name: 'Blinker', deviceModel: 'esp32' };
    const { project } = ProjectAnswer.parse(await post(firmwarePaths.newProject, draft));
    const form = new FormData();
    const fields = { projectId: project._id, version: '1.0.0', description: 'Behind a proxy', offsets: '["0x10000"]' };
    for (const [name, value] of Object.entries(fields)) {
      form.set(name, value);
    }
    form.set('files', new Blob([bytes]), 'app.bin');
    const upload = await ask(firmwarePaths.newVersion, { method: 'POST', headers: { authorization }, body: form });
    const { version } = VersionAnswer.parse(await upload.json());
    await post(firmwarePaths.projectSharing(project._id), { isPublic: true });
    await post(firmwarePaths.versionSharing(version._id), { isPublic: true });
    return version;
  }

  it('take 16 MiB in and give them out to the byte, in parts, and not again to who has them', async () => {
    const bytes = noise(16 * 1024 * 1024);
    const { shareId, files } = await publish(bytes, 'publisher');
    const path = sharedFirmwarePaths.file('version', shareId, files[0]?._id ?? '');
    const whole = await ask(path, { headers: { 'accept-encoding': 'gzip, br, zstd' } });
    expect([whole.status, whole.headers.get('content-encoding')]).toEqual([200, null]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(
      createHash('sha256')
        .update(new Uint8Array(await whole.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256);
    expect(whole.headers.get('etag')).toBe(`"${sha256}"`);

    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const part = await ask(path, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(new Uint8Array(bytes.subarray(100, 200)));
    expect((await ask(path, { headers: { 'if-none-match': `"${sha256}"` } })).status).toBe(304);
  });

  it('say that a body is too large before all of it has come, and are heard', async () => {
    for (let attempt = 0; attempt < 12; attempt++) {
      // Several users, because the calls of one are limited and one server may get all of them.
      const talker = await pair.newToken(`talker ${attempt % 3}`);
      const headers = { authorization: `Bearer ${talker}`, 'content-type': 'application/json' };
      const answer = await ask(apiPaths.feedback, { method: 'POST', headers, body: 'x'.repeat(4_000_000) });
      expect([answer.status, ErrorAnswer.parse(await answer.json()).code]).toEqual([413, 'body-too-large']);
    }
  });

  it('keep their metrics to themselves, however one asks', async () => {
    for (const server of pair.servers) {
      expect(await (await fetch(`${server.address}/metrics`)).text()).toContain('process_cpu_seconds_total');
    }
    for (const path of [
      '/metrics',
      '/metrics/',
      '/metrics?a=b',
      '/METRICS',
      '//metrics',
      '/%6detrics',
      '/a/../metrics',
    ]) {
      const { status, body } = await askAsIs({ path });
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain('process_cpu');
    }
  });

  it('leave the other name to the identity provider', async () => {
    const { body } = await askAsIs({
      path: '/realms/wirebench/.well-known/openid-configuration',
      headers: { host: pair.proxy.identityHost },
    });
    expect(JSON.parse(body)).toHaveProperty('jwks_uri');
  });

  it.each([
    '/',
    '/admin',
    '/admin/',
    '/ADMIN/master/console/',
    '/admin/master/console/',
    '/admin/realms/wirebench/users',
    '//admin/',
    '/%61dmin/',
    '/realms/master/protocol/openid-connect/token',
    '/realms/wirebench/../../admin/',
    '/realms/wirebench/%2e%2e/%2e%2e/admin/',
    '/realms/wirebench/..%2f..%2fadmin/',
    '/realms/wirebench/..;/..;/admin/',
    '/realms/wirebench/;x=1/../../admin/',
    '/resources/../admin/',
    '/realms/wirebench',
    '/metrics',
    '/health/ready',
  ])("keep %s of the identity provider's to itself", async (path) => {
    const { status, body } = await askAsIs({ path, headers: { host: pair.proxy.identityHost } });
    expect([status, body]).toEqual([404, '']);
  });

  it.runIf(process.platform === 'linux')(
    'count reports by the address of who sends them, whatever else it says',
    async () => {
      const { shareId } = await publish(new Uint8Array([1]), 'reported');
      const report = async (localAddress: string, claimed: string) => {
        const headers = { 'x-forwarded-for': claimed };
        const path = sharedFirmwarePaths.flashes(shareId);
        return (await askAsIs({ method: 'POST', path, localAddress, headers })).status;
      };
      // Each server accepts as many. Afterwards both have reached the limit.
      for (let number = 0, taken = 0; taken < 2 * reportsPerMinute && number < 200; number++) {
        taken += (await report('127.0.0.2', `203.0.113.${number}`)) === 204 ? 1 : 0;
      }
      expect(await report('127.0.0.2', '203.0.113.201')).toBe(429);
      expect(await report('127.0.0.3', '203.0.113.0')).toBe(204);
    },
  );

  it('still show their pages while neither can reach its files', async () => {
    const incoming = join(pair.dataDir, 'firmware', 'incoming');
    await rename(incoming, `${incoming}-away`);
    for (const server of pair.servers) {
      expect((await fetch(`${server.address}${apiPaths.ready}`)).status).toBe(503);
    }
    await pair.untilProxyLooked();
    expect((await ask(apiPaths.config)).status).toBe(200);
    await rename(`${incoming}-away`, incoming);
  });

  it('go on when one of them dies, and with that one alone after it came back', async () => {
    const [one, other] = pair.servers;
    const statuses = async () =>
      new Set(await Promise.all(Array.from({ length: 20 }, async () => (await ask(apiPaths.config)).status)));
    await one.process.kill();
    expect(await statuses()).toEqual(new Set([200]));
    await one.start();
    await pair.untilProxyLooked();
    await other.process.kill();
    expect(await statuses()).toEqual(new Set([200]));
  });
});
