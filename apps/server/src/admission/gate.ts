/**
 * Checks that every request passes before the framework sees it. They refuse requests that HTTP forbids, requests
 * beyond what the process can answer in time, and clients that send or read too slowly. Only the operators' probes
 * and metrics are exempt from the overload check.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { apiPaths } from '@wirebench/contract';
import type { RequestHandler, UpgradeHandler } from '../connections.ts';
import type { Metric } from '../metrics/exposition.ts';
import { allowAppOrigin } from '../plugins/app-origins.ts';
import { type BareRefusal, bareRefusal } from './bare-refusal.ts';
import { BodyArrivals, type BodyTimeouts } from './body-arrival.ts';

/** Time limits of clients, in milliseconds. */
export interface ClientTimeouts extends BodyTimeouts {
  /** Limit for a client that reads an answer without progress. */
  readonly reader: number;
}

export interface GateOptions {
  /** Milliseconds that the event loop may be late before requests are refused; 0 never refuses. */
  readonly overloadDelay: number;
  /** Origins of web apps that may read refusals. Default: none. */
  readonly appOrigins?: readonly string[];
  readonly timeouts?: Partial<ClientTimeouts>;
}

/** Late samples in a row before anything is refused: a single block, however long, is over when it is noticed. */
const LATE_IN_A_ROW = 3;

/** The amount by which each late sample raises the share, and each sample well below the limit lowers it. */
const STEP_UP = 0.2;
const STEP_DOWN = 0.02;

/**
 * Decides what share of the requests is refused while the event loop is late, so that the accepted ones are answered
 * in time. The share follows the delay in small steps: a lasting overload leads to a steady share, not to an
 * alternation of all and nothing.
 */
export class LoadShedder {
  readonly #limit: number;
  #lateInARow = 0;
  #share = 0;
  #owed = 0;
  #onChange: (isShedding: boolean) => void = () => undefined;

  /** @param limit Milliseconds that the event loop may be late; 0 refuses nothing. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The share of the requests that is refused, from 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** Registers the listener that is called when refusing begins and when it ends. */
  onChange(listener: (isShedding: boolean) => void): void {
    this.#onChange = listener;
  }

  /**
   * Records how late the event loop was, in milliseconds. A delay between half of the limit and the limit keeps the
   * share.
   */
  sample(delay: number): void {
    const before = this.#share;
    if (this.#limit > 0 && delay > this.#limit) {
      this.#lateInARow++;
      if (before > 0 || this.#lateInARow >= LATE_IN_A_ROW) {
        this.#share = Math.min(1, before + STEP_UP);
      }
    } else {
      this.#lateInARow = 0;
      if (delay <= this.#limit / 2) {
        this.#share = before <= STEP_DOWN ? 0 : before - STEP_DOWN;
      }
    }
    if (before > 0 !== this.#share > 0) {
      this.#onChange(this.#share > 0);
    }
  }

  /** Returns true if the next request has to be refused. Refusals are spread evenly over the requests. */
  refuses(): boolean {
    this.#owed += this.#share;
    if (this.#owed < 1) {
      return false;
    }
    this.#owed -= 1;
    return true;
  }
}

/** Milliseconds between two samples. */
const INTERVAL = 100;

/**
 * Calls `onSample` ten times a second, or as soon as the event loop is free, with the milliseconds by which the call
 * is late.
 */
function watchEventLoop(onSample: (delay: number) => void): Disposable {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    onSample(Math.max(0, now - last - INTERVAL));
    last = now;
  }, INTERVAL).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export interface Gate extends Disposable {
  readonly load: LoadShedder;
  readonly metrics: readonly Metric[];
  inFrontOf(handler: RequestHandler): RequestHandler;
  /** Does the same for connections that are to become WebSockets. Each counts as one request. */
  inFrontOfUpgrades(handler: UpgradeHandler): UpgradeHandler;
}

/** An ordinary body has at most half a megabyte. An upload without progress for a minute has lost its client. */
const TIMEOUTS: ClientTimeouts = { whole: 30_000, upload: 60_000, answered: 5_000, reader: 60_000 };

const SWEEP_INTERVAL = 1_000;

/** `retry-after` in seconds: the refused share falls by a fifth each second. */
const overloaded = bareRefusal('overloaded', { 'retry-after': '2' });

/** A proxy in front may have understood the host or the body differently (RFC 9112 section 3.2). */
const ambiguous = bareRefusal('invalid-request', { connection: 'close' });

/** Paths that operators have to be able to read on a busy server. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set([apiPaths.health, apiPaths.ready, apiPaths.metrics]);

/** Bytes that count as progress. The system takes bytes to send in pieces of 64 KiB. */
const PROGRESS = 16_384;

/** The part of a socket that is observed. */
interface Connection extends Pick<Socket, 'writableLength' | 'bytesWritten'> {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The last observed progress: bytes that the client had taken, and the time (`performance.now()`). */
interface Sent {
  bytes: number;
  at: number;
}

/**
 * Ends connections whose clients do not read their answers. Each holds an open file or a connection to the store, and
 * the bytes that were read ahead for it.
 */
export class SlowReaders {
  readonly #timeout: number;
  readonly #sent = new Map<Connection, Sent>();

  /** @param timeout Milliseconds that an answer may wait for its client without progress. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Watches `socket`. Call it for each request on it, with the time (`performance.now()`). */
  watch(socket: Connection, now: number): void {
    if (!this.#sent.has(socket)) {
      this.#sent.set(socket, { bytes: 0, at: now });
      socket.once('close', () => this.#sent.delete(socket));
    }
  }

  /**
   * Ends connections that have made no progress for too long at `now` (`performance.now()`). Returns how many it
   * ended.
   */
  sweep(now: number): number {
    let ended = 0;
    for (const [socket, sent] of this.#sent) {
      const waiting = socket.writableLength;
      const bytes = waiting === 0 ? sent.bytes : socket.bytesWritten - waiting;
      if (waiting === 0 || bytes - sent.bytes >= PROGRESS) {
        sent.bytes = bytes;
        sent.at = now;
      } else if (now - sent.at >= this.#timeout) {
        socket.destroy();
        ended++;
      }
    }
    return ended;
  }
}

/** Opens the gate and its timers, which run until it is disposed. */
export function openGate({ overloadDelay, appOrigins = [], timeouts: given = {} }: GateOptions): Gate {
  const origins = new Set(appOrigins);
  const timeouts = { ...TIMEOUTS, ...given };
  const load = new LoadShedder(overloadDelay);
  const bodies = new BodyArrivals(timeouts);
  const readers = new SlowReaders(timeouts.reader);
  const turnedAway = { overload: 0, 'two-hosts': 0, 'slow-body': 0, 'slow-reader': 0 };

  const eventLoop = watchEventLoop((delay) => load.sample(delay));
  const sweeping = setInterval(
    () => {
      const now = performance.now();
      turnedAway['slow-body'] += bodies.sweep(now);
      turnedAway['slow-reader'] += readers.sweep(now);
    },
    Math.min(SWEEP_INTERVAL, ...Object.values(timeouts).map((time) => time / 4)),
  ).unref();

  const refuse = (refusal: BareRefusal, request: IncomingMessage, response: ServerResponse) => {
    allowAppOrigin(request, response, origins);
    refusal.answer(response, request.url ?? '/');
  };

  const refusalOfUpgrade = (request: IncomingMessage) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (hasTwoHosts(request)) {
      turnedAway['two-hosts']++;
      return ambiguous;
    }
    if (encoding !== undefined || length !== '0') {
      return ambiguous;
    }
    if (load.share > 0 && load.refuses()) {
      turnedAway.overload++;
      return overloaded;
    }
    return null;
  };

  return {
    load,
    metrics: [
      {
        name: 'wirebench_load_shed_share',
        help: 'Which part of the requests is turned away because the event loop is late: 0 to 1.',
        type: 'gauge',
        samples: () => [{ value: load.share }],
      },
      {
        name: 'wirebench_turned_away_total',
        help: 'Requests that were refused before any work was done, and clients that were too slow.',
        type: 'counter',
        samples: () =>
          Object.entries({ ...turnedAway, 'tiny-pieces': bodies.inPieces }).map(([reason, value]) => ({
            labels: { reason },
            value,
          })),
      },
    ],

    inFrontOf: (handler) => (request, response) => {
      const { url = '/' } = request;
      bodies.watch(request, response);
      readers.watch(request.socket, performance.now());
      if (hasTwoHosts(request)) {
        turnedAway['two-hosts']++;
        refuse(ambiguous, request, response);
      } else if (load.share > 0 && !isAlwaysAnswered(url) && load.refuses()) {
        turnedAway.overload++;
        refuse(overloaded, request, response);
      } else {
        handler(request, response);
      }
    },

    inFrontOfUpgrades: (handler) => (request, socket, head) => {
      const refusal = refusalOfUpgrade(request);
      if (refusal === null) {
        handler(request, socket, head);
      } else {
        // The socket has no other error listener any more.
        socket.on('error', () => socket.destroy());
        socket.end(refusal.last, () => socket.destroy());
      }
    },

    [Symbol.dispose]: () => {
      eventLoop[Symbol.dispose]();
      clearInterval(sweeping);
    },
  };
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate. Runs for every request, so it allocates nothing.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
    }
  }
  return hosts > 1;
}

function isAlwaysAnswered(url: string): boolean {
  const query = url.indexOf('?');
  return ALWAYS_ANSWERED.has(query === -1 ? url : url.slice(0, query));
}
