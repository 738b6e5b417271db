/** A TCP forwarder to a server that can be cut or silenced. */
import { connect, createServer, type Socket } from 'node:net';

/** A client's connection that has become a WebSocket. */
interface CarriedSocket {
  /** Bytes in both directions, including headers. */
  readonly bytes: number;
  /** Time of the last byte, in milliseconds since the Unix epoch. */
  readonly lastByteAt: number;
  readonly isOpen: boolean;
}

export interface CuttableWire extends AsyncDisposable {
  readonly port: number;
  /** All WebSockets so far, oldest first. */
  readonly sockets: readonly CarriedSocket[];
  /** Breaks every connection and accepts none until the returned function is called. */
  cut(): () => void;
  /**
   * Forwards nothing without closing connections, as without reception, until the returned function is called. Bytes
   * that arrived in between are then forwarded.
   */
  silence(): () => void;
}

/** @param target Port on the loopback. */
export async function cuttableWire(target: number): Promise<CuttableWire> {
  const ends = new Set<Socket>();
  const sockets: { bytes: number; lastByteAt: number; isOpen: boolean }[] = [];
  let isCut = false;
  let isSilent = false;
  const keep = (socket: Socket) => {
    ends.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => ends.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    keep(far);
    let carried: (typeof sockets)[number] | null = null;
    const count = (chunk: Buffer) => {
      if (carried !== null) {
        carried.bytes += chunk.length;
        carried.lastByteAt = Date.now();
      }
    };
    near.on('data', (chunk: Buffer) => {
      if (carried === null && /^upgrade: *websocket/im.test(chunk.toString('latin1'))) {
        carried = { bytes: 0, lastByteAt: 0, isOpen: true };
        sockets.push(carried);
      }
      count(chunk);
    });
    far.on('data', count);
    near.pipe(far).pipe(near);
    if (isSilent) {
      near.pause();
    }
    near.on('close', () => far.destroy());
    far.on('close', () => {
      near.destroy();
      if (carried !== null) {
        carried.isOpen = false;
      }
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, 'localhost', resolve);
  await promise;
  const address = server.address();
  const end = () => {
    for (const socket of ends) {
      socket.destroy();
    }
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    sockets,
    cut: () => {
      isCut = true;
      end();
      return () => {
        isCut = false;
      };
    },
    silence: () => {
      isSilent = true;
      for (const socket of ends) {
        socket.pause();
      }
      return () => {
        isSilent = false;
        for (const socket of ends) {
          socket.resume();
        }
      };
    },
    [Symbol.asyncDispose]: async () => {
      end();
      await new Promise((done) => server.close(done));
    },
  };
}
