/** What lasts for seconds only is held by the page's own clock, so that it lasts as long as a test looks at it. */
import type { Page } from '@playwright/test';

/** From now on the page's timers stand still; `page.clock` runs them on, or lets them go again. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}

/**
 * Runs in the page: what it would do after just `duration` milliseconds it does no more, while all other timers run. For what
 * axe is to look at, since axe needs timers itself.
 */
export function neverAfter(duration: number): void {
  const setReal = window.setTimeout.bind(window);
  Object.assign(window, {
    setTimeout: (handler: TimerHandler, delay?: number, ...rest: unknown[]) =>
      delay === duration ? 0 : setReal(handler, delay, ...rest),
  });
}
