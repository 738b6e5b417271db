/** Resources that the process uses, under the names that Prometheus clients share. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, type Metric } from './exposition.ts';

const NANOSECONDS = 1e9;
/** Milliseconds between two samples of the event loop. */
const RESOLUTION = 20;
const QUANTILES = [0.5, 0.9, 0.99, 1] as const;
/**
 * Milliseconds between two resets, which alternate between the two histograms. A reported value covers the last one
 * to two such periods.
 */
const WINDOW = 30_000;

export interface ProcessMetrics extends Disposable {
  readonly metrics: readonly Metric[];
}

/** Watches the event loop until it is disposed. */
export function processMetrics(): ProcessMetrics {
  // Two histograms, reset alternately: a read changes nothing, so that any number of clients can read.
  let [older, younger] = [monitor(), monitor()];
  const turning = setInterval(() => {
    older.reset();
    [older, younger] = [younger, older];
  }, WINDOW).unref();
  return {
    metrics: [
      {
        name: 'process_cpu_seconds_total',
        help: 'CPU time used, in seconds.',
        type: 'counter',
        samples: () => [{ value: (process.cpuUsage().user + process.cpuUsage().system) / 1e6 }],
      },
      gauge('process_start_time_seconds', 'When the process started, in seconds since the Unix epoch.', () =>
        Math.round(performance.timeOrigin / 1_000),
      ),
      gauge('process_resident_memory_bytes', 'Memory of the process in RAM.', () => process.memoryUsage.rss()),
      gauge('nodejs_heap_size_used_bytes', 'Memory in use by JavaScript values.', () => process.memoryUsage().heapUsed),
      gauge(
        'nodejs_external_memory_bytes',
        'Memory of buffers outside the heap.',
        () => process.memoryUsage().external,
      ),
      {
        name: 'nodejs_eventloop_delay_seconds',
        help: 'Event loop delay of the last half to whole minute.',
        type: 'gauge',
        samples: () =>
          QUANTILES.map((quantile) => ({
            labels: { quantile: String(quantile) },
            // The histogram measures the whole interval between two samples.
            value: Math.max(0, older.percentile(quantile * 100) / NANOSECONDS - RESOLUTION / 1_000),
          })),
      },
    ],
    [Symbol.dispose]: () => {
      clearInterval(turning);
      older.disable();
      younger.disable();
    },
  };
}

function monitor(): ReturnType<typeof monitorEventLoopDelay> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  return histogram;
}
