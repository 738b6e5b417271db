/**
 * Plays the same bytes at the same rate through common console components and through Wirebench, one after the other.
 */
import type { Page } from '@playwright/test';
import { loadLineCount, loadLines } from '@wirebench/devices';
import type { Result } from '../../serial/measure.ts';
import { orShortest } from '../../shortest.ts';
import { type WatchedStretch, watchInTurn } from '../page-watch.ts';
import type { Product } from '../product.ts';
import { TerminalPage } from '../terminal-page.ts';
import { servePeers } from './peer-server.ts';

declare global {
  interface Window {
    /**
     * Starts playing the load.
     *
     * @param rate Bytes a second.
     */
    play(rate: number): Promise<void>;
    /** Bytes passed to the peer. */
    written: number;
  }
}

const peers = {
  'plain-list': 'an element for each line',
  xterm: 'xterm.js 6, scrollback of a million lines',
  'virtual-list': '@tanstack/virtual-core',
} as const;

/** Rate of four ports at 921,600 baud, in bytes a second. */
const rate = 4 * 92_160;
/** Seconds before the measured period. */
const leadIn = orShortest(2, 1);

/** Returns the seconds that the source must run to watch frames and tasks in turn. */
const sourceSeconds = (seconds: number) => Math.ceil(seconds * 1.2) + leadIn + orShortest(4, 1);

export async function measurePeers(product: Product, seconds: number): Promise<Result[]> {
  const results = [rowOf('Wirebench', await ours(product, seconds), 1)];
  const duration = sourceSeconds(seconds);
  const server = await servePeers(loadLines(0, loadLineCount(rate, duration), 1));
  try {
    for (const [peer, what] of Object.entries(peers)) {
      const context = await product.browser.newContext({ viewport: { width: 1_440, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${server.address}/page/${peer}`);
      await page.evaluate((bytes) => window.play(bytes), rate);
      await page.waitForTimeout(leadIn * 1_000);
      const before = await written(page);
      const stretch = await watchInTurn(page, seconds);
      const share = ((await written(page)) - before) / (rate * stretch.seconds);
      results.push(rowOf(what, stretch, share));
      await context.close();
    }
  } finally {
    await server.stop();
  }
  return results;
}

async function ours(product: Product, seconds: number): Promise<WatchedStretch> {
  const terminal = await TerminalPage.open(product, { baudRate: rate * 10, bufferSize: 64 });
  await terminal.connectDemo(1);
  await terminal.type(1, `load ${rate} ${sourceSeconds(seconds)}`);
  await terminal.page.waitForTimeout(leadIn * 1_000);
  const stretch = await watchInTurn(terminal.page, seconds);
  await terminal.close();
  return stretch;
}

const written = (page: Page) => page.evaluate(() => window.written);

/**
 * Makes a row of the table.
 *
 * @param share Share of the sent bytes that the page consumed, 0 to 1.
 */
function rowOf(what: string, { frames, busy, longTasks }: WatchedStretch, share: number): Result {
  const longest = Math.max(0, ...longTasks);
  const taken = share < 0.98 ? `, took ${(share * 100).toFixed(0)} % of what came` : '';
  return {
    what: `369 kB/s of lines: ${what}`,
    measured: `${frames.toFixed(1)} frames/s, ${(busy * 100).toFixed(1)} % busy, ${longTasks.length} tasks over 50 ms, longest ${longest.toFixed(0)} ms${taken}`,
    target: '',
    reached: null,
  };
}
