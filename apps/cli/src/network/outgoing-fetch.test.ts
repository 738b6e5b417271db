/** Failures of real connections on the loopback address, and requests through a real proxy. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { makeCertificate, trust } from '@wirebench/server/testing/certificate.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loopbackProxy } from '../testing/loopback-proxy.ts';
import { ConnectionError, outgoingFetch } from './outgoing-fetch.ts';

/** Listens on a free port. Returns the host with the port. */
async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const secure = (options: Parameters<typeof createSecureServer>[0]) =>
  listening(createSecureServer(options, (_asked, answer) => void answer.end('x')));
const plain = (act: (socket: Socket) => void) => listening(createPlainServer(act));
const served = (act: Parameters<typeof createServer>[1]) => listening(createServer(act));
const closedPort = async () => {
  const server = createPlainServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
};

/** Returns the failure of a request, or of its body. */
async function faultOf(address: string, init: RequestInit = {}): Promise<ConnectionError> {
  try {
    await (await outgoingFetch(address, init)).text();
  } catch (error) {
    if (error instanceof ConnectionError) {
      return error;
    }
    throw error;
  }
  throw new Error('the request failed');
}

const variables = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);
beforeEach(() => {
  for (const name of variables) {
    vi.stubEnv(name, '');
  }
});
afterEach(() => vi.unstubAllEnvs());

const pair = ({ cert, key }: { cert: string; key: string }) => ({ cert, key });
const authority = makeCertificate();

/** Each with its address and the beginning of its sentence, in which `HOST` is the host with its port. */
const failures: readonly (readonly [string, () => Promise<string>, string, string])[] = [
  [
    'a certificate that is signed by itself',
    async () => `https://${await secure(pair(makeCertificate()))}/`,
    'The certificate of HOST is signed by itself, and this machine does not know it.',
    'NODE_EXTRA_CA_CERTS',
  ],
  [
    'a certificate of an unknown authority',
    async () => `https://${await secure(pair(makeCertificate({ issuer: authority })))}/`,
    'The certificate of HOST is not signed by an authority that this machine knows.',
    'NODE_EXTRA_CA_CERTS',
  ],
  [
    'a certificate of an unknown authority that is sent along',
    async () => {
      const leaf = makeCertificate({ issuer: authority });
      return `https://${await secure({ key: leaf.key, cert: leaf.cert + authority.cert })}/`;
    },
    'The certificate of HOST is not signed by an authority that this machine knows.',
    'NODE_EXTRA_CA_CERTS',
  ],
  [
    'TLS that is too old',
    async () => {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      return `https://${await secure({ ...pair(makeCertificate()), ...old })}/`;
    },
    'HOST and this program have no version of TLS, or no cipher, in common.',
    'TLS 1.2',
  ],
  [
    'https to a port of http',
    async () => `https://${await served((_asked, answer) => void answer.end())}/`,
    'HOST does not answer by TLS, which https needs.',
    'http://',
  ],
  [
    'http to a port of https',
    async () => `http://${await secure(pair(makeCertificate()))}/`,
    'HOST closed the connection without an answer.',
    'use https://',
  ],
  [
    'a port of another protocol',
    async () => `http://${await plain((socket) => void socket.write('SSH-2.0-x\r\n'))}/`,
    'HOST does not answer by HTTP.',
    'https://',
  ],
  [
    'a server that closes',
    async () => `http://${await plain((socket) => void socket.on('data', () => socket.end()))}/`,
    'HOST closed the connection without an answer.',
    'Try again',
  ],
  [
    'a server that resets',
    async () => `https://${await plain((socket) => void socket.on('data', () => socket.resetAndDestroy()))}/`,
    'HOST closed the connection without an answer.',
    'Try again',
  ],
  [
    'redirects in a circle',
    async () => `http://${await served((_asked, answer) => void answer.writeHead(302, { location: '/' }).end())}/`,
    'HOST redirects too often.',
    'circle',
  ],
  [
    'an answer that is cut off',
    async () =>
      `http://${await served((_asked, answer) => {
        answer.writeHead(200, { 'content-length': '100' }).write('abc');
        setTimeout(() => answer.destroy(), 20);
      })}/`,
    'HOST closed the connection before all of its answer had come.',
    'Try again',
  ],
  [
    'a port that nothing listens on',
    async () => `http://${await closedPort()}/`,
    '127.0.0.1 refused the connection',
    'port',
  ],
  ['a name without an address', async () => 'http://no.such.invalid/', 'The name ', 'network'],
];

describe('a failed connection', () => {
  it.each(failures)('names %s', async (_name, at, what, remedy) => {
    const address = await at();
    const fault = await faultOf(address);
    expect(fault.what).toContain(what.replace('HOST', new URL(address).host));
    expect(fault.remedy).toContain(remedy);
    expect(fault.message).toBe(`${fault.what} ${fault.remedy}`);
  });

  const overTls = failures.filter(([, at]) => at.toString().includes('https://'));
  it.each(overTls)('names %s behind a proxy, and the proxy', async (_name, at, what) => {
    const proxy = await loopbackProxy({ pair: 'ada:secret' });
    vi.stubEnv('HTTPS_PROXY', `http://ada:secret@${proxy.host}`);
    const address = await at();
    const { host } = new URL(address);
    const fault = await faultOf(address);
    expect(fault.what).toContain(what.replace('HOST', host));
    expect(fault.remedy).toContain(`The connection went through the proxy ${proxy.host} of HTTPS_PROXY.`);
    expect(fault.message).not.toContain('secret');
    expect(proxy.asked).toEqual([`CONNECT ${host}`]);
  });

  it('names a certificate that has expired, one for later, and one for another name', async () => {
    const [expired, later, other] = [
      makeCertificate({ from: -86_400_000 }),
      makeCertificate({ from: 86_400_000 }),
      makeCertificate({ name: 'other.example' }),
    ];
    using _trust = trust(expired, later, other);
    const what = async (certificate: { cert: string; key: string }) => {
      const host = await secure(pair(certificate));
      return (await faultOf(`https://${host}/`)).what.replace(host, 'HOST');
    };
    expect(await what(expired)).toBe('The certificate of HOST has expired.');
    expect(await what(later)).toBe('The certificate of HOST is not valid yet.');
    expect(await what(other)).toBe('The certificate of HOST is not for this name, but for other.example.');
  });

  it('names a server that does not answer in time, and keeps the reason of an interruption', async () => {
    const host = await plain(() => undefined);
    expect((await faultOf(`http://${host}/`, { signal: AbortSignal.timeout(100) })).what).toBe(
      `${host} did not answer in time.`,
    );
    const reason = new Error('enough');
    const abort = new AbortController();
    const asked = outgoingFetch(`http://${host}/`, { signal: abort.signal });
    abort.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  it('says that a proxy would be used where none is set', async () => {
    expect((await faultOf('https://no.such.invalid/')).remedy).toContain(
      'A network that lets only a proxy out needs it in HTTPS_PROXY.',
    );
  });
});

describe('a proxy of the environment', () => {
  const certificate = makeCertificate();

  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])('connects to a server by TLS (%s)', async (variable) => {
    using _trust = trust(certificate);
    const host = await secure(pair(certificate));
    const proxy = await loopbackProxy({ pair: 'ada:pass word' });
    vi.stubEnv(variable, `http://ada:pass%20word@${proxy.host}`);
    expect(await (await outgoingFetch(`https://${host}/`)).text()).toBe('x');
    expect(proxy.asked).toEqual([`CONNECT ${host}`]);
  });

  it('is given requests over http whole, without a scheme in the variable too', async () => {
    const got: string[] = [];
    const host = await served((asked, answer) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('end', () => {
        got.push(`${asked.method} ${asked.headers['content-type']} ${Buffer.concat(chunks)} ${asked.headers['x-own']}`);
        answer.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(gzipSync('hello'));
      });
    });
    const proxy = await loopbackProxy();
    vi.stubEnv('HTTP_PROXY', proxy.host);
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', 'x-own': 'yes' } };
    const answer = await outgoingFetch(`http://${host}/a?b=1`, init);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain',
      'hello',
    ]);
    expect(proxy.asked).toEqual([`POST http://${host}/a?b=1`]);
    expect(got).toEqual(['POST application/json {} yes']);
  });

  it('passes on the files of a form with their length', async () => {
    const host = await served((asked, answer) => {
      void new Response(Readable.toWeb(asked) as ReadableStream, {
        headers: { 'content-type': asked.headers['content-type'] ?? '' },
      })
        .formData()
        .then(async (form) => {
          const file = form.get('file');
          answer.end(`${asked.headers['content-length']} ${file instanceof File ? await file.text() : file}`);
        });
    });
    const proxy = await loopbackProxy();
    vi.stubEnv('HTTP_PROXY', proxy.host);
    const form = new FormData();
    form.set('file', new File(['firmware'], 'app.bin'));
    const answer = await outgoingFetch(`http://${host}/`, { method: 'POST', body: form });
    expect(await answer.text()).toMatch(/^\d+ firmware$/);
    expect(proxy.asked).toEqual([`POST http://${host}/`]);
  });

  it('is asked for each address of a redirect, and the token stays at its server', async () => {
    const tokens: (string | undefined)[] = [];
    const second = await served((asked, answer) => {
      tokens.push(asked.headers.authorization);
      answer.end('second');
    });
    const first = await served((asked, answer) => {
      tokens.push(asked.headers.authorization);
      answer.writeHead(302, { location: `http://${second}/` }).end();
    });
    const proxy = await loopbackProxy();
    vi.stubEnv('http_proxy', `http://${proxy.host}`);
    vi.stubEnv('NO_PROXY', first);
    const answer = await outgoingFetch(`http://${first}/`, { headers: { authorization: 'Bearer t' } });
    expect(await answer.text()).toBe('second');
    expect(proxy.asked).toEqual([`GET http://${second}/`]);
    expect(tokens).toEqual(['Bearer t', undefined]);
  });

  it.each([
    ['that asks for a password', 'https', { pair: 'a:b' }, '', /asks for a name and a password\..*NAME:PASSWORD@/],
    ['that asks for a password', 'http', { pair: 'a:b' }, '', /asks for a name and a password\./],
    ['that refuses the password', 'https', { pair: 'a:b' }, 'ada:secret@', /does not accept the name and password in/],
    ['that refuses the host', 'https', { answer: 403 }, '', /did not connect to 127\.0\.0\.1:\d+: it answered 403\./],
  ] as const)('%s is named (%#: %s)', async (_name, scheme, options, user, text) => {
    const proxy = await loopbackProxy(options);
    const host = await secure(pair(certificate));
    vi.stubEnv(`${scheme.toUpperCase()}_PROXY`, `http://${user}${proxy.host}`);
    const { message } = await faultOf(`${scheme}://${host}/`);
    expect(message).toMatch(text);
    expect(message).toContain(`${scheme.toUpperCase()}_PROXY`);
    expect(message).not.toContain('secret');
  });

  it.each(['http', 'https'])('is named when it is not there (%s)', async (scheme) => {
    const gone = await closedPort();
    vi.stubEnv(`${scheme}_proxy`, `http://ada:secret@${gone}`);
    const { message } = await faultOf(`${scheme}://bench.example/`);
    expect(message).toMatch(/^127\.0\.0\.1 refused the connection to port \d+\. It is the proxy of https?_proxy\./);
    expect(message).not.toContain('secret');
  });

  it.each([
    ['socks5://ada:secret@127.0.0.1:1080', 'HTTPS_PROXY names a SOCKS proxy.'],
    ['http://', 'HTTPS_PROXY is not the address of a proxy.'],
  ])('is refused by name: %s', async (value, text) => {
    vi.stubEnv('HTTPS_PROXY', value);
    const { message } = await faultOf('https://bench.example/');
    expect(message).toContain(text);
    expect(message).not.toContain('secret');
  });
});
