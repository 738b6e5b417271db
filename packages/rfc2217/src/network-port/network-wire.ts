/** A connection to a port of the network, with RFC 2217 agreed on where the address asks for it. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import { deferred, within } from '@wirebench/port';
import { deviceLost } from '@wirebench/port/web-serial';
import { ComPortClient, type LineErrorKind } from './com-port-client.ts';
import type { NetworkAddress } from './network-address.ts';

/** Longest time for a connection, in milliseconds. Systems give up after one to two minutes. */
const CONNECT_LIMIT = 10_000;
/** Longest time for a server to agree on RFC 2217, in milliseconds. pySerial's client waits for 3 s. */
const NEGOTIATION_LIMIT = 5_000;
/** Interval after which the system asks a silent server whether it is there, in milliseconds. */
const KEEP_ALIVE = 15_000;
/** Most characters that are kept of what a server says before it ends a connection. */
const MAX_WORDS = 200;

/** Reasons of this program for a connection that cannot be used. */
export type NetworkFailure = 'not-connected' | 'no-negotiation' | 'no-com-port' | 'sent-away';

/** A port of the network that cannot be used. `cause` is the error of the system, if it has one. */
export class NetworkPortError extends Error {
  readonly code: NetworkFailure;

  constructor(code: NetworkFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NetworkPortError';
    this.code = code;
  }
}

/** Receivers of a wire. While there are none, bytes are dropped, as by a closed port. */
export interface WireEvents {
  bytes(bytes: Uint8Array): void;
  lineError(kind: LineErrorKind): void;
}

export class NetworkWire {
  /** Null: the wire has bytes alone. */
  readonly com: ComPortClient | null;
  readonly #socket: Socket;
  readonly #ended = deferred<void>();
  events: WireEvents | null = null;
  #words = '';
  #isOver = false;
  /** Rejects the sends that the system has not taken. */
  readonly #unsent = new Set<() => void>();

  constructor(socket: Socket, { protocol }: NetworkAddress) {
    this.#socket = socket;
    const bytes = (received: Uint8Array) => {
      this.#words = `${this.#words}${Buffer.from(received).toString('latin1')}`.slice(-MAX_WORDS);
      this.events?.bytes(received);
    };
    this.com =
      protocol === 'tcp'
        ? null
        : new ComPortClient({
            send: (sent) => socket.writable && socket.write(sent),
            data: bytes,
            lineError: (kind) => this.events?.lineError(kind),
          });
    socket.on('data', (received: Buffer) => {
      // The socket may use its memory again.
      const own = Uint8Array.from(received);
      if (this.com === null) {
        bytes(own);
      } else {
        this.com.receive(own);
      }
    });
    socket.on('end', () => this.end());
    socket.on('error', () => this.end());
    socket.on('close', () => this.end());
  }

  /** Resolves when the connection has ended, by either side. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The last line of text that the server has sent, without controls; empty without one. */
  get lastWords(): string {
    const lines = this.#words.split(/[\r\n]+/).map((line) => line.replaceAll(/[^ -~]/g, '').trim());
    return lines.findLast((line) => line !== '') ?? '';
  }

  /** Resolves when the system has taken the bytes of the port. @throws NetworkError once the connection has ended. */
  send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(deviceLost());
        return;
      }
      const lost = () => reject(deviceLost());
      this.#unsent.add(lost);
      const encoded = this.com?.encode(bytes) ?? bytes;
      this.#socket.write(encoded.slice(), (error) => {
        this.#unsent.delete(lost);
        if (error) {
          lost();
        } else {
          resolve();
        }
      });
    });
  }

  /** Leaves further bytes at the server (true), or takes them (false). */
  hold(isHeld: boolean): void {
    if (isHeld) {
      this.#socket.pause();
    } else {
      this.#socket.resume();
    }
  }

  /** Ends the connection after what was sent. */
  leave(): void {
    if (!this.#isOver) {
      this.#socket.end();
      this.#socket.resume();
      this.end(false);
    }
  }

  /** Ends the connection. */
  end(isDropped = true): void {
    if (!this.#isOver) {
      this.#isOver = true;
      if (isDropped) {
        this.#socket.destroy();
      }
      this.#ended.resolve();
      for (const lost of this.#unsent) {
        lost();
      }
    }
  }
}

/**
 * Connects, and agrees on RFC 2217 where the address asks for it.
 *
 * @throws NetworkPortError if the server cannot be reached or used.
 */
export async function dial(address: NetworkAddress, clock: Clock): Promise<NetworkWire> {
  const { name, host, port } = address;
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE });
  let fault: unknown = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error) => {
      fault = error;
      reject(error);
    });
  });
  if ((await within(clock, CONNECT_LIMIT, connected)) !== 'fulfilled') {
    socket.destroy();
    throw new NetworkPortError('not-connected', `${name} could not be reached.`, { cause: fault });
  }
  const wire = new NetworkWire(socket, address);
  if (wire.com !== null) {
    await agree(wire, wire.com, address, clock);
  }
  return wire;
}

async function agree(wire: NetworkWire, com: ComPortClient, { name, host }: NetworkAddress, clock: Clock) {
  let isAgreed: boolean | null = null;
  const asking = com.agreed.then((answer) => {
    isAgreed = answer;
  });
  await within(clock, NEGOTIATION_LIMIT, Promise.race([asking, wire.ended]));
  if (isAgreed === true) {
    return;
  }
  const words = wire.lastWords;
  const isSentAway = wire.isOver;
  wire.end();
  const plain = 'If it passes plain bytes, use tcp:// instead.';
  if (isAgreed === false) {
    throw new NetworkPortError('no-com-port', `${name} speaks Telnet, but not RFC 2217. ${plain}`);
  }
  if (isSentAway) {
    throw new NetworkPortError('sent-away', sentAwayText(name, words));
  }
  throw new NetworkPortError(
    'no-negotiation',
    `${name} does not speak RFC 2217: ${host} took the connection and agreed on nothing within 5 s. ${plain}`,
  );
}

/** Returns the sentence for a server that ends a connection. @param words Last line that it has sent. */
export const sentAwayText = (name: string, words: string): string =>
  words === ''
    ? `${name} closed the connection. Another program may use the port: a server of ports mostly serves one at a time.`
    : `${name} closed the connection, and said: ${words}`;
