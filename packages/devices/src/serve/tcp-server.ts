/**
 * Serves a device over TCP on the loopback address, so that programs that know no browser can talk to it. TCP carries neither
 * baud rate nor control lines, so both ends always agree on the rate, and nothing can be reset by DTR and RTS.
 */
import { type Dialect, type ServeOptions, serveDevice } from './device-server.ts';
import type { TcpService } from './listen.ts';

const bytesAlone: Dialect = {
  encode: (bytes) => bytes,
  lineError: (error) => process.stderr.write(`line error towards the client: ${error}\n`),
  open: (wired) => {
    wired.open(null);
    return (bytes) => wired.send(bytes);
  },
  close: (wired) => wired.close(),
  busy: 'busy: another client is connected\r\n',
};

/** Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot. */
export function serveOverTcp(options: ServeOptions): Promise<TcpService> {
  return serveDevice(options, bytesAlone);
}
