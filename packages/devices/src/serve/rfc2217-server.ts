/**
 * Serves a device over TCP on the loopback address as a complete serial port: RFC 2217 carries rate, frame, DTR, RTS
 * and break.
 */
import { ComPortSession } from './com-port-session.ts';
import { type Dialect, type ServeOptions, serveDevice } from './device-server.ts';
import type { TcpService } from './listen.ts';

const comPort: Dialect = {
  encode: (bytes) => ComPortSession.escape(bytes),
  // Not reported: the session offers no notification of line states. A client at a wrong rate receives the garbage.
  lineError: () => undefined,
  open: (wired, reply) => {
    const session = new ComPortSession({
      data: (bytes) => wired.send(bytes),
      settings: (settings) => wired.open(settings),
      lines: (lines) => wired.setLines(lines),
      discard: () => wired.discardToDevice(),
      reply,
    });
    wired.open({ baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' });
    return (bytes) => session.receive(bytes);
  },
  close: (wired) => {
    wired.setLines({ dtr: false, rts: false, break: false });
    wired.close();
  },
  busy: null,
};

/**
 * Serves a device. Resolves once the port listens. Rejects with the system's error (`EADDRINUSE`, `EACCES`) if it
 * cannot.
 */
export function serveOverRfc2217(options: ServeOptions): Promise<TcpService> {
  return serveDevice(options, comPort);
}
