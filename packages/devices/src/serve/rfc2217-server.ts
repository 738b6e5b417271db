/**
 * Serves a device over TCP with everything that a serial port has: rate, frame, DTR, RTS and break go as RFC 2217 says. A connection
 * is an opened port: one at a time, on the loopback address.
 */
import { createServer, type Socket } from 'node:net';
import { WiredDevice } from '../wire/wired-device.ts';
import { ComPortSession } from './com-port-session.ts';
import { listenOnLoopback, type TcpService } from './listen.ts';
import type { ServeOptions } from './tcp-server.ts';

/** Bytes from the client that wait for the wire before the client has to. */
const mostPending = 16_384;

/** Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot. */
export function serveOverRfc2217({ device, clock, pace, port }: ServeOptions): Promise<TcpService> {
  let client: Socket | null = null;
  const wired = new WiredDevice(
    device,
    {
      room: () => (client?.writableNeedDrain ? 0 : Number.POSITIVE_INFINITY),
      receive: (bytes) => client?.write(ComPortSession.escape(bytes)),
      // A client that listens at another rate gets the rubbish; nobody asked to be notified of line states.
      lineError: () => undefined,
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
      socket.destroy();
      return;
    }
    client = socket;
    socket.setNoDelay(true);
    const session = new ComPortSession({
      data: (bytes) => wired.send(bytes),
      settings: (settings) => wired.open(settings),
      lines: (lines) => wired.setLines(lines),
      discard: () => wired.discardToDevice(),
      reply: (bytes) => socket.write(bytes),
    });
    socket.on('data', (bytes) => {
      session.receive(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
      if (wired.pendingToDevice >= mostPending) {
        socket.pause();
      }
    });
    socket.on('drain', () => wired.resume());
    socket.on('close', () => {
      client = null;
      wired.setLines({ dtr: false, rts: false, break: false });
      wired.close();
    });
    wired.open({ baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' });
  });
  return listenOnLoopback(server, port, { disconnect: () => client?.destroy(), detach: () => wired.detach() });
}
