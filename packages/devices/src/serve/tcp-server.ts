/**
 * Serves a device over TCP on the loopback address, so that programs that know no browser can talk to it. A connection is
 * an opened port: one at a time. TCP carries neither baud rate nor control lines, so both ends always agree on the rate,
 * and nothing can be reset by DTR and RTS.
 */
import { createServer, type Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import type { Device } from '../wire/device.ts';
import type { Pace } from '../wire/wire.ts';
import { WiredDevice } from '../wire/wired-device.ts';
import { listenOnLoopback, type TcpService } from './listen.ts';

export interface ServeOptions {
  readonly device: Device;
  readonly clock: Clock;
  readonly pace: Pace;
  /** 0: any port that is free. */
  readonly port: number;
}

/** Bytes from the client that wait for the wire before the client has to. */
const mostPending = 16_384;

/** Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot. */
export function serveOverTcp({ device, clock, pace, port }: ServeOptions): Promise<TcpService> {
  let client: Socket | null = null;
  const wired = new WiredDevice(
    device,
    {
      room: () => (client?.writableNeedDrain ? 0 : Infinity),
      receive: (bytes) => client?.write(bytes),
      lineError: (error) => process.stderr.write(`line error towards the client: ${error}\n`),
      moved: () => {
        if (wired.pendingToDevice < mostPending) {
          client?.resume();
        }
      },
    },
    { clock, pace },
  );
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (client !== null) {
      socket.end('busy: another client is connected\r\n');
      return;
    }
    client = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      wired.send(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
      if (wired.pendingToDevice >= mostPending) {
        socket.pause();
      }
    });
    socket.on('drain', () => wired.resume());
    socket.on('close', () => {
      client = null;
      wired.close();
    });
    wired.open(null);
  });
  return listenOnLoopback(server, port, { disconnect: () => client?.destroy(), detach: () => wired.detach() });
}
