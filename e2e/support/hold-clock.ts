/** Stops states that last only seconds from ending, through the page's own clock, so that a test can inspect them. */
import type { Page } from '@playwright/test';

/** Pauses the page's timers from now on; `page.clock` advances or resumes them. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}

/**
 * Runs in the page: drops timers of exactly `duration` milliseconds and keeps all others. For checks with axe, which
 * needs timers itself.
 */
export function neverAfter(duration: number): void {
  const setReal = window.setTimeout.bind(window);
  Object.assign(window, {
    setTimeout: (handler: TimerHandler, delay?: number, ...rest: unknown[]) =>
      delay === duration ? 0 : setReal(handler, delay, ...rest),
  });
}
