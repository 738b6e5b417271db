/**
 * The sockets of the server: taken before anything else is built, so that a taken port is found at once and the port is
 * known to whoever needs it; drained at the end. Knows HTTP connections, no routes.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { livePaths } from '@wirebench/contract';
import { Connections, type RequestHandler, type UpgradeHandler } from './connections.ts';
import { StartError } from './start-error.ts';
import type { TlsPair } from './tls-files.ts';

interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Speaks https with it; null or nothing for http. */
  readonly tls?: TlsPair | null;
}

export interface ListenOptions extends ListenAddress {
  /**
   * Milliseconds that an idle connection is kept. A proxy in front has to give up its idle connections sooner: one that this side
   * has just closed costs it a request.
   */
  readonly keepAlive?: number;
}

export interface Listeners {
  readonly port: number;
  /**
   * Hands requests to `handler`, those included that arrived before, and to `upgradeHandler` what asks for a WebSocket where there is one.
   */
  serve(handler: RequestHandler, upgradeHandler?: UpgradeHandler): void;
  /** Shows another certificate from the next connection on. */
  useTls(pair: TlsPair): void;
  /** Answers probes with `stopping` from now on, and everything else as before: a proxy then sends its requests elsewhere. */
  announceStop(): void;
  /**
   * Takes no new connection, lets the requests that have begun finish, closes every connection. Those that have not
   * finished after `timeout` milliseconds are cut off.
   */
  drain(timeout: number): Promise<void>;
}

/** Paths that are opened as WebSockets. */
const WEBSOCKETS = new RegExp(`^${livePaths.socket('[^/?]+')}(\\?|$)`);

/** Milliseconds. Longer than Caddy's two minutes, nginx's one, and the one of Amazon's load balancers. */
const KEEP_ALIVE = 130_000;

/** Milliseconds. */
const TIMES = {
  /** For the head of a request: it fits into a packet or a few. */
  headersTimeout: 20_000,
  /** For a whole request: 64 MiB of firmware over half a megabit a second. Most have less (`admission/body-arrival.ts`). */
  requestTimeout: 1_800_000,
  /** Between two looks at both. */
  connectionsCheckingInterval: 5_000,
};

const SERVER_OPTIONS = {
  ...TIMES,
  // Whatever else asks for another protocol is a request like all others, and answered in this one.
  shouldUpgradeCallback: ({ method, url = '', headers: { upgrade = '' } }: IncomingMessage) =>
    method === 'GET' && upgrade.toLowerCase() === 'websocket' && WEBSOCKETS.test(url),
};

/** Milliseconds that a TLS handshake may take. */
const HANDSHAKE_TIMEOUT = 10_000;

/**
 * Listens on `host`. The default address and `localhost` stand for both loopbacks, since a browser may resolve
 * `localhost` to either. Throws a `StartError` when the address cannot be had.
 */
export async function openListeners({
  host,
  port,
  tls = null,
  keepAlive = KEEP_ALIVE,
}: ListenOptions): Promise<Listeners> {
  const bothLoopbacks = host === '127.0.0.1' || host === 'localhost';
  const connections = new Connections();
  const startOn = (address: string, on: number) => startServer(connections, { host: address, port: on, tls });
  const first = await listen(startOn, bothLoopbacks ? '127.0.0.1' : host, port);
  const chosen = (first.address() as AddressInfo).port;
  const servers = [first];
  if (bothLoopbacks) {
    const second = await listenOnIpv6Loopback(startOn, chosen).catch(async (error: unknown) => {
      await closeServer(first);
      throw error;
    });
    if (second === 'taken' && port === 0) {
      await closeServer(first);
      return openListeners({ host, port, tls, keepAlive });
    }
    if (second === 'taken') {
      await closeServer(first);
      throw new StartError([takenText(port)]);
    }
    if (second !== 'unsupported') {
      servers.push(second);
    }
  }
  for (const server of servers) {
    server.keepAliveTimeout = keepAlive;
  }
  return {
    port: chosen,
    serve: (handler, upgradeHandler) => connections.serve(handler, upgradeHandler),
    useTls: (pair) => {
      for (const server of servers) {
        if (server instanceof TlsServer) {
          server.setSecureContext(pair);
        }
      }
    },
    announceStop: () => connections.announceStop(),
    drain: async (timeout) => {
      const closed = servers.map(closeServer);
      await connections.drain(timeout);
      await Promise.all(closed);
    },
  };
}

function takenText(port: number): string {
  return `PORT ${port} is in use by another program: stop that program, or set PORT to another number.`;
}

type StartOn = (host: string, port: number) => Promise<Server>;

async function listen(startOn: StartOn, host: string, port: number): Promise<Server> {
  try {
    return await startOn(host, port);
  } catch (error) {
    switch (codeOf(error)) {
      case 'EADDRINUSE':
        throw new StartError([takenText(port)], { cause: error });
      case 'EACCES':
        throw new StartError(
          [`PORT ${port} needs privileges that this process does not have: set PORT to 1024 or higher.`],
          {
            cause: error,
          },
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new StartError([`HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`], {
          cause: error,
        });
      default:
        throw error;
    }
  }
}

async function listenOnIpv6Loopback(startOn: StartOn, port: number): Promise<Server | 'taken' | 'unsupported'> {
  try {
    return await startOn('::1', port);
  } catch (error) {
    switch (codeOf(error)) {
      case 'EADDRINUSE':
        return 'taken';
      case 'EADDRNOTAVAIL':
      case 'EAFNOSUPPORT':
        return 'unsupported';
      default:
        throw error;
    }
  }
}

function startServer(connections: Connections, { host, port, tls = null }: ListenAddress): Promise<Server> {
  const server = createHttpServer(tls, (request, response) => connections.accept(request, response));
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('upgrade', (request, socket, head) => connections.upgrade(request, socket, head));
  if (tls !== null) {
    followHandshakes(server, connections);
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Puts each encrypted socket in the place of the one below it, which Node does not name: both have the same other end. */
function followHandshakes(server: Server, connections: Connections): void {
  const plain = new Map<string, Socket>();
  const otherEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = otherEnd(socket);
    plain.set(key, socket);
    socket.once('close', () => plain.delete(key));
  });
  server.on('secureConnection', (socket: Socket) => {
    const below = plain.get(otherEnd(socket));
    if (below !== undefined) {
      connections.replace(below, socket);
    }
  });
}

function createHttpServer(tls: TlsPair | null, onRequest: RequestListener): Server {
  return tls === null
    ? createServer(SERVER_OPTIONS, onRequest)
    : createTlsServer({ ...SERVER_OPTIONS, ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT }, onRequest);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
