/**
 * The listening sockets of the server. They are opened before anything else, so that a port in use is reported at
 * once and the port number is known. They are drained at the end.
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
  /** Certificate and key for https; null or undefined for http. */
  readonly tls?: TlsPair | null;
}

export interface ListenOptions extends ListenAddress {
  /**
   * Milliseconds that an idle connection is kept. A proxy in front has to close its idle connections earlier: it
   * loses a request that it writes to a connection which this side has just closed.
   */
  readonly keepAlive?: number;
}

export interface Listeners {
  readonly port: number;
  /**
   * Hands requests to `handler`, including those that arrived earlier. Requests for a WebSocket go to
   * `upgradeHandler`.
   */
  serve(handler: RequestHandler, upgradeHandler?: UpgradeHandler): void;
  /** Uses another certificate from the next connection on. */
  useTls(pair: TlsPair): void;
  /**
   * Answers probes with `stopping` from now on, so that a proxy sends its requests elsewhere. Other requests are
   * answered as before.
   */
  announceStop(): void;
  /**
   * Accepts no new connections, lets running requests finish and closes every connection. Requests that have not
   * finished after `timeout` milliseconds are cut off.
   */
  drain(timeout: number): Promise<void>;
}

/** Paths that are opened as WebSockets. */
const WEBSOCKETS = new RegExp(`^${livePaths.socket('[^/?]+')}(\\?|$)`);

/** Milliseconds. Longer than the two minutes of Caddy and the one minute of nginx and of Amazon's load balancers. */
const KEEP_ALIVE = 130_000;

/** Milliseconds. */
const TIMES = {
  /** Limit for the head of a request, which fits into a few packets. */
  headersTimeout: 20_000,
  /**
   * Limit for a whole request: 64 MiB of firmware over half a megabit per second. Most requests have less
   * (`admission/body-arrival.ts`).
   */
  requestTimeout: 1_800_000,
  /** Interval at which Node checks both limits. */
  connectionsCheckingInterval: 5_000,
};

const SERVER_OPTIONS = {
  ...TIMES,
  // A request for any other protocol is handled as an ordinary HTTP request.
  shouldUpgradeCallback: ({ method, url = '', headers: { upgrade = '' } }: IncomingMessage) =>
    method === 'GET' && upgrade.toLowerCase() === 'websocket' && WEBSOCKETS.test(url),
};

/** Milliseconds that a TLS handshake may take. */
const HANDSHAKE_TIMEOUT = 10_000;

/**
 * Listens on `host`. `127.0.0.1` and `localhost` both mean the IPv4 and the IPv6 loopback, since a browser may
 * resolve `localhost` to either.
 *
 * @throws StartError if the address or port is not available.
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

/**
 * Replaces each plain socket by the encrypted socket above it. Node does not link the two, so they are matched by
 * their remote address and port.
 */
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
