/** What the servers have in common: where they listen, and how they end. */
import type { Server } from 'node:net';

export interface TcpService {
  readonly port: number;
  /** Ends the connection and stops listening. */
  close(): Promise<void>;
}

/** How a service ends: `disconnect` the client of now, and `detach` the device once nobody can come any more. */
export interface ServiceEnd {
  disconnect(): void;
  detach(): void;
}

/**
 * Resolves once `server` listens on the loopback address. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot.
 * @param port 0: any port that is free.
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
