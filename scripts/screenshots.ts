/**
 * `npm run screenshots [-- --to <folder>]`: takes every screen in both themes and six sizes from the built product
 * with an empty data folder. Writes into `screenshots/`, which git ignores. Unreachable screens are named at the end
 * and do not stop the others. `-- --only docs` takes a part.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium } from '@playwright/test';
import { startServer } from '@wirebench/server';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { makeExamples } from './pictures/examples.ts';
import { type Screen, screensOf } from './pictures/screens.ts';
import { inTheme, sizeName, sizes, type Theme, takePicture, themes, type WindowSize } from './pictures/views.ts';
import { provideBrowser } from './test/browser.ts';

/** Milliseconds for all pictures of a screen, and for one step to reach it. Sufficient on a busy machine. */
const timeouts = { screen: 360_000, step: 30_000 };

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, to: { type: 'string', default: join(root, 'screenshots') } },
});
const executablePath = await provideBrowser();
if (!executablePath) {
  console.error('No Chromium could be found or installed: set CHROME to its path.');
  process.exit(1);
}
if (!webIsBuilt()) {
  await buildWeb();
}

const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-screenshots-'));
const server = await startServer({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' });
const { latestReleaseUrl } = (await (await fetch(`${server.address}/config.json`)).json()) as {
  latestReleaseUrl: string;
};
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
const failed: string[] = [];
let taken = 0;

/** Runs `act` in an empty browser in `theme`, and closes the browser after the time limit. */
async function inEmptyBrowser(theme: Theme, act: (context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.address,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: server.address, localStorage: inTheme(theme) }] },
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void context.close();
  }, timeouts.screen);
  try {
    context.setDefaultTimeout(timeouts.step);
    await act(context);
  } catch (error) {
    throw late ? new Error(`not complete after ${timeouts.screen / 1_000} s`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

const everyView = sizes.flatMap((size) => themes.map((theme) => ({ size, theme })));

/** Groups the views: the views of a group share one walk to the screen. */
function roundsOf(anew: Screen['anew']): (typeof everyView)[] {
  switch (anew) {
    case undefined:
      return [everyView];
    case 'width':
      return sizes.map((size) => everyView.filter((view) => view.size === size));
    case 'picture':
      return everyView.map((view) => [view]);
  }
}

async function take(name: string, { reach, again, anew }: Screen): Promise<void> {
  for (const views of roundsOf(anew)) {
    await inEmptyBrowser(views[0]?.theme ?? 'dark', async (context) => {
      const page = await context.newPage();
      let shown: WindowSize | null = null;
      for (const { size, theme } of views) {
        if (size !== shown) {
          await page.setViewportSize(size);
          await (shown === null ? reach(page) : again?.(page));
          shown = size;
        }
        await takePicture(page, theme, join(values.to, `${name}-${theme}-${sizeName(size)}.png`));
        taken++;
      }
    });
  }
}

/** Takes screens from the shared queue until it is empty. */
async function work(screens: [string, Screen][]): Promise<void> {
  for (let next = screens.shift(); next !== undefined; next = screens.shift()) {
    const [name, screen] = next;
    const start = performance.now();
    try {
      await take(name, screen);
      console.log(`${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

mkdirSync(values.to, { recursive: true });
try {
  const example = await makeExamples(browser, server.address);
  const screens = Object.entries(screensOf({ demo: new URL(latestReleaseUrl).search.slice(1), example }));
  const chosen = screens.filter(([name]) => name.includes(values.only));
  if (chosen.length === 0) {
    console.error(`--only must match one of: ${screens.map(([name]) => name).join(', ')}.`);
  }
  // Runs two workers: one waits for its page while the other paints.
  await Promise.all([work(chosen), work(chosen)]);
} finally {
  await browser.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${taken} pictures in ${values.to}`);
if (failed.length > 0) {
  console.error(`Not complete, see above: ${failed.join(', ')}`);
}
process.exit(failed.length === 0 && taken > 0 ? 0 : 1);
