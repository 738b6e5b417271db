/**
 * Checks that every request passes before the framework sees it. They refuse requests that HTTP forbids, requests
 * beyond what the process can answer in time, and clients that send or read too slowly. Only the operators' probes
 * and metrics are exempt from the overload check.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPaths } from '@wirebench/contract';
import type { RequestHandler, UpgradeHandler } from '../connections.ts';
import type { Metric } from '../metrics/exposition.ts';
import { allowAppOrigin } from '../plugins/app-origins.ts';
import { type BareRefusal, bareRefusal } from './bare-refusal.ts';
import { BodyArrivals, type BodyTimeouts } from './body-arrival.ts';
import { LoadShedder, watchEventLoop } from './load-shedder.ts';
import { SlowReaders } from './slow-readers.ts';

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
