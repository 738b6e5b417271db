/** Activity of a page's main thread over a period. */
import type { CDPSession, Page } from '@playwright/test';

export interface WatchedStretch {
  readonly seconds: number;
  /** Animation frames a second. */
  readonly frames: number;
  /** Share of the time in which the main thread ran tasks, 0 to 1. */
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

/**
 * Counts frames and tasks together. The frame counter makes the page produce every frame, which adds main-thread
 * time.
 */
export async function watch(page: Page, during: () => Promise<void>): Promise<WatchedStretch> {
  const session = await openMetrics(page);
  await page.evaluate(countLongTasks);
  await page.evaluate(countFrames);
  const { seconds, busy } = await share(session, during);
  const { frames, longTasks } = await page.evaluate(() => window.watched);
  await session.detach();
  return { seconds, frames: frames / seconds, busy, longTasks };
}

/**
 * Watches the tasks for `seconds`, then counts frames for a fifth of that. The frame counter's cost is therefore in
 * no figure.
 */
export async function watchInTurn(page: Page, seconds: number): Promise<WatchedStretch> {
  const session = await openMetrics(page);
  await page.evaluate(countLongTasks);
  const tasks = await share(session, () => page.waitForTimeout(seconds * 1_000));
  await page.evaluate(countFrames);
  const counted = await share(session, () => page.waitForTimeout(seconds * 200));
  const { frames, longTasks } = await page.evaluate(() => window.watched);
  await session.detach();
  return { seconds: tasks.seconds + counted.seconds, frames: frames / counted.seconds, busy: tasks.busy, longTasks };
}

async function openMetrics(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return session;
}

async function share(session: CDPSession, during: () => Promise<void>): Promise<{ seconds: number; busy: number }> {
  const before = await taskDuration(session);
  const start = performance.now();
  await during();
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, busy: ((await taskDuration(session)) - before) / seconds };
}

/** Runs in the page. */
function countLongTasks(): void {
  const watched: FrameCount = { frames: 0, longTasks: [] };
  window.watched = watched;
  new PerformanceObserver((list) => {
    watched.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
}

/** Runs in the page. */
function countFrames(): void {
  const next = () => {
    window.watched.frames++;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Returns the task time since the start of the page, in seconds. */
async function taskDuration(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
