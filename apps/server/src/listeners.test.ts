import { once } from 'node:events';
import { Agent, createServer as createHttpServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Connections } from './connections.ts';
import { openListeners } from './listeners.ts';
import { StartError } from './start-error.ts';

const hasIpv6Loopback = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1');

async function occupy(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('not a port');
  }
  return { server, port: address.port };
}

async function ask(url: string, agent?: Agent): Promise<{ answer: IncomingMessage; body: string }> {
  const request = get(url, agent === undefined ? {} : { agent });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) {
    body += String(chunk);
  }
  return { answer, body };
}

describe('listeners', () => {
  it.runIf(hasIpv6Loopback)('answer on both loopbacks, wherever the system finds localhost', async () => {
    const listeners = await openListeners({ host: '127.0.0.1', port: 0 });
    listeners.serve((_request, response) => response.end('here'));
    expect((await ask(`http://127.0.0.1:${listeners.port}/`)).body).toBe('here');
    expect((await ask(`http://[::1]:${listeners.port}/`)).body).toBe('here');
    await listeners.drain(0);
  });

  it('say which variable to change when the port is taken', async () => {
    const { server, port } = await occupy('127.0.0.1');
    await expect(openListeners({ host: '127.0.0.1', port })).rejects.toEqual(
      new StartError([`PORT ${port} is in use by another program: stop that program, or set PORT to another number.`]),
    );
    server.close();
  });

  it.runIf(hasIpv6Loopback)('do not share a port with a program on the other loopback', async () => {
    const { server, port } = await occupy('::1');
    await expect(openListeners({ host: 'localhost', port })).rejects.toThrow(`PORT ${port} is in use`);
    const again = createServer().listen(port, '127.0.0.1');
    await once(again, 'listening');
    again.close();
    server.close();
  });

  it('say so when the address belongs to another machine', async () => {
    await expect(openListeners({ host: '192.0.2.1', port: 0 })).rejects.toThrow(
      'HOST 192.0.2.1 is not an address of this machine',
    );
  });

  it.each([
    ['as long as they are told', { keepAlive: 620_000 }, 620],
    ['longer than Caddy, nginx and load balancers do', {}, 130],
  ])('keep idle connections %s', async (_what, options, seconds) => {
    const listeners = await openListeners({ host: '127.0.0.1', port: 0, ...options });
    listeners.serve((_request, response) => response.end());
    const agent = new Agent({ keepAlive: true });
    const { answer } = await ask(`http://127.0.0.1:${listeners.port}/`, agent);
    expect(answer.headers['keep-alive']).toBe(`timeout=${seconds}`);
    agent.destroy();
    await listeners.drain(0);
  });

  it('answer requests that came before there was anyone to answer', async () => {
    const connections = new Connections();
    const server = createHttpServer((request, response) => connections.accept(request, response));
    server.on('connection', (socket) => connections.add(socket));
    const arrived = once(server, 'request');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const early = ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/early`);
    await arrived;
    connections.serve((request, response) => response.end(request.url));
    expect((await early).body).toBe('/early');
    server.close();
    await connections.drain(0);
  });
});

describe('draining listeners', () => {
  it('let a request in flight finish, close idle connections, take no new ones', async () => {
    const listeners = await openListeners({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${listeners.port}/`;
    const held: (() => void)[] = [];
    listeners.serve((request, response) => {
      if (request.url === '/slow') {
        held.push(() => response.end('finished'));
      } else {
        response.end();
      }
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    await ask(url, agent);
    const unused = connect(listeners.port, '127.0.0.1');
    await once(unused, 'connect');
    const unusedClosed = once(unused, 'close');
    const slow = ask(`${url}slow`);
    await expect.poll(() => held.length).toBe(1);

    const drained = listeners.drain(60_000);
    await unusedClosed;
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    held[0]?.();

    const { answer, body } = await slow;
    expect(body).toBe('finished');
    expect(answer.headers.connection).toBe('close');
    await drained;
    agent.destroy();
  });

  it('answer everything that a connection has asked for, one behind the other', async () => {
    const listeners = await openListeners({ host: '127.0.0.1', port: 0 });
    const held: (() => void)[] = [];
    listeners.serve((request, response) => held.push(() => response.end(`answer to ${request.url}`)));
    const socket = connect(listeners.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    socket.write('GET /one HTTP/1.1\r\nhost: here\r\n\r\nGET /two HTTP/1.1\r\nhost: here\r\n\r\n');
    await expect.poll(() => held.length).toBe(2);
    const drained = listeners.drain(60_000);
    for (const answer of held) {
      answer();
    }
    await closed;
    expect(text.match(/answer to \/[a-z]+/g)).toEqual(['answer to /one', 'answer to /two']);
    await drained;
  });

  it('cut off what does not finish in time', async () => {
    const listeners = await openListeners({ host: '127.0.0.1', port: 0 });
    let arrived = false;
    listeners.serve(() => {
      arrived = true;
    });
    const stuck = ask(`http://127.0.0.1:${listeners.port}/`);
    const cutOff = expect(stuck).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(() => arrived).toBe(true);
    await listeners.drain(1);
    await cutOff;
  });
});
