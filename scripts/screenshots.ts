/**
 * `npm run screenshots [-- --to <folder>]`: every screen in both themes at three widths, from the built product with an empty data
 * folder, into `screenshots/`, which git ignores. Ends after half an hour at the latest. `-- --only docs` takes a part.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startServer } from '@wirebench/server';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { makeExamples } from './pictures/examples.ts';
import { screensOf, themes, widths } from './pictures/screens.ts';
import { provideBrowser } from './test/browser.ts';

/** Milliseconds. */
const patience = 1_800_000;

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, to: { type: 'string', default: join(root, 'screenshots') } },
});
const executablePath = await provideBrowser();
if (!executablePath) {
  console.error('No Chromium could be found or installed: set CHROME to the path of one.');
  process.exit(1);
}
if (!webIsBuilt()) {
  await buildWeb();
}

const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-screenshots-'));
const server = await startServer({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const { latestReleaseUrl } = (await (await fetch(`${server.address}/config.json`)).json()) as {
  latestReleaseUrl: string;
};
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
const example = await makeExamples(browser, server.address);
const screens = Object.entries(screensOf({ demo: new URL(latestReleaseUrl).search.slice(1), example }));
const chosen = screens.filter(([name]) => name.includes(values.only));
if (chosen.length === 0) {
  console.error(`--only takes a part of: ${screens.map(([name]) => name).join(', ')}.`);
}
const end = performance.now() + patience;
const jobs = themes.flatMap((theme) =>
  widths.flatMap((width) =>
    chosen.map(([name, screen]) => ({ file: `${name}-${theme}-${width}.png`, theme, width, screen })),
  ),
);
const missed: string[] = [];
let taken = 0;

async function take({ file, theme, width, screen }: (typeof jobs)[number], timeLeft: number): Promise<void> {
  const localStorage = [{ name: 'wirebench.theme', value: theme }];
  const context = await browser.newContext({
    baseURL: server.address,
    viewport: { width, height: width < 720 ? 844 : 900 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: server.address, localStorage }] },
  });
  try {
    context.setDefaultTimeout(Math.min(timeLeft, 20_000));
    const page = await context.newPage();
    await screen(page);
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => {
      for (const image of document.images) {
        image.loading = 'eager';
      }
    });
    await page.waitForFunction(() => [...document.images].every((image) => image.complete || !image.checkVisibility()));
    // What sticks to the window's top would stand in the middle of the picture.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(values.to, file), fullPage: true });
  } finally {
    await context.close();
  }
}

/** Takes one picture after the other, until none is left or the time is over. */
async function work(): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const timeLeft = end - performance.now();
    try {
      if (timeLeft <= 0) {
        throw new Error('there was no time left for it.');
      }
      await take(job, timeLeft);
      taken++;
    } catch (error) {
      missed.push(job.file);
      console.error(`${job.file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

mkdirSync(values.to, { recursive: true });
try {
  // Two at a time: one waits for its page while the other one paints.
  await Promise.all([work(), work()]);
} finally {
  await browser.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(
  `${taken} pictures in ${values.to}${missed.length > 0 ? `, ${missed.length} missed: ${missed.join(', ')}` : ''}`,
);
process.exit(missed.length === 0 && taken > 0 ? 0 : 1);
