/**
 * Requests by method, route and status. The route replaces the address, because addresses contain share ids and
 * e-mails. Pages with their files and the embedded provider are one route each, so that builds do not add label
 * values.
 */
import type { FastifyInstance } from 'fastify';
import { Histogram, type Series } from './exposition.ts';

/** Seconds. A shared read takes about one millisecond, an upload some seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Measures every request of `app` from now on. */
export function measureRequests(app: FastifyInstance): Histogram {
  const histogram = new Histogram(
    'http_request_duration_seconds',
    'Time from a request to the end of its response.',
    BUCKETS,
  );
  const known = new Map<string, Series>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode } = reply.raw;
    const route = routeOf(request.routeOptions.url);
    // Runs for every request, so it is a single lookup in a map.
    const key = `${method} ${statusCode} ${route}`;
    let series = known.get(key);
    if (series === undefined) {
      series = histogram.series({ method, route, status: String(statusCode) });
      known.set(key, series);
    }
    series.observe(reply.elapsedTime / 1_000);
    done();
  });
  return histogram;
}

function routeOf(url: string | undefined): string {
  if (url === undefined) {
    return 'unknown';
  }
  if (url.startsWith('/realms/')) {
    return 'identity';
  }
  return url.startsWith('/api/') || url === '/config.json' || url === '/metrics' ? url : 'pages and files';
}
