import { expect, it, vi } from 'vitest';
import type { Sample } from './exposition.ts';
import { processMetrics } from './process-metrics.ts';

const NAME = 'nodejs_eventloop_delay_seconds';

it('gives every reader the same delay of the event loop, until it is old', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    using process = processMetrics();
    const delay = () => {
      const samples = process.metrics.find(({ name }) => name === NAME)?.samples() as Iterable<Sample>;
      return [...samples].find(({ labels }) => labels?.['quantile'] === '1')?.value ?? 0;
    };
    const turn = () => new Promise((resolve) => setTimeout(resolve, 50));
    await turn();
    const end = performance.now() + 500;
    while (performance.now() < end) {
      // Blocks the event loop.
    }
    await turn();
    expect(delay()).toBeGreaterThan(0.3);
    expect(delay()).toBeGreaterThan(0.3);
    // Both histograms have seen the block. After the second reset, the reported one has not.
    vi.advanceTimersByTime(30_000);
    expect(delay()).toBeGreaterThan(0.3);
    vi.advanceTimersByTime(30_000);
    expect(delay()).toBeLessThan(0.3);
  } finally {
    vi.useRealTimers();
  }
});
