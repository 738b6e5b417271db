/**
 * One WebSocket of a shared bench: limits its sending rate and the bytes that wait for it, and detects a lost peer. A
 * slower peer is disconnected; the relay never waits for it.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '@wirebench/clock';
import { closeCodes, liveMessageLimit } from '@wirebench/contract/live';
import type { WebSocket } from 'ws';
import { ByteBudget } from './byte-budget.ts';
import type { CutReason, LiveTraffic } from './live-traffic.ts';

export interface LiveConnectionOptions {
  readonly socket: WebSocket;
  /** The socket below the WebSocket. */
  readonly wire: Socket;
  readonly clock: Clock;
  readonly traffic: LiveTraffic;
  /** Bytes per second that the peer may send. */
  readonly rate: number;
  /** Bytes that may wait to be sent to the peer. */
  readonly maxWaiting: number;
}

/** Codes of RFC 6455 section 7.4.1 that the contract does not define: protocol error, unsupported data. */
const PROTOCOL_ERROR = 1002;
const UNSUPPORTED_DATA = 1003;

const codeOfCut = {
  'not-allowed': closeCodes.notAllowed,
  'no-such-room': closeCodes.noSuchRoom,
  'too-many': closeCodes.tooMany,
  'not-admitted': closeCodes.notAdmitted,
  expelled: closeCodes.expelled,
  'too-slow': closeCodes.tooSlow,
  idle: closeCodes.idle,
  ended: closeCodes.ended,
  replaced: closeCodes.replaced,
  malformed: PROTOCOL_ERROR,
  restart: closeCodes.restart,
} as const satisfies Record<CutReason, number>;

/** Milliseconds that a peer has to answer the close. Then the socket is reset. */
const CLOSE_TIMEOUT = 500;

/** Cost of each message in addition to its bytes, so that many small messages also count as a flood. */
const MESSAGE_COST = 256;

/** Bounds of a frame's length fields, and their marks (RFC 6455 section 5.2). */
const SHORT_LENGTH = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
/** First byte of a frame with a whole binary message. */
const FINAL_BINARY = 0x82;

/** Returns the bytes of a frame with a message of `length` bytes. */
export function frameLength(length: number): number {
  return headLength(length) + length;
}

function headLength(length: number): 2 | 4 | 10 {
  return length <= SHORT_LENGTH ? 2 : length <= 0xffff ? 4 : 10;
}

/** Returns `message` as one frame of a server. Build it once for all its recipients. */
export function frameOf(message: Uint8Array): Buffer {
  const { length } = message;
  const head = headLength(length);
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_BINARY;
  if (head === 2) {
    frame[1] = length;
  } else if (head === 4) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(message, head);
  return frame;
}

export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  #budget: ByteBudget;
  #isOpen = true;
  #isAlive = true;
  #cancelPause: (() => void) | null = null;
  /** End of the pause, in milliseconds since the Unix epoch. */
  #pausedUntil = 0;
  #onMessage: (message: Uint8Array) => void = () => undefined;
  #onClose: (reason: CutReason | 'closed' | 'lost') => void = () => undefined;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
    const { socket, clock, rate, traffic } = options;
    this.#budget = new ByteBudget(rate, clock.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#isAlive = true;
      if (!this.#isOpen) {
        return;
      }
      if (!isBinary) {
        this.#end('malformed', UNSUPPORTED_DATA);
        return;
      }
      traffic.received += data.length;
      this.#onMessage(data);
      this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
    });
    socket.on('ping', (data: Buffer) => this.#answerPing(data));
    socket.on('pong', (data: Buffer) => {
      this.#isAlive = true;
      this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
    });
    // The library answers an invalid frame with its code. The close event follows.
    socket.on('error', () => undefined);
    socket.on('close', (code: number) => {
      this.#cancelPause?.();
      if (this.#isOpen) {
        this.#isOpen = false;
        this.#onClose(code === 1000 || code === 1001 ? 'closed' : 'lost');
      }
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.#options.wire.writableLength;
  }

  /** Sets the listeners. `onClose` is called once, whichever side closes. */
  listen(onMessage: (message: Uint8Array) => void, onClose: (reason: CutReason | 'closed' | 'lost') => void): void {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
  }

  /** @param rate Bytes per second from now on. */
  changeRate(rate: number): void {
    this.#budget = new ByteBudget(rate, this.#options.clock.now());
  }

  send(message: Uint8Array): void {
    this.sendFrame(frameOf(message));
  }

  /** @param frame Result of `frameOf`, which may be shared with other connections. */
  sendFrame(frame: Buffer): void {
    const { wire, maxWaiting, traffic } = this.#options;
    if (!this.#isOpen) {
      return;
    }
    if (wire.writableLength + frame.length > maxWaiting) {
      this.cut('too-slow');
      return;
    }
    traffic.sent += frame.length;
    wire.write(frame);
  }

  /** Reads nothing for `pause` milliseconds, which slows the sender without losing data. */
  slowDown(pause: number): void {
    const { socket, clock } = this.#options;
    const until = clock.now() + pause;
    if (pause <= 0 || !this.#isOpen || until <= this.#pausedUntil) {
      return;
    }
    this.#pausedUntil = until;
    this.#cancelPause?.();
    socket.pause();
    this.#cancelPause = clock.schedule(pause, () => {
      this.#cancelPause = null;
      this.#isAlive = true;
      socket.resume();
    });
  }

  /** Sends a ping, or cuts the connection if the last one was not answered. */
  ping(): void {
    if (!this.#isAlive && this.#cancelPause === null) {
      this.cut('idle');
    } else if (this.#isOpen) {
      this.#isAlive = false;
      this.#options.socket.ping();
    }
  }

  /** Answers a ping while the peer reads the answers. A peer may send pings and read nothing. */
  #answerPing(data: Buffer): void {
    const { socket, wire, maxWaiting, clock } = this.#options;
    if (!this.#isOpen) {
      return;
    }
    if (wire.writableLength + data.length > maxWaiting) {
      this.cut('too-slow');
      return;
    }
    socket.pong(data);
    this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
  }

  /** Closes the connection: nothing is read or sent any more, and waiting bytes are discarded after `CLOSE_TIMEOUT`. */
  cut(reason: CutReason, words: string | Buffer = ''): void {
    this.#end(reason, codeOfCut[reason], words);
  }

  #end(reason: CutReason, code: number, words: string | Buffer = ''): void {
    if (!this.#isOpen) {
      return;
    }
    const { socket, wire, traffic } = this.#options;
    this.#isOpen = false;
    traffic.countCut(reason);
    this.#cancelPause?.();
    // The socket has to be read, or the peer's close would not be noticed.
    socket.resume();
    socket.close(code, words);
    // Uses a real timer, not `clock`: the buffers of the operating system do not follow a test's clock.
    endSoon(wire);
    this.#onClose(reason);
  }
}

/** Resets the connection if the peer does not close it within `CLOSE_TIMEOUT`. */
export function endSoon(wire: Socket): void {
  // Node can reset plain TCP only, and throws for TLS.
  const end = () => (wire instanceof TLSSocket ? wire.destroy() : wire.resetAndDestroy());
  const timer = setTimeout(end, CLOSE_TIMEOUT).unref();
  wire.once('close', () => clearTimeout(timer));
}

/**
 * Largest messages in bytes: of anyone, and of a guest before admission. The smaller one suffices to prove that the
 * guest knows the key. The sum before admission is limited too.
 */
export const messageLimits = { all: liveMessageLimit, beforeAdmission: 4_096, allBeforeAdmission: 32_768 } as const;
