/**
 * Serves a device over TCP on the loopback address, for programs outside a browser. TCP carries neither baud rate nor
 * control lines: both ends always agree on the rate, and DTR and RTS cannot reset the device.
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

/**
 * Serves a device. Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) if it
 * cannot.
 */
export function serveOverTcp(options: ServeOptions): Promise<TcpService> {
  return serveDevice(options, bytesAlone);
}
