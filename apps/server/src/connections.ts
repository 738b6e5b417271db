/**
 * Open connections of an HTTP server and the responses that each still owes, so that the server can stop without cutting
 * anyone off. Node's own `closeIdleConnections` spares connections that have not sent a request yet, and browsers open
 * those in advance.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export class Connections {
  readonly #owed = new Map<Socket, Set<ServerResponse>>();
  #early: [IncomingMessage, ServerResponse][] = [];
  #handler: RequestHandler | null = null;
  #drained: (() => void) | null = null;

  add(socket: Socket): void {
    this.#owed.set(socket, new Set());
    socket.once('close', () => {
      this.#owed.delete(socket);
      this.#settle();
    });
  }

  accept(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const owed = this.#owed.get(socket);
    owed?.add(response);
    response.once('close', () => {
      owed?.delete(response);
      if (this.#drained !== null && owed?.size === 0) {
        socket.destroySoon();
      }
    });
    if (this.#drained !== null) {
      response.shouldKeepAlive = false;
    }
    if (this.#handler === null) {
      this.#early.push([request, response]);
    } else {
      this.#handler(request, response);
    }
  }

  /** Hands requests to `handler`, those included that arrived before. */
  serve(handler: RequestHandler): void {
    this.#handler = handler;
    const early = this.#early;
    this.#early = [];
    for (const [request, response] of early) {
      handler(request, response);
    }
  }

  /** Closes idle connections at once, busy ones after their responses, and what is left after `patience` milliseconds. */
  drain(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const cutOff = setTimeout(() => {
        for (const socket of this.#owed.keys()) {
          socket.destroy();
        }
      }, patience);
      this.#drained = () => {
        clearTimeout(cutOff);
        resolve();
      };
      for (const [socket, owed] of this.#owed) {
        if (owed.size === 0) {
          socket.destroy();
        }
        for (const response of owed) {
          // Tells the client, where the head of the response has not been sent, that this connection ends with it.
          response.shouldKeepAlive = false;
        }
      }
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#owed.size === 0) {
      this.#drained?.();
    }
  }
}
