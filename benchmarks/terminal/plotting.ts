/** Redraw rate of the plot while all points of its curves are visible and more arrive. */
import type { Page } from '@playwright/test';
import { type WatchedStretch, watch } from './page-watch.ts';
import type { TerminalPage } from './terminal-page.ts';

export const curves = ['a', 'b', 'c', 'd'] as const;

/** Lines of one message to the device. Few enough that it echoes them at once. */
const linesAtOnce = 500;
/** Milliseconds between lines while the plot is watched: shorter than a screen's frame. */
const interval = 5;

declare global {
  interface Window {
    /** Number of times that the plot was drawn. */
    plotDraws: number;
  }
}

export interface PlotStretch extends WatchedStretch {
  /** Redraws of the plot a second. */
  readonly draws: number;
}

/** Fills a plot with `points` points of each curve, then watches it for `seconds` while more arrive. */
export async function measurePlot(terminal: TerminalPage, points: number, seconds: number): Promise<PlotStretch> {
  const { page } = terminal;
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Plot' }).click();
  await page.getByRole('radio', { name: 'All' }).check();
  for (let first = 0; first < points; first += linesAtOnce) {
    await say(terminal, first, linesAtOnce);
    await terminal.quiet();
  }
  await countDraws(page);
  const stretch = await watch(page, async () => {
    await keepSaying(terminal, points, seconds * 1_000);
  });
  const draws = await page.evaluate(() => window.plotDraws);
  return { ...stretch, draws: draws / stretch.seconds };
}

/** Makes the demo device print numbers by sending them: it echoes its input. */
function say({ worker }: TerminalPage, first: number, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) => line(first + index)).join('');
  return worker.evaluate((text) => globalThis.bench.bench.send(1, new TextEncoder().encode(text)), lines);
}

async function keepSaying({ worker }: TerminalPage, first: number, duration: number): Promise<void> {
  const lines = Array.from({ length: Math.ceil(duration / interval) }, (_, index) => line(first + index));
  await worker.evaluate(
    async ([all, pause]) => {
      for (const one of all) {
        await globalThis.bench.bench.send(1, new TextEncoder().encode(one));
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    [lines, interval] as const,
  );
}

const line = (index: number) =>
  `${curves.map((name, curve) => `${name}:${Math.round(1_000 * Math.sin(index / (50 + 40 * curve)))}`).join(' ')}\n`;

/** Counts redraws by the plot's calls that clear its canvas. */
function countDraws(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.plotDraws = 0;
    const { prototype } = CanvasRenderingContext2D;
    const { clearRect } = prototype;
    prototype.clearRect = function counted(...place) {
      window.plotDraws += this.canvas.closest('[role="img"]') === null ? 0 : 1;
      clearRect.apply(this, place);
    };
  });
}
