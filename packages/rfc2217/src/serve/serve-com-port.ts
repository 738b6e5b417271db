/**
 * A serial port for programs on this machine: RFC 2217 on the loopback address, one client at a time. The only file here that knows sockets.
 *
 * A client has to begin with a Telnet command. Whatever else may connect to a port of this machine, a page in a browser above all, would have its
 * request written to the board.
 */
import { createServer, type Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import type { PortSettings } from '@wirebench/serial/port';
import { type ComPortEnd, ComPortSession } from '../com-port-session.ts';

/** "Interpret as command", with which every client of RFC 2217 begins. */
const IAC = 255;
/** A client that says nothing does not keep others away. Milliseconds. */
const GREETING = 10_000;
/** Bytes that a client has not read while more is sent to it. */
const MOST_UNREAD = 262_144;
/** Connections at the same time, those that are being refused included. */
const MOST_CONNECTIONS = 16;
/** A refused client has this long to read why, in milliseconds. */
const FAREWELL = 1_000;
/** Bytes of a waiting client that are read ahead: more than any client sends before it has an answer. */
const MAX_EARLY = 65_536;
/** When the service ends, what a client sent before has this long to take effect, in milliseconds. */
const LAST_WORK = 2_000;

const endText = {
  'port-gone': 'The port is gone.',
  'port-busy': 'The port is in use there.',
  'not-allowed': 'You may not use this port.',
  'port-failed': 'The port could not be opened, or failed.',
  flooded: 'Too many commands.',
} satisfies Record<ComPortEnd, string>;

export interface ServedPort {
  /** Closed. */
  readonly device: SerialPort;
  /** For clients that say nothing of settings. */
  readonly settings: PortSettings;
}

export interface ComPortServiceOptions {
  readonly clock: Clock;
  /** 0: any TCP port that is free. */
  readonly port: number;
  /** Asked for each client: the port, or a sentence that says why there is none. */
  readonly served: () => ServedPort | string;
  /** A client has come, or has gone; why, when it was sent away. */
  readonly onClient: (isThere: boolean, why: string | null) => void;
}

export interface ComPortService {
  readonly port: number;
  /** Ends the connection, closes the port and stops listening. Bounded in time. */
  close(): Promise<void>;
}

/** Resolves once it listens on 127.0.0.1. Rejects with the system's error (`EADDRINUSE`, `EACCES`) when it cannot. */
export function serveComPort(options: ComPortServiceOptions): Promise<ComPortService> {
  const { clock } = options;
  const sockets = new Set<Socket>();
  let client: Client | null = null;
  /** A socket that has come while the client before is being closed. */
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
    if (client === null) {
      start(socket);
    } else if (client.isLeaving && next === null) {
      const waiting = new Waiting(socket, () => {
        next = next === waiting ? null : next;
      });
      next = waiting;
    } else {
      refuse(clock, socket, 'Another program uses this port.');
    }
  });
  server.maxConnections = MOST_CONNECTIONS;

  const { promise, resolve, reject } = Promise.withResolvers<ComPortService>();
  // Afterwards a connection that cannot be accepted is the client's trouble alone.
  server.on('error', reject);
  server.listen(options.port, '127.0.0.1', () => {
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
 * A client that waits for its turn. It is read meanwhile: a socket that is not read does not tell that the other side has closed it.
 */
class Waiting {
  readonly #socket: Socket;
  readonly #gone: () => void;
  readonly #early: Buffer[] = [];
  #length = 0;

  /** @param gone called when the client has left, never after `take`. */
  constructor(socket: Socket, gone: () => void) {
    this.#socket = socket;
    this.#gone = gone;
    socket.on('data', this.#keep);
    socket.on('end', gone);
    socket.on('close', gone);
  }

  /** The socket, paused, with all that has come so far still to be read. */
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
  readonly #session: ComPortSession | null;
  #closing: Promise<void> | null = null;
  #isReady = true;
  /** It has begun as a client does. */
  #isKnown = false;
  /** What it was told when it was sent away. */
  #why: string | null = null;

  constructor(socket: Socket, options: ComPortServiceOptions, gone: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#gone = gone;
    this.#cancelGreeting = options.clock.schedule(GREETING, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('drain', () => this.#balance());
    socket.on('close', () => void this.close());
    const served = options.served();
    if (typeof served === 'string') {
      this.#session = null;
      this.#leave(served);
    } else {
      this.#session = this.#newSession(served);
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
      this.#options.onClient(false, this.#why);
    }
    this.#gone();
  }

  /** It negotiates at once, and opens the port when the client wants something of it. */
  #newSession({ device, settings }: ServedPort): ComPortSession {
    const socket = this.#socket;
    return new ComPortSession({
      clock: this.#options.clock,
      device,
      settings,
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
    if (!this.#isKnown && this.#closing === null) {
      this.#cancelGreeting();
      if (bytes[0] !== IAC) {
        this.#leave('This port speaks Telnet with RFC 2217, such as rfc2217://127.0.0.1.');
        return;
      }
      this.#isKnown = true;
      this.#options.onClient(true, null);
    }
    this.#session?.receive(bytes);
  }

  /** Whoever does not read is not read either: answers would pile up here. */
  #balance(): void {
    if (this.#isReady && this.#socket.writableLength < MOST_UNREAD) {
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

/** The next drain; also resolves when there will be none. */
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

/** Says why, and ends the connection, read or not. */
function refuse(clock: Clock, socket: Socket, why: string): void {
  socket.resume();
  socket.end(`\r\n${why}\r\n`);
  const cancel = clock.schedule(FAREWELL, () => socket.destroy());
  socket.on('close', cancel);
}
