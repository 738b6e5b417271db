/** Connects to the relay by WebSocket and wraps the socket as a `MessageLink`. */
import { type LiveCaller, livePaths, liveProtocols } from '@wirebench/contract/constants';
import type { Dial, MessageLink } from './message-link.ts';

/** Opens a WebSocket. The default is the global one; a test or an older Node passes its own. */
type OpenSocket = (address: string, protocols: string[]) => WebSocket;

interface SocketDialOptions {
  /** The server: scheme, host and port, with http or https. */
  readonly origin: string;
  readonly room: string;
  /** Token that the server returned when the room was made; null for a guest. */
  readonly hostToken: string | null;
  readonly open?: OpenSocket;
}

/** Close code of a connection that ended without a code (RFC 6455, section 7.4.1). */
const ABNORMAL = 1006;

/** Returns the function that connects a host or a guest to its room, on each retry. */
export function dialSocket({ origin, room, hostToken, open = openSocket }: SocketDialOptions): Dial {
  const address = `${origin.replace(/^http/, 'ws')}${livePaths.socket(room)}`;
  return (resume) => {
    const caller: LiveCaller = hostToken !== null ? { host: hostToken } : resume === null ? null : { resume };
    try {
      return new SocketLink(open(address, liveProtocols(caller)));
    } catch {
      // A page may not open some addresses (its policy, or http in an https page): the constructor throws at once.
      return new RefusedLink();
    }
  };
}

const openSocket: OpenSocket = (address, protocols) => new WebSocket(address, protocols);

class SocketLink implements MessageLink {
  onmessage: ((message: Uint8Array) => void) | null = null;
  onclose: ((code: number) => void) | null = null;
  readonly #socket: WebSocket;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #isClosed = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      for (const message of this.#waiting.splice(0)) {
        socket.send(message);
      }
    });
    socket.addEventListener('message', ({ data }) => {
      if (!this.#isClosed) {
        // The relay sends no text. An empty message makes the receiver refuse it.
        this.onmessage?.(data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(0));
      }
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code }) => this.#close(code));
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState === this.#socket.CONNECTING) {
      this.#waiting.push(message);
    } else {
      // A closing or closed socket drops the message.
      this.#socket.send(message);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#socket.close(1000);
  }

  #close(code: number): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.(code);
    }
  }
}

class RefusedLink implements MessageLink {
  onmessage: ((message: Uint8Array) => void) | null = null;
  onclose: ((code: number) => void) | null = null;

  constructor() {
    queueMicrotask(() => this.onclose?.(ABNORMAL));
  }

  send(): void {
    // The link was never open, so there is no receiver.
  }

  close(): void {
    this.onclose = null;
  }
}
