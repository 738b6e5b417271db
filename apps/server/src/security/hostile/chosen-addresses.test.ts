/** Clients that put their own addresses into `X-Forwarded-For`, behind proxies that append to it. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { type TrustedProxies, trustOf } from '../../plugins/forwarded.ts';
import { buildTestApp } from '../../testing/test-app.ts';

async function addressAt(setting: string, forwarded: string | undefined, remoteAddress = '10.0.0.1'): Promise<string> {
  const trusted: TrustedProxies = readConfig({
    TRUST_PROXY: setting,
    PUBLIC_URL: 'https://bench.example.org',
    OIDC_URL: 'https://id.example.org',
  }).trustProxy;
  await using app = Fastify({ trustProxy: trustOf(trusted) });
  app.get('/', async (request) => request.ip);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.inject({ url: '/', remoteAddress, headers })).body;
}

describe('the address of a client', () => {
  it.each<[string, string | undefined, string]>([
    ['off', '1.1.1.1', '10.0.0.1'],
    ['0', '1.1.1.1', '10.0.0.1'],
    ['on', '192.0.2.7', '192.0.2.7'],
    ['on', '1.1.1.1, 2.2.2.2, 192.0.2.7', '192.0.2.7'],
    ['1', '1.1.1.1, 192.0.2.7', '192.0.2.7'],
    ['2', '1.1.1.1, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['3', '1.1.1.1, 192.0.2.7, 10.0.0.3, 10.0.0.2', '192.0.2.7'],
    ['2', '192.0.2.7', '192.0.2.7'],
    ['on', undefined, '10.0.0.1'],
    ['10.0.0.0/8', '1.1.1.1, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['uniquelocal', '1.1.1.1, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['10.9.0.0/16', '1.1.1.1', '10.0.0.1'],
  ])(
    'is the one that the outermost trusted proxy saw with TRUST_PROXY=%s and %s',
    async (setting, forwarded, address) => {
      expect(await addressAt(setting, forwarded)).toBe(address);
    },
  );
});

it.each(['on', '1', '10.0.0.0/8'])(
  'the address of a client cannot be forged for each call with TRUST_PROXY=%s',
  async (setting) => {
    await using test = await buildTestApp({ TRUST_PROXY: setting, RATE_LIMIT_READS: '5' });
    const statuses: number[] = [];
    for (let call = 0; call < 8; call++) {
      const { statusCode } = await test.app.inject({
        url: '/api/ready',
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': `203.0.113.${call}, 192.0.2.7` },
      });
      statuses.push(statusCode);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  },
);
