/** Connections whose peer does not close them. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../testing/certificate.ts';
import { endSoon } from './live-connection.ts';

/** Returns the server's end of a connection that a client opened. */
async function acceptedBy(server: Server, event: 'connection' | 'secureConnection', open: (port: number) => Socket) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, event);
  const client = open((server.address() as AddressInfo).port);
  // A reset is reported as an error.
  client.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const [wire] = (await accepted) as [Socket];
  return { closed, wire };
}

describe('a connection that its other side does not close', () => {
  it('is ended', async () => {
    const server = createServer();
    const { closed, wire } = await acceptedBy(server, 'connection', (port) => connect(port, '127.0.0.1'));
    endSoon(wire);
    await closed;
    expect(wire.destroyed).toBe(true);
    server.close();
  });

  it('is ended over TLS too, which Node cannot reset, and the process goes on', async () => {
    const server = createTlsServer(makeCertificate());
    const { closed, wire } = await acceptedBy(server, 'secureConnection', (port) =>
      connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    );
    endSoon(wire);
    await closed;
    expect(wire.destroyed).toBe(true);
    server.close();
  });
});
