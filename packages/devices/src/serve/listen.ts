/** The common part of the servers: listening and closing. */
import type { Server } from 'node:net';

export interface TcpService {
  readonly port: number;
  /** Ends the connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Steps that close a service: `disconnect` the present client, then `detach` the device once the server accepts no
 * more clients.
 */
export interface ServiceEnd {
  disconnect(): void;
  detach(): void;
}

/**
 * Resolves once `server` listens on the loopback address. Rejects with the system's error (`EADDRINUSE`, `EACCES`) if
 * it cannot.
 * @param port TCP port; 0: any free port.
 */
export function listenOnLoopback(
  server: Server,
  port: number,
  { disconnect, detach }: ServiceEnd,
): Promise<TcpService> {
  const { promise, resolve, reject } = Promise.withResolvers<TcpService>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    resolve({
      port: typeof address === 'object' && address !== null ? address.port : port,
      close: () =>
        new Promise((closed) => {
          server.close(() => {
            detach();
            closed();
          });
          disconnect();
        }),
    });
  });
  return promise;
}
