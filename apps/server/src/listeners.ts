/**
 * The sockets of the server: taken before anything else is built, so that a taken port is found at once and the port is
 * known to whoever needs it; drained at the end. Knows HTTP connections, no routes.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Connections, type RequestHandler } from './connections.ts';
import { StartError } from './start-error.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface Listeners {
  readonly port: number;
  /** Hands requests to `handler`, those included that arrived before. */
  serve(handler: RequestHandler): void;
  /**
   * Takes no new connection, lets the requests that have begun finish, closes every connection. Those that have not
   * finished after `patience` milliseconds are cut off.
   */
  drain(patience: number): Promise<void>;
}

/** Milliseconds that an idle connection is kept: longer than common proxies do, which would otherwise meet a closed one. */
const KEEP_ALIVE = 72_000;

/** Milliseconds that a request may take to arrive: 64 MiB of firmware over half a megabit a second. */
const REQUEST_TIMEOUT = 1_800_000;

/**
 * Listens on `host`. The default address and `localhost` stand for both loopbacks, since a browser may resolve
 * `localhost` to either. Throws a `StartError` when the address cannot be had.
 */
export async function openListeners({ host, port }: ListenAddress): Promise<Listeners> {
  const bothLoopbacks = host === '127.0.0.1' || host === 'localhost';
  const connections = new Connections();
  const first = await listen(connections, bothLoopbacks ? '127.0.0.1' : host, port);
  const chosen = (first.address() as AddressInfo).port;
  const servers = [first];
  if (bothLoopbacks) {
    const second = await listenOnIpv6Loopback(connections, chosen).catch(async (error: unknown) => {
      await closeServer(first);
      throw error;
    });
    if (second === 'taken' && port === 0) {
      await closeServer(first);
      return openListeners({ host, port });
    }
    if (second === 'taken') {
      await closeServer(first);
      throw new StartError([takenText(port)]);
    }
    if (second !== 'unsupported') {
      servers.push(second);
    }
  }
  return {
    port: chosen,
    serve: (handler) => connections.serve(handler),
    drain: async (patience) => {
      const closed = servers.map(closeServer);
      await connections.drain(patience);
      await Promise.all(closed);
    },
  };
}

function takenText(port: number): string {
  return `PORT ${port} is in use by another program: stop that program, or set PORT to another number.`;
}

async function listen(connections: Connections, host: string, port: number): Promise<Server> {
  try {
    return await startServer(connections, host, port);
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

async function listenOnIpv6Loopback(connections: Connections, port: number): Promise<Server | 'taken' | 'unsupported'> {
  try {
    return await startServer(connections, '::1', port);
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

function startServer(connections: Connections, host: string, port: number): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, requestTimeout: REQUEST_TIMEOUT }, (request, response) =>
    connections.accept(request, response),
  );
  server.on('connection', (socket: Socket) => connections.add(socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
