import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { readForwardedAddress } from './forwarded-addresses.ts';

describe('entry of X-Forwarded-For', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:50412', '192.0.2.7'],
    ['192.0.2.7:_client', '192.0.2.7'],
    ['"192.0.2.7:50412"', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:50412', '2001:db8::7'],
    ['"[2001:DB8::7]:50412"', '2001:DB8::7'],
    ['2001:db8:1:2:3:4:5:6:50412', '2001:db8:1:2:3:4:5:6'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%eth0]:80', 'fe80::1'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['[::ffff:192.0.2.7]:50412', '::ffff:192.0.2.7'],
  ])('%s has the address %s', (entry, address) => {
    expect(readForwardedAddress(entry)).toBe(address);
  });

  it.each([
    '',
    '""',
    'unknown',
    '_hidden',
    '_SEVKISEK:80',
    'unix:',
    'localhost',
    'client.example.org:80',
    '300.1.1.1',
    '192.0.2.7:',
    '192.0.2.7:port',
    '192.0.2.7:123456',
    '192.0.2.7 10.0.0.1',
    '[192.0.2.7]:80',
    '[2001:db8::7',
    '[2001:db8::g]:80',
    'for=192.0.2.7',
    '1'.repeat(10_000),
    ':'.repeat(10_000),
  ])('%# is not an address', (entry) => {
    expect(readForwardedAddress(entry)).toBeNull();
  });

  it('has the same address in every spelling', () => {
    const port = fc.oneof(
      fc.constant(''),
      fc.nat(65_535).map((number) => `:${number}`),
    );
    const quoted = (text: string) => fc.constantFrom(text, `"${text}"`, ` ${text} `);
    const spelling = fc.oneof(
      fc.tuple(fc.ipV4(), port).map(([address, end]) => ({ address, text: address + end })),
      fc.tuple(fc.ipV6(), port).map(([address, end]) => ({ address, text: `[${address}]${end}` })),
      fc.ipV6().map((address) => ({ address, text: address })),
    );
    fc.assert(
      fc.property(
        spelling.chain(({ address, text }) => quoted(text).map((entry) => ({ address, entry }))),
        ({ address, entry }) => {
          expect(readForwardedAddress(entry)).toBe(address);
        },
      ),
    );
  });

  it('is null or an address without a port, whatever it contains', () => {
    const piece = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('[', ']', '"', ':', '%', '_', ',', '80'), fc.string());
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
        (entry) => {
          const address = readForwardedAddress(entry);
          expect(address === null || readForwardedAddress(address) === address).toBe(true);
        },
      ),
    );
  });
});

/** Calls that one address may make per minute. */
const READS = 3;

const openTestApp = (trusted: string) => buildTestApp({ TRUST_PROXY: trusted, RATE_LIMIT_READS: `${READS}` });

const call = async ({ app }: TestApp, forwarded: string, remoteAddress = '10.0.0.1') =>
  (await app.inject({ url: '/api/ready', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).statusCode;

describe.each(['1', 'on', '10.0.0.0/8'])('a proxy that writes ports, with TRUST_PROXY=%s', (trusted) => {
  it.each([
    (client: number, port: number) => `192.0.2.${client}:${port}`,
    (client: number, port: number) => `[2001:db8:0:${client}::7]:${port}`,
    (client: number, port: number) => `198.51.100.1, "192.0.2.${client}:${port}"`,
  ])('has clients with limits of their own, whatever their ports: %#', async (entry) => {
    await using test = await openTestApp(trusted);
    for (const client of [1, 2]) {
      for (let port = 0; port < READS; port++) {
        expect(await call(test, entry(client, 50_000 + port))).toBe(200);
      }
      expect(await call(test, entry(client, 60_000))).toBe(429);
    }
    expect(test.log.join('').split("more than the client's address")).toHaveLength(2);
    expect(test.log.join('')).not.toMatch(/192\.0\.2\.|2001:db8:0:/);
  });
});

describe('a proxy that writes no address', () => {
  it.each([
    ['unknown', 'the word unknown'],
    ['_hidden', 'an obfuscated identifier'],
    ['', 'an empty entry'],
    ['198.51.100.1,', 'an empty entry'],
    ['198.51.100.1, unix:', 'a Unix socket'],
    ['erika.example', 'a host name'],
    ['198.51.100.1, [erika]', 'text that is not an address'],
  ])('has its clients counted by the connection, and is logged once: %j', async (forwarded, kind) => {
    await using test = await openTestApp('1');
    for (let read = 0; read < READS; read++) {
      expect(await call(test, forwarded)).toBe(200);
    }
    expect(await call(test, forwarded)).toBe(429);
    // Another connection, and a client with an address.
    expect(await call(test, forwarded, '10.0.0.2')).toBe(200);
    expect(await call(test, '192.0.2.9')).toBe(200);
    const log = test.log.join('');
    expect(log.split(`X-Forwarded-For has ${kind} in place of the client's address`)).toHaveLength(2);
    expect(log).not.toContain('erika');
    expect(log).not.toContain('198.51.100.1');
  });

  it('does not shift the count of proxies', async () => {
    await using test = await openTestApp('2');
    for (const client of [1, 2]) {
      for (let read = 0; read < READS; read++) {
        expect(await call(test, `192.0.2.${client}, unix:`)).toBe(200);
      }
      expect(await call(test, `192.0.2.${client}, unix:`)).toBe(429);
    }
  });

  it('ends a list of trusted networks, so that a client cannot choose its address', async () => {
    await using test = await openTestApp('10.0.0.0/8');
    const statuses: number[] = [];
    for (let client = 0; client <= READS; client++) {
      statuses.push(await call(test, `192.0.2.${client}, unknown`));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('still counts as a proxy, so that metrics stay closed to its clients', async () => {
    await using test = await openTestApp('on');
    const { statusCode } = await test.app.inject({
      url: '/metrics',
      remoteAddress: '127.0.0.1',
      headers: { 'x-forwarded-for': 'unknown' },
    });
    expect(statusCode).toBe(404);
  });
});
