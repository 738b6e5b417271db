/**
 * How long bodies of requests may take to arrive. Node's own limit is one for all requests and has to fit the largest upload;
 * this one asks an ordinary body to be there soon, an upload to go on, and the rest of a body that was answered already to end.
 * Knows no routes: those that take uploads say so.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bareRefusal } from './bare-refusal.ts';

/** Milliseconds. */
export interface BodyTimeouts {
  /** For all of an ordinary body, and for what is left of any body once it was answered. */
  readonly whole: number;
  /** For an upload, without progress. */
  readonly upload: number;
  /** For what is left of a body once it was answered, without progress. */
  readonly answered: number;
}

/** Bytes that count as progress. Less in the time that an upload has for it is a client that holds its place. */
const PROGRESS = 16_384;

/** Bytes of an answered body that are read to nowhere: its client may read the answer only after it has sent everything. */
const DISCARDED = 4 * 1_048_576;

/** Milliseconds that a client which sends more than that has to read its answer. */
const LAST_WORDS = 2_000;

const tooSlow = bareRefusal('request-timeout');

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/**
 * Lets the body of `request` take its time as long as it goes on. To be called for uploads of people who may upload; `mostBytes`
 * of it are read also when it is refused, because browsers send all of a form before they look at the answer.
 */
export function expectUpload(request: IncomingMessage, mostBytes: number): void {
  arrivals.get(request)?.becomeUpload(mostBytes);
}

/** The bodies that are on their way. */
export class BodyArrivals {
  readonly #timeouts: BodyTimeouts;
  readonly #pending = new Set<Arrival>();

  constructor(timeouts: BodyTimeouts) {
    this.#timeouts = timeouts;
  }

  /** To be called for each request before it is handled. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && length === '0') {
      return;
    }
    const declared = encoding === undefined ? Number(length) : Infinity;
    const arrival = new Arrival(request, response, declared, this.#timeouts);
    arrivals.set(request, arrival);
    this.#pending.add(arrival);
    response.once('finish', () => arrival.answered(performance.now()));
  }

  /** Ends the connections of bodies that took too long at `now` (`performance.now()`). Returns how many those were. */
  sweep(now: number): number {
    let ended = 0;
    for (const arrival of this.#pending) {
      if (arrival.isOver) {
        this.#pending.delete(arrival);
      } else if (arrival.isLate(now)) {
        this.#pending.delete(arrival);
        arrival.end();
        ended++;
      }
    }
    return ended;
  }
}

class Arrival {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** Its own: a request forgets its socket. */
  readonly #socket: Socket;
  readonly #timeouts: BodyTimeouts;
  /** Bytes; infinite where the request does not say. */
  readonly #declared: number;
  #discarded = DISCARDED;
  /** Of the connection when the body began. */
  readonly #bytesBefore: number;
  #deadline: number;
  #idle: number;
  #progress: { bytes: number; at: number };

  constructor(request: IncomingMessage, response: ServerResponse, declared: number, timeouts: BodyTimeouts) {
    this.#request = request;
    this.#response = response;
    this.#socket = request.socket;
    this.#declared = declared;
    this.#timeouts = timeouts;
    const now = performance.now();
    this.#bytesBefore = this.#socket.bytesRead;
    this.#deadline = now + timeouts.whole;
    this.#idle = timeouts.whole;
    this.#progress = { bytes: this.#bytesBefore, at: now };
  }

  /** Whether there is nothing to wait for any more. */
  get isOver(): boolean {
    return this.#request.complete || this.#socket.destroyed;
  }

  isLate(now: number): boolean {
    const { bytesRead } = this.#socket;
    if (bytesRead - this.#progress.bytes >= PROGRESS) {
      this.#progress = { bytes: bytesRead, at: now };
    }
    return now >= this.#deadline || now - this.#progress.at >= this.#idle;
  }

  becomeUpload(mostBytes: number): void {
    this.#deadline = Infinity;
    this.#idle = this.#timeouts.upload;
    this.#discarded = mostBytes;
  }

  /** The answer is out; Node reads what is left of the body to nowhere, so that the connection can be used again. */
  answered(now: number): void {
    if (this.isOver) {
      return;
    }
    this.#deadline = now + this.#timeouts.whole;
    this.#idle = this.#timeouts.answered;
    this.#progress = { bytes: this.#socket.bytesRead, at: now };
    if (this.#declared > this.#discarded) {
      const afterAnswer = this.#socket.bytesRead + this.#discarded;
      // A busy server answers late, and reads on until then.
      this.#discardNoMoreThan(Math.min(afterAnswer, this.#bytesBefore + 2 * this.#discarded));
    }
  }

  /** Tells the client that it was too slow, if it was told nothing yet, and ends the connection. */
  end(): void {
    // A response has the socket from its turn until it is sent.
    if (this.#response.socket === this.#socket && !this.#response.headersSent) {
      this.#socket.write(tooSlow.last);
      this.#socket.destroySoon();
    } else {
      this.#socket.destroy();
    }
  }

  #discardNoMoreThan(bytesRead: number): void {
    const stop = () => {
      if (this.#request.complete) {
        // What comes now belongs to the next request of the connection.
        this.#socket.off('data', stop);
      } else if (this.#socket.bytesRead >= bytesRead) {
        this.#socket.off('data', stop);
        // Both: whoever reads the request would have the socket go on.
        this.#request.pause();
        this.#socket.pause();
        this.#deadline = Math.min(this.#deadline, performance.now() + LAST_WORDS);
      }
    };
    this.#socket.on('data', stop);
    this.#request.once('close', () => this.#socket.off('data', stop));
  }
}
