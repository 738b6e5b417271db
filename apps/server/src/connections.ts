/**
 * Open connections of an HTTP server and the responses that each still owes, so that the server can stop without cutting
 * anyone off. Node's own `closeIdleConnections` spares connections that have not sent a request yet, and browsers open
 * those in advance.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerProbe } from './probe-answers.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds for which a connection that asked for another protocol may wait to be taken over. */
const UNTAKEN_TIMEOUT = 10_000;

/** Takes over the connection of a request that asks for another protocol; `head` is what came after it. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export class Connections {
  /** The response that each connection was asked for last, and which it finishes last; null before the first one. */
  readonly #last = new Map<Socket, ServerResponse | null>();
  #early: [IncomingMessage, ServerResponse][] = [];
  #handler: RequestHandler | null = null;
  #upgradeHandler: UpgradeHandler | null = null;
  /** Connections that speak another protocol by now: whoever took them over ends them. */
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

  /** A connection that was added is `encrypted` by now; requests name that one. */
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

  /** While there is nobody to take it over, before the start and at the end, the connection is closed. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#upgradeHandler === null || this.#drained !== null) {
      socket.destroy();
      return;
    }
    this.#upgraded.add(request.socket);
    request.socket.once('close', () => this.#upgraded.delete(request.socket));
    // Whoever takes it over takes this back, as ws does; what was answered only ends with it.
    request.socket.setTimeout(UNTAKEN_TIMEOUT, () => request.socket.destroy());
    this.#upgradeHandler(request, socket, head);
  }

  /** Hands requests to `handler`, those included that arrived before. */
  serve(handler: RequestHandler, upgradeHandler: UpgradeHandler | null = null): void {
    this.#handler = handler;
    this.#upgradeHandler = upgradeHandler;
    const early = this.#early;
    this.#early = [];
    for (const [request, response] of early) {
      handler(request, response);
    }
  }

  /** Answers probes with `stopping` from now on, and everything else as before. */
  announceStop(): void {
    this.#isStopAnnounced = true;
  }

  /** Closes idle connections at once, busy ones after their responses, and what is left after `timeout` milliseconds. */
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
    // Tells the client, where the head of the response has not been sent, that this connection ends with it.
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
