/**
 * What every request passes before the framework sees it: requests that HTTP forbids, more than this process can answer in
 * time, bodies and readers that are too slow. Knows no users and no routes but those that operators ask.
 */
import type { IncomingMessage } from 'node:http';
import { apiPaths } from '@wirebench/contract';
import type { RequestHandler, UpgradeHandler } from '../connections.ts';
import type { Metric } from '../metrics/exposition.ts';
import { bareRefusal } from './bare-refusal.ts';
import { BodyArrivals, type BodyTimeouts } from './body-arrival.ts';
import { LoadShedder, watchEventLoop } from './load-shedder.ts';
import { SlowReaders } from './slow-readers.ts';

/** Milliseconds that clients have. */
export interface ClientTimeouts extends BodyTimeouts {
  /** For taking an answer, without progress. */
  readonly reader: number;
}

export interface GateOptions {
  /** Milliseconds that the event loop may be late before requests are turned away; 0 never does. */
  readonly overloadDelay: number;
  readonly timeouts?: Partial<ClientTimeouts>;
}

export interface Gate extends Disposable {
  readonly load: LoadShedder;
  readonly metrics: readonly Metric[];
  inFrontOf(handler: RequestHandler): RequestHandler;
  /** The same for connections that are to become WebSockets; each counts as one request. */
  inFrontOfUpgrades(handler: UpgradeHandler): UpgradeHandler;
}

/** An ordinary body is at most half a megabyte; an upload without progress for a minute has lost its client. */
const TIMEOUTS: ClientTimeouts = { whole: 30_000, upload: 60_000, answered: 5_000, reader: 60_000 };

const SWEEP_INTERVAL = 1_000;

/** Seconds: the share that is turned away falls by a fifth in one. */
const overloaded = bareRefusal('overloaded', { 'retry-after': '2' });

/** What a proxy in front took for the host or the body may be another one than ours (RFC 9112 section 3.2). */
const ambiguous = bareRefusal('invalid-request', { connection: 'close' });

/** Whoever runs the server has to see it when it is busy, too. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set([apiPaths.health, apiPaths.ready, apiPaths.metrics]);

/** Watches until it is disposed of. */
export function openGate({ overloadDelay, timeouts: given = {} }: GateOptions): Gate {
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
        ambiguous.answer(response, url);
      } else if (load.share > 0 && !isAlwaysAnswered(url) && load.refuses()) {
        turnedAway.overload++;
        overloaded.answer(response, url);
      } else {
        handler(request, response);
      }
    },

    inFrontOfUpgrades: (handler) => (request, socket, head) => {
      const refusal = refusalOfUpgrade(request);
      if (refusal === null) {
        handler(request, socket, head);
      } else {
        // Nobody looks after what goes wrong with it any more.
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
  // Names and values in turn. Of every request, so nothing is built for it.
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
