/**
 * Serves a serial port to other programs: RFC 2217 or plain bytes, on the loopback address unless another one is
 * named, one client at a time.
 *
 * A client of RFC 2217 must begin with a Telnet command. Otherwise the request of any other program that can connect to
 * the port, above all a page in a browser, would be written to the board. Plain bytes have no such mark, so there the
 * requests that browsers send are refused.
 */
import { createServer, type Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import { deferred, type PortSettings } from '@wirebench/port';
import { type ComPortEnd, ComPortSession } from '../com-port-session.ts';

/** Telnet's "Interpret as command". Every client of RFC 2217 sends it first. */
const IAC = 255;
/** Time for a client's first byte, in milliseconds. A silent client must not keep others away. */
const GREETING = 10_000;
/** Bytes unread by the client from which its own bytes are no longer read. */
const MAX_UNREAD = 262_144;
/** Most connections at the same time, including those that are being refused. */
const MAX_CONNECTIONS = 16;
/** Time for a refused client to read the reason, in milliseconds. */
const FAREWELL = 1_000;
/** Most bytes read ahead from a waiting client: more than any client sends before its first answer. */
const MAX_EARLY = 65_536;
/** Time for a client's last commands to take effect when the service ends, in milliseconds. */
const LAST_WORK = 2_000;

/** Methods of HTTP (RFC 9110, section 9; RFC 9113, section 3.4), with which the request of a browser begins. */
const methods = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|PRI) /;
/** Content type of a TLS handshake, and the major version behind it (RFC 8446, section 5.1). */
const handshake = [22, 3] as const;

const isOfBrowser = (bytes: Uint8Array): boolean =>
  methods.test(String.fromCharCode(...bytes.subarray(0, 8))) || handshake.every((byte, at) => bytes[at] === byte);

const endText = {
  'port-gone': 'The port is gone.',
  'port-busy': 'The port is in use there.',
  'not-allowed': 'You may not use this port.',
  'port-failed': 'The port could not be opened, or failed.',
  flooded: 'Too many commands.',
} satisfies Record<ComPortEnd, string>;

export interface ServedPort {
  /** The port, not yet open. */
  readonly device: SerialPort;
  /** Settings for clients that set none. */
  readonly settings: PortSettings;
}

export interface ComPortServiceOptions {
  readonly clock: Clock;
  /** TCP port; 0 picks a free one. */
  readonly port: number;
  /** Address of this machine. Default: 127.0.0.1. */
  readonly host?: string;
  /** Returns true for the address of a client that may use the port. Missing: all may. */
  readonly admits?: (address: string) => boolean;
  /** True: bytes as they are, without settings or control lines. Default: RFC 2217. */
  readonly isRaw?: boolean;
  /** Called for each client. Returns the port, or a sentence with the reason why it is not available. */
  readonly served: () => ServedPort | string;
  /**
   * Called when a client has come (true) or gone (false). `why` is the reason if the service sent the client away.
   *
   * @param who Address and port of the client.
   */
  readonly onClient: (isThere: boolean, why: string | null, who: string) => void;
  /** Called for a client that was refused because of its address, or because of another client. */
  readonly onRefused?: (who: string, why: string) => void;
}

export interface ComPortService {
  readonly port: number;
  /** Ends the connection, closes the port and stops listening. Bounded in time. */
  close(): Promise<void>;
}

/** Returns the address of a socket's other end; an IPv4 address also where the socket has both families. */
const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');

/** Returns address and port of a socket's other end. */
function nameOf(socket: Socket): string {
  const address = addressOf(socket);
  return `${address.includes(':') ? `[${address}]` : address}:${socket.remotePort ?? 0}`;
}

/**
 * Starts the service. Resolves once it listens.
 *
 * @throws The system's error (`EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`) if it cannot listen.
 */
export function serveComPort(options: ComPortServiceOptions): Promise<ComPortService> {
  const { clock } = options;
  const sockets = new Set<Socket>();
  let client: Client | null = null;
  /** A socket that connected while the previous client is being closed. */
  let next: Waiting | null = null;

  const start = (socket: Socket): void => {
    client = new Client(socket, options, () => {
      client = null;
      const waiting = next;
      next = null;
      if (waiting !== null) {
        start(waiting.take());
      }
    });
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    const turnAway = (why: string) => {
      options.onRefused?.(nameOf(socket), why);
      refuse(clock, socket, why);
    };
    if (options.admits?.(addressOf(socket)) === false) {
      turnAway(`${addressOf(socket)} may not use this port.`);
    } else if (client === null) {
      start(socket);
    } else if (client.isLeaving && next === null) {
      const waiting = new Waiting(socket, () => {
        next = next === waiting ? null : next;
      });
      next = waiting;
    } else {
      turnAway(`Another program uses this port. It is at ${client.name}.`);
    }
  });
  server.maxConnections = MAX_CONNECTIONS;

  const { promise, resolve, reject } = deferred<ComPortService>();
  // Later errors concern single connections that could not be accepted. The promise is settled then, so `reject` has
  // no effect.
  server.on('error', reject);
  server.listen(options.port, options.host ?? '127.0.0.1', () => {
    const address = server.address();
    resolve({
      port: typeof address === 'object' && address !== null ? address.port : options.port,
      close: async () => {
        const closed = new Promise((done) => server.close(done));
        next?.take().destroy();
        await client?.close(LAST_WORK);
        for (const socket of sockets) {
          socket.destroy();
        }
        await closed;
      },
    });
  });
  return promise;
}

/**
 * A client that waits for its turn. Its bytes are read and kept, because a socket that is not read does not report
 * that the other side has closed it.
 */
class Waiting {
  readonly #socket: Socket;
  readonly #gone: () => void;
  readonly #early: Buffer[] = [];
  #length = 0;

  /** @param gone Called when the client has left, never after `take`. */
  constructor(socket: Socket, gone: () => void) {
    this.#socket = socket;
    this.#gone = gone;
    socket.on('data', this.#keep);
    socket.on('end', gone);
    socket.on('close', gone);
  }

  /** Returns the socket, paused. The bytes received so far are put back to be read again. */
  take(): Socket {
    const socket = this.#socket;
    socket.off('data', this.#keep);
    socket.off('end', this.#gone);
    socket.off('close', this.#gone);
    socket.pause();
    for (const bytes of this.#early.splice(0).reverse()) {
      socket.unshift(bytes);
    }
    return socket;
  }

  readonly #keep = (bytes: Buffer): void => {
    this.#early.push(bytes);
    this.#length += bytes.length;
    if (this.#length >= MAX_EARLY) {
      this.#socket.pause();
    }
  };
}

class Client {
  readonly #socket: Socket;
  readonly #options: ComPortServiceOptions;
  readonly #gone: () => void;
  readonly #cancelGreeting: () => void;
  /** Address and port, which a closed socket has no more. */
  readonly name: string;
  readonly #session: ComPortSession | null;
  #closing: Promise<void> | null = null;
  #isReady = true;
  /** True once the first byte has shown that the client speaks Telnet. */
  #isKnown = false;
  /** True until plain bytes have come. */
  #isFirst = true;
  /** The reason that the client received when it was sent away. */
  #why: string | null = null;

  constructor(socket: Socket, options: ComPortServiceOptions, gone: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#gone = gone;
    this.name = nameOf(socket);
    // A program that only listens to plain bytes says nothing.
    this.#cancelGreeting =
      options.isRaw === true ? () => undefined : options.clock.schedule(GREETING, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('drain', () => this.#balance());
    socket.on('close', () => void this.close());
    const served = options.served();
    if (typeof served === 'string') {
      this.#session = null;
      this.#leave(served);
    } else {
      this.#session = this.#newSession(served);
      if (options.isRaw === true) {
        this.#isKnown = true;
        options.onClient(true, null, this.name);
      }
    }
  }

  get isLeaving(): boolean {
    return this.#closing !== null;
  }

  close(limit?: number): Promise<void> {
    this.#closing ??= this.#close(limit);
    return this.#closing;
  }

  async #close(limit?: number): Promise<void> {
    this.#cancelGreeting();
    await this.#session?.close(limit);
    if (this.#why === null) {
      this.#socket.destroy();
    }
    if (this.#isKnown) {
      this.#options.onClient(false, this.#why, this.name);
    }
    this.#gone();
  }

  /** Creates the session. It negotiates at once and opens the port when the client first needs it. */
  #newSession({ device, settings }: ServedPort): ComPortSession {
    const socket = this.#socket;
    return new ComPortSession({
      clock: this.#options.clock,
      device,
      settings,
      isRaw: this.#options.isRaw === true,
      send: (bytes) => {
        if (socket.writable) {
          socket.write(bytes);
          this.#balance();
        }
      },
      room: () => (socket.writableNeedDrain && !socket.destroyed ? drained(socket) : null),
      ready: (isReady) => {
        this.#isReady = isReady;
        this.#balance();
      },
      ended: (end) => this.#leave(endText[end]),
    });
  }

  #receive(bytes: Uint8Array): void {
    if (this.#options.isRaw === true && this.#isFirst) {
      this.#isFirst = false;
      if (isOfBrowser(bytes)) {
        this.#leave('This port takes no requests of browsers.');
        return;
      }
    }
    if (!this.#isKnown && this.#closing === null) {
      this.#cancelGreeting();
      if (bytes[0] !== IAC) {
        this.#leave('This port speaks Telnet with RFC 2217, such as rfc2217://127.0.0.1.');
        return;
      }
      this.#isKnown = true;
      this.#options.onClient(true, null, this.name);
    }
    this.#session?.receive(bytes);
  }

  /** Stops reading from a client that does not read, so that answers do not pile up here. */
  #balance(): void {
    if (this.#isReady && this.#socket.writableLength < MAX_UNREAD) {
      this.#socket.resume();
    } else {
      this.#socket.pause();
    }
  }

  #leave(why: string): void {
    this.#why = why;
    refuse(this.#options.clock, this.#socket, why);
    void this.close(0);
  }
}

/** Resolves at the next drain, or when the socket closes. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end);
      socket.off('close', end);
      resolve();
    };
    socket.on('drain', end);
    socket.on('close', end);
  });
}

/** Sends the reason and ends the connection, even if the client does not read it. */
function refuse(clock: Clock, socket: Socket, why: string): void {
  socket.resume();
  socket.end(`\r\n${why}\r\n`);
  const cancel = clock.schedule(FAREWELL, () => socket.destroy());
  socket.on('close', cancel);
}
