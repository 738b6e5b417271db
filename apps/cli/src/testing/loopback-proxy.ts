/** A proxy on 127.0.0.1 that forwards requests over http and connects by CONNECT, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LoopbackProxy {
  /** Host with port. */
  readonly host: string;
  /** Method and target of each request. */
  readonly asked: string[];
}

/** @param answer Status of its answer to every request; null: it does its work. `pair`: name and password that it wants. */
export async function loopbackProxy({
  answer = null,
  pair = null,
}: {
  readonly answer?: number | null;
  readonly pair?: string | null;
} = {}): Promise<LoopbackProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = pair === null ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
  const refusal = (given: string | undefined) => (given === wanted ? answer : 407);
  const server = createServer((asking, answering) => {
    asked.push(`${asking.method} ${asking.url}`);
    const status = refusal(asking.headers['proxy-authorization']);
    if (status !== null) {
      answering.writeHead(status).end();
      return;
    }
    const { 'proxy-authorization': _own, ...headers } = asking.headers;
    const onward = request(asking.url ?? '', { method: asking.method, headers }, (answered) => {
      answering.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answering);
    });
    onward.on('error', () => answering.writeHead(502).end());
    asking.pipe(onward);
  });
  server.on('connect', ({ url = '', headers }, socket: Socket, head: Buffer) => {
    asked.push(`CONNECT ${url}`);
    socket.on('error', () => undefined);
    const status = refusal(headers['proxy-authorization']);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => {
      if (onward.bytesRead === 0 && socket.bytesWritten === 0) {
        socket.end('HTTP/1.1 502 Bad gateway\r\ncontent-length: 0\r\n\r\n');
      } else {
        socket.destroy();
      }
    });
    sockets.add(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
