/** A device behind a TCP port: a connection is an opened port, one at a time, and each side waits while the other one is full. */
import { createServer, type Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import type { Device, LineError } from '../wire/device.ts';
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

/** What the bytes of a connection mean. */
export interface Dialect {
  /** Bytes of the device as the client gets them. */
  encode(bytes: Uint8Array): Uint8Array;
  lineError(error: LineError): void;
  /** A client has come: opens the port. Gives what takes the bytes of this client. */
  open(wired: WiredDevice, reply: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void;
  /** The client has gone. */
  close(wired: WiredDevice): void;
  /** What a client receives that comes while another one is there; null: nothing. */
  readonly busy: string | null;
}

/** Bytes from the client that wait for the wire before the client has to. */
const mostPending = 16_384;

/** Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot. */
export function serveDevice({ device, clock, pace, port }: ServeOptions, dialect: Dialect): Promise<TcpService> {
  let client: Socket | null = null;
  const wired = new WiredDevice(
    device,
    {
      room: () => (client?.writableNeedDrain ? 0 : Number.POSITIVE_INFINITY),
      receive: (bytes) => client?.write(dialect.encode(bytes)),
      lineError: (error) => dialect.lineError(error),
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
      refuse(socket, dialect.busy);
      return;
    }
    client = socket;
    socket.setNoDelay(true);
    const receive = dialect.open(wired, (bytes) => socket.write(bytes));
    socket.on('data', (bytes) => {
      receive(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
      if (wired.pendingToDevice >= mostPending) {
        socket.pause();
      }
    });
    socket.on('drain', () => wired.resume());
    socket.on('close', () => {
      client = null;
      dialect.close(wired);
    });
  });
  return listenOnLoopback(server, port, { disconnect: () => client?.destroy(), detach: () => wired.detach() });
}

function refuse(socket: Socket, words: string | null): void {
  if (words === null) {
    socket.destroy();
  } else {
    socket.end(words);
  }
}
