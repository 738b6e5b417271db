import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { AddressRefusedError, publicFetch } from './public-fetch.ts';

/** Starts a server on the loopback address that counts its requests. */
async function server(answer: RequestListener) {
  const paths: string[] = [];
  const http = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    paths,
    port,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const refusalOf = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof AddressRefusedError ? error.message : error),
  );

describe('an address', () => {
  it.each(['1.1.1.1', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.170',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'localhost',
    '',
  ])('%j is not', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a request in a user’s name', () => {
  it('reaches no service of this machine, by whatever spelling of its address', async () => {
    await using local = await server((_request, response) => response.end('secret'));
    const fetch = publicFetch({ privateHosts: [] });
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '0.0.0.0',
    ]) {
      expect(await refusalOf(fetch(`http://${host}:${local.port}/`)), host).toMatch(/not an address of the public/);
    }
    expect(local.paths).toEqual([]);
  });

  it('reaches none by a name that leads there, alone or beside a public address', async () => {
    await using local = await server((_request, response) => response.end('secret'));
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::1'], ['169.254.169.254'], []]) {
      const fetch = publicFetch({ privateHosts: [], resolve: async () => addresses });
      expect(await refusalOf(fetch(`http://firmware.example:${local.port}/`))).toBe(
        'firmware.example is not an address of the public internet.',
      );
    }
    expect(local.paths).toEqual([]);
  });

  it('resolves a name once and connects to that address', async () => {
    await using local = await server((_request, response) => response.end('manifest'));
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    const fetch = publicFetch({ privateHosts: ['files.lan'], resolve: async () => answers.shift() ?? [] });
    const answer = await fetch(`http://files.lan:${local.port}/m.json`);
    expect([answer.status, await answer.text()]).toEqual([200, 'manifest']);
    expect(answers).toHaveLength(1);
  });

  it('follows a redirect by the same rules', async () => {
    await using hidden = await server((_request, response) => response.end('secret'));
    await using open = await server((request, response) => {
      const to = request.url === '/good' ? '/file' : `http://localhost:${hidden.port}/`;
      response
        .writeHead(request.url === '/file' ? 200 : 302, request.url === '/file' ? {} : { location: to })
        .end('file');
    });
    const fetch = publicFetch({ privateHosts: ['127.0.0.1'] });
    expect(await (await fetch(`http://127.0.0.1:${open.port}/good`)).text()).toBe('file');
    expect(await refusalOf(fetch(`http://127.0.0.1:${open.port}/bad`))).toMatch(/localhost is not an address/);
    expect(hidden.paths).toEqual([]);
  });

  it('ends a circle of redirects', async () => {
    await using local = await server((_request, response) => response.writeHead(302, { location: '/' }).end());
    const fetch = publicFetch({ privateHosts: ['127.0.0.1'] });
    expect(await refusalOf(fetch(`http://127.0.0.1:${local.port}/`))).toMatch(/redirects too often/);
    expect(local.paths).toHaveLength(4);
  });

  it.each([
    'ftp://firmware.example/m',
    'file:///etc/passwd',
    'data:,{}',
    'http://me:secret@firmware.example/',
    'm.json',
  ])('is refused for %s', async (address) => {
    expect(await refusalOf(publicFetch({ privateHosts: [] })(address))).toMatch(/^Only addresses that begin with/);
  });

  it('is refused for ports of other protocols', async () => {
    const fetch = publicFetch({ privateHosts: [], resolve: async () => ['1.1.1.1'] });
    expect(await refusalOf(fetch('http://firmware.example:25/'))).toBe(
      'Port 25 of firmware.example is not one of a web server.',
    );
  });

  it('gives refusals of the other server without their text, and takes no compressed answer', async () => {
    await using local = await server((request, response) => {
      response.writeHead(request.url === '/packed' ? 200 : 404, {
        'content-encoding': request.url === '/packed' ? 'gzip' : 'identity',
      });
      response.end('text');
    });
    const fetch = publicFetch({ privateHosts: ['127.0.0.1'] });
    const answer = await fetch(`http://127.0.0.1:${local.port}/`);
    expect([answer.status, await answer.text()]).toEqual([404, '']);
    expect(await refusalOf(fetch(`http://127.0.0.1:${local.port}/packed`))).toMatch(/compressed/);
  });

  it('ends with its signal', async () => {
    await using local = await server(() => undefined);
    const ending = new AbortController();
    const asked = publicFetch({ privateHosts: ['127.0.0.1'] })(`http://127.0.0.1:${local.port}/`, {
      signal: ending.signal,
    });
    ending.abort();
    await expect(asked).rejects.toThrow();
  });
});
