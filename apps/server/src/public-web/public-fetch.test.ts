import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AddressRefusedError, isPublicAddress, publicFetch } from './public-fetch.ts';

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

/** Starts a server that answers every request with `text` and then closes the connection, if it is to. */
async function rawServer(text: string, ending: 'close' | 'reset' | 'stay') {
  const open = new Set<{ destroy(): void }>();
  const tcp = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (ending === 'reset') {
        socket.resetAndDestroy();
        return;
      }
      socket.write(text);
      if (ending === 'close') {
        socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) {
        socket.destroy();
      }
      await new Promise((resolve) => tcp.close(resolve));
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

  it('is refused at once by a server that switches to another protocol', async () => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    await using local = await rawServer(text, 'stay');
    expect(await refusalOf(publicFetch({ privateHosts: ['127.0.0.1'] })(local.address))).toMatch(/another protocol/);
  });

  it.each<[string, string, 'close' | 'reset']>([
    ['closes the connection without an answer', '', 'close'],
    ['resets the connection', '', 'reset'],
    ['only sends an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'close'],
    ['closes within the headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'close'],
    ['sends something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'close'],
  ])('fails when the server %s', async (_what, text, ending) => {
    await using local = await rawServer(text, ending);
    await expect(publicFetch({ privateHosts: ['127.0.0.1'] })(local.address)).rejects.toThrow();
  });

  it('fails while its body is read when the server sends less than it announced', async () => {
    await using local = await rawServer('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nabc', 'close');
    const answer = await publicFetch({ privateHosts: ['127.0.0.1'] })(local.address);
    await expect(answer.text()).rejects.toThrow();
  });

  it('reads the answer that follows interim ones', async () => {
    const text = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfile';
    await using local = await rawServer(text, 'close');
    expect(await (await publicFetch({ privateHosts: ['127.0.0.1'] })(local.address)).text()).toBe('file');
  });

  it('ends with its signal while the name is resolved', async () => {
    const ending = new AbortController();
    const fetch = publicFetch({ privateHosts: [], resolve: () => new Promise(() => undefined) });
    const asked = fetch('http://firmware.example/', { signal: ending.signal });
    ending.abort(new Error('too late'));
    await expect(asked).rejects.toThrow('too late');
  });
});
