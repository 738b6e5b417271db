/** Serves `/metrics` for Prometheus to permitted clients. The folder `metrics` contains the measurements. */
import type { Clock } from '@wirebench/clock';
import { apiPaths } from '@wirebench/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { isLoopback, type MetricsAccess } from '../config.ts';
import { type Check, dependencyMetrics } from '../metrics/dependency-metrics.ts';
import { exposition, expositionType, type Metric } from '../metrics/exposition.ts';
import { measureRequests } from '../metrics/http-metrics.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import { cameThroughProxy } from './forwarded.ts';

export interface MetricsOptions {
  readonly access: MetricsAccess;
  /** Checks of the server's dependencies, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly clock: Clock;
  readonly more?: readonly Metric[];
}

/**
 * Measures from now on and serves the results. With `access` `off` nothing is measured and the address does not
 * exist.
 */
export function serveMetrics(app: FastifyInstance, { access, checks, clock, more = [] }: MetricsOptions): void {
  if (access === 'off') {
    return;
  }
  const requests = measureRequests(app);
  const process = processMetrics();
  app.addHook('onClose', async () => process[Symbol.dispose]());
  const metrics = [requests, ...dependencyMetrics(checks, clock), ...process.metrics, ...more];
  app.get(apiPaths.metrics, async (request, reply) => {
    if (access === 'loopback' && !isFromThisMachine(request)) {
      throw new ApiError('not-found');
    }
    return reply
      .type(expositionType)
      .header('cache-control', 'no-store')
      .send(await exposition(metrics));
  });
}

/**
 * Returns true for a program on this machine. A proxy on this machine would make every client look local, but adds a
 * header of its own.
 */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? '';
  return isLoopback(address.replace(/^::ffff:/, '')) && !cameThroughProxy(headers);
}
