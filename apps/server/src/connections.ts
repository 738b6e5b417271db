/**
 * Open connections of an HTTP server with their pending responses, so that the server can stop without cutting off a
 * client. Node's `closeIdleConnections` does not close connections that have not sent a request yet, and browsers
 * open those in advance.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiPaths } from '@wirebench/contract';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds that a connection which asked for another protocol may wait until a handler takes it over. */
const UNTAKEN_TIMEOUT = 10_000;

/**
 * Takes over the connection of a request that asks for another protocol. `head` holds the bytes received after the
 * request.
 */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Answers to probes while the server must not get requests: before it is ready, and after a stop is announced. */

/** Seconds after which a probe may be repeated. */
const RETRY_AFTER = 1;

const probes: ReadonlySet<string> = new Set([apiPaths.health, apiPaths.ready]);

/** Answers a request for health or readiness with 503 and `status`. Returns false for all other requests. */
function answerProbe(
  status: 'starting' | 'stopping',
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const [path = ''] = url.split('?');
  if (!probes.has(path)) {
    return false;
  }
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER),
    })
    .end(JSON.stringify({ status }));
  return true;
}

export class Connections {
  /** The latest response of each connection, which is also the last to finish; null before the first request. */
  readonly #last = new Map<Socket, ServerResponse | null>();
  #early: [IncomingMessage, ServerResponse][] = [];
  #handler: RequestHandler | null = null;
  #upgradeHandler: UpgradeHandler | null = null;
  /** Connections that have switched to another protocol. The handler that took them over ends them. */
  readonly #upgraded = new Set<Socket>();
  #drained: (() => void) | null = null;
  #isStopAnnounced = false;

  add(socket: Socket): void {
    this.#last.set(socket, null);
    socket.once('close', () => {
      this.#last.delete(socket);
      this.#settle();
    });
  }

  /** Replaces a socket that was added by the encrypted socket above it, which is the one that requests name. */
  replace(plain: Socket, encrypted: Socket): void {
    this.#last.delete(plain);
    this.add(encrypted);
  }

  accept(request: IncomingMessage, response: ServerResponse): void {
    if (this.#last.has(request.socket)) {
      this.#last.set(request.socket, response);
    }
    if (this.#drained !== null) {
      this.#closeAfter(request.socket, response);
    }
    if (this.#isStopAnnounced && answerProbe('stopping', request, response)) {
      return;
    }
    if (this.#handler !== null) {
      this.#handler(request, response);
    } else if (!answerProbe('starting', request, response)) {
      this.#early.push([request, response]);
    }
  }

  /**
   * Hands the connection to the upgrade handler. Without a handler, before the start and during a stop, the
   * connection is closed.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#upgradeHandler === null || this.#drained !== null) {
      socket.destroy();
      return;
    }
    this.#upgraded.add(request.socket);
    request.socket.once('close', () => this.#upgraded.delete(request.socket));
    // ws clears this timeout when it takes the connection over. A refused connection closes at the latest when it
    // expires.
    request.socket.setTimeout(UNTAKEN_TIMEOUT, () => request.socket.destroy());
    this.#upgradeHandler(request, socket, head);
  }

  /** Hands requests to `handler`, including those that arrived earlier. */
  serve(handler: RequestHandler, upgradeHandler: UpgradeHandler | null = null): void {
    this.#handler = handler;
    this.#upgradeHandler = upgradeHandler;
    const early = this.#early;
    this.#early = [];
    for (const [request, response] of early) {
      handler(request, response);
    }
  }

  /** Answers probes with `stopping` from now on. Other requests are answered as before. */
  announceStop(): void {
    this.#isStopAnnounced = true;
  }

  /** Closes idle connections at once, busy ones after their responses, and all others after `timeout` milliseconds. */
  drain(timeout: number): Promise<void> {
    return new Promise((resolve) => {
      const cutOff = setTimeout(() => {
        for (const socket of this.#last.keys()) {
          socket.destroy();
        }
      }, timeout);
      this.#drained = () => {
        clearTimeout(cutOff);
        resolve();
      };
      for (const [socket, response] of this.#last) {
        if (this.#upgraded.has(socket)) {
          continue;
        }
        if (response === null || response.closed) {
          socket.destroy();
        } else {
          this.#closeAfter(socket, response);
        }
      }
      this.#settle();
    });
  }

  #closeAfter(socket: Socket, response: ServerResponse): void {
    // Announces the end of the connection to the client, if the response's headers are not sent yet.
    response.shouldKeepAlive = false;
    response.once('close', () => {
      if (this.#last.get(socket) === response) {
        socket.destroySoon();
      }
    });
  }

  #settle(): void {
    if (this.#last.size === 0) {
      this.#drained?.();
    }
  }
}
