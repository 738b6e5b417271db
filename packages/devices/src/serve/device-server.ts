/**
 * A device behind a TCP port. A connection opens the device's port, one client at a time. Each side waits while the
 * other's buffer is full.
 */
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
  /** TCP port; 0: any free port. */
  readonly port: number;
}

/** The protocol of a connection. */
export interface Dialect {
  /** Converts bytes of the device to bytes for the client. */
  encode(bytes: Uint8Array): Uint8Array;
  lineError(error: LineError): void;
  /** Opens the port for a new client. Returns the receiver of the client's bytes. */
  open(wired: WiredDevice, reply: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void;
  /** Closes the port of a client that has disconnected. */
  close(wired: WiredDevice): void;
  /** Message for a client that connects while another one is connected; null: none. */
  readonly busy: string | null;
}

/** Bytes queued for the wire at which the server stops reading from the client. */
const maxPending = 16_384;

/**
 * Serves a device. Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) if it
 * cannot.
 */
export function serveDevice({ device, clock, pace, port }: ServeOptions, dialect: Dialect): Promise<TcpService> {
  let client: Socket | null = null;
  const wired = new WiredDevice(
    device,
    {
      room: () => (client?.writableNeedDrain ? 0 : Number.POSITIVE_INFINITY),
      receive: (bytes) => client?.write(dialect.encode(bytes)),
      lineError: (error) => dialect.lineError(error),
      moved: () => {
        if (wired.pendingToDevice < maxPending) {
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
      if (wired.pendingToDevice >= maxPending) {
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
