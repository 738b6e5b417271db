/** A bench that is shared over a real server on loopback. Its host runs in this process. */
import { systemClock } from '@wirebench/clock';
import { dialSocket, formatShareLink, makeSecret, RemoteHost, webCrypto } from '@wirebench/remote';
import { cuttableWire } from '@wirebench/server/testing/cuttable-wire.ts';
import { newLiveRoom } from '@wirebench/server/testing/live-client.ts';
import { startLiveServer } from '@wirebench/server/testing/live-server.ts';

export interface SharedBench extends AsyncDisposable {
  readonly host: RemoteHost;
  readonly link: string;
  /** Calls of the host's bench in order: `acquire 1`, `release 1`. */
  readonly calls: readonly string[];
  /** Resolves with the ID of the only guest once it has joined. */
  guest(): Promise<string>;
  /** Resolves once `holds` returns true for the host. */
  until(holds: (host: RemoteHost) => boolean): Promise<void>;
  /** Breaks every guest connection. New connections do not get through until the returned function is called. */
  cut(): () => void;
}

/**
 * Starts a server and a host named Ada who shares the boards.
 *
 * @param deviceOf Returns the host's board at a port.
 */
export async function shareBench(deviceOf: (port: number) => SerialPort): Promise<SharedBench> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startLiveServer());
  const { id, hostToken } = await newLiveRoom(server.address, await server.test.bearer());
  const wire = stack.use(await cuttableWire(server.port));
  const secret = makeSecret(webCrypto);
  const calls: string[] = [];
  const waiting = new Set<() => void>();
  const host: RemoteHost = new RemoteHost({
    clock: systemClock,
    dial: dialSocket({ origin: server.address, room: id, hostToken }),
    secret,
    name: 'Ada',
    onChange: () => {
      for (const look of [...waiting]) {
        look();
      }
    },
    bench: {
      acquire: async (port) => {
        calls.push(`acquire ${port}`);
        return deviceOf(port);
      },
      release: (port) => calls.push(`release ${port}`),
      type: async () => undefined,
      passed: () => undefined,
    },
  });
  stack.defer(() => host.stop());
  const until = (holds: (host: RemoteHost) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (holds(host)) {
          waiting.delete(look);
          resolve();
        }
      };
      waiting.add(look);
      look();
    });
  const resources = stack.move();
  return {
    host,
    link: formatShareLink({ origin: `http://localhost:${wire.port}`, room: id, secret }),
    calls,
    until,
    guest: async () => {
      await until(() => host.status.guests.length > 0);
      return host.status.guests[0]?.id ?? '';
    },
    cut: () => wire.cut(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
