/** A WebSocket to the relay as the link that messages travel on. */
import { type LiveCaller, livePaths, liveProtocols } from '@wirebench/contract/constants';
import type { Dial, MessageLink } from './message-link.ts';

/** Makes a WebSocket; the global one unless a test or an older Node says otherwise. */
type OpenSocket = (address: string, protocols: string[]) => WebSocket;

interface SocketDialOptions {
  /** The server: scheme, host and port, as http or https. */
  readonly origin: string;
  /** The id of the room. */
  readonly room: string;
  /** What the server answered when the room was made; null for a guest. */
  readonly hostToken: string | null;
  readonly open?: OpenSocket;
}

/** For a connection that ended without a code (RFC 6455, section 7.4.1). */
const ABNORMAL = 1006;

/** How a host or a guest connects to its room, again and again. */
export function dialSocket({ origin, room, hostToken, open = openSocket }: SocketDialOptions): Dial {
  const address = `${origin.replace(/^http/, 'ws')}${livePaths.socket(room)}`;
  return (resume) => {
    const caller: LiveCaller = hostToken !== null ? { host: hostToken } : resume === null ? null : { resume };
    try {
      return new SocketLink(open(address, liveProtocols(caller)));
    } catch {
      // An address that this page may not open (its policy, an http address in an https page) throws at once.
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
        // Text is nothing that the relay sends: an empty message is refused by whoever reads it.
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
      // Closing and closed sockets drop what is sent.
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
    // There is nothing that it could go to.
  }

  close(): void {
    this.onclose = null;
  }
}
