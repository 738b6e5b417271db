/** What a page's main thread does over a stretch of time. */
import type { CDPSession, Page } from '@playwright/test';

export interface WatchedStretch {
  readonly seconds: number;
  /** Animation frames a second. */
  readonly frames: number;
  /** Share of the time that the main thread ran tasks, 0 to 1. */
  readonly busy: number;
  /** Duration of each task over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
}

interface FrameCount {
  frames: number;
  readonly longTasks: number[];
}

declare global {
  interface Window {
    watched: FrameCount;
  }
}

export async function watch(page: Page, during: () => Promise<void>): Promise<WatchedStretch> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(countFrames);
  const before = await taskDuration(session);
  const start = performance.now();
  await during();
  const seconds = (performance.now() - start) / 1_000;
  const after = await taskDuration(session);
  const { frames, longTasks } = await page.evaluate(() => window.watched);
  await session.detach();
  return { seconds, frames: frames / seconds, busy: (after - before) / seconds, longTasks };
}

/** Runs in the page. */
function countFrames(): void {
  const watched: FrameCount = { frames: 0, longTasks: [] };
  window.watched = watched;
  const next = () => {
    watched.frames++;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => {
    watched.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
}

/** Seconds of tasks since the page began. */
async function taskDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
