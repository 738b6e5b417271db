/** Script size limits of pages, and layouts that do not shift once they are visible. */

import { get } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, pagePaths, staticPages } from '@wirebench/contract';
import { neverAfter } from '../support/hold-clock.ts';
import { NetworkWatch } from '../support/network-watch.ts';
import { expect, test } from '../support/test.ts';

test.use({ emptyCache: true });

/**
 * Maximum bytes of script (compressed with brotli) that a document loads at its start. The home page measures 95,082
 * with React Router 8.5.3, of which React and the router are 70,352.
 */
const scriptBudget = 95_100;

/**
 * Maximum layout shift score: invisible shifts, such as a line that ends slightly later in its real font. Good web
 * pages stay below 0.1.
 */
const unseenShift = 0.01;

/**
 * Milliseconds for which the first text waits for its font (`app/start-document.tsx`). On a busy machine this may be
 * too short.
 */
const fontTimeout = 500;

interface Shift {
  readonly score: number;
  readonly what: readonly string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

/** Returns the bytes of the body as sent. The smallest files are sent uncompressed. */
function sentBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes)).on('error', reject);
    }).on('error', reject);
  });
}

for (const path of [pagePaths.home, staticPages.espFlasher]) {
  test(`${path} starts with no more than ${scriptBudget} bytes of script`, async ({ request, baseURL }) => {
    const document = await request.get(path, { headers: { accept: 'text/html' } });
    const scripts = [...(await document.text()).matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, url = '']) => url);
    expect(scripts).toContain('/theme.js');
    expect(scripts.length).toBeGreaterThan(3);
    const weights = await Promise.all(scripts.map(async (url) => [url, await sentBytes(`${baseURL}${url}`)] as const));
    const total = weights.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(total, JSON.stringify(Object.fromEntries(weights))).toBeLessThanOrEqual(scriptBudget);
  });
}

/**
 * Maximum bytes of compressed script that an idle page has fetched. Parts that were not opened must not be included.
 * Measured: 274,858 for the terminal, whose panels are loaded with the first one, and 250,262 for the flasher, with Help, the question that visitors are asked about
 * stored settings, finding the rate, echoed commands, reading the newest files before a write, files that open the
 * flasher of their family, and the switch that watches a build, all of which work without another press. The flasher's
 * monitor, what watches a build, and the terminal's strip of pasted lines are loaded when they are used. A page of the
 * documentation measures 140,484. Neither it nor the flasher has the console.
 */
const restBudgets = {
  [pagePaths.uart]: { budget: 278_200, shows: (page) => page.getByRole('button', { name: 'Try the demo board' }) },
  [pagePaths.releases]: {
    budget: 159_500,
    shows: (page) => page.getByText('Please sign in to view and manage projects'),
  },
  [pagePaths.uartDocs]: { budget: 140_500, shows: (page) => page.getByRole('heading', { level: 1 }) },
  [staticPages.espFlasher]: {
    budget: 252_000,
    shows: (page) => page.getByRole('button', { name: 'Connect a board', exact: true }),
  },
} satisfies Record<string, { readonly budget: number; readonly shows: (page: Page) => Locator }>;

for (const [path, { budget, shows }] of Object.entries(restBudgets)) {
  test(`${path} is at rest with no more than ${budget} bytes of script, none of them for older browsers`, async ({
    page,
  }) => {
    const network = new NetworkWatch(page);
    await page.goto(path);
    await expect(shows(page)).toBeVisible();
    await expect(shows(page)).toBeEnabled();
    await network.idle();
    const fetched = network.requests.map((request) => new URL(request.url()).pathname);
    const scripts = network.requests.filter((_request, index) => fetched[index]?.endsWith('.js'));
    const weights = await Promise.all(
      scripts.map(async (request) => [request.url(), (await request.sizes()).responseBodySize] as const),
    );
    expect(weights.length).toBeGreaterThan(10);
    const total = weights.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(total, JSON.stringify(Object.fromEntries(weights))).toBeLessThanOrEqual(budget);
    expect(fetched).toContain('/theme.js');
    expect(fetched.filter((file) => file.startsWith('/polyfill'))).toEqual([]);
  });
}

for (const path of [
  pagePaths.home,
  pagePaths.intro,
  pagePaths.uartDocs,
  pagePaths.espFlasherDocs,
  pagePaths.releasesDocs,
  pagePaths.esp32Docs,
  pagePaths.programsDocs,
  releasePath('version', demoReleaseId),
]) {
  for (const width of [1_440, 390]) {
    test(`nothing on ${path} moves while it loads, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript(neverAfter, fontTimeout);
      await page.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            readonly value: number;
            readonly sources: readonly { readonly node: Node | null }[];
          })[]) {
            const what = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML : String(node)));
            window.shifts.push({ score: entry.value, what: what.map((text) => text.slice(0, 120)) });
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const network = new NetworkWatch(page);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await network.idle();
      await page.evaluate(() => document.fonts.ready);
      const shifts = await page.evaluate(() => window.shifts);
      expect(
        shifts.reduce((sum, { score }) => sum + score, 0),
        JSON.stringify(shifts),
      ).toBeLessThanOrEqual(unseenShift);
    });
  }
}
