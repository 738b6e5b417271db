/**
 * The static edition below a path of a host that only sends files: once with Python's own server, once with a strict
 * content security policy, once without a network. No request leaves its folder, and none is answered by an error.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { families } from '@wirebench/boards';
import { esp32BenchPage, logPage, pagePaths } from '@wirebench/contract';
import { espFirmwareSet } from '@wirebench/devices';
import { buildStatic } from '../../scripts/static-edition/build.ts';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { pythonHost, type StaticHost, strictHost } from '../support/static-host.ts';
import { test as base, expect, openContext } from '../support/test.ts';
import { connectAvrDemo } from './avr-flasher-steps.ts';
import { board, connectDemo, connectOther, monitor, result, writeButton } from './flasher-steps.ts';
import { connectNrfDemo } from './nrf-flasher-steps.ts';
import { connectStmDemo } from './stm-flasher-steps.ts';
import { log, tryDemo, type } from './terminal-steps.ts';

const folder = '/tools';

/** Built once; the tests run one after the other in one process. */
const test = base.extend<object, { served: string }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands the destructuring, also of nothing.
    async ({}, use) => {
      const root = await mkdtemp(join(tmpdir(), 'wirebench-static-'));
      try {
        const releases = join(root, 'firmware');
        await writeRelease(join(releases, 'weather-node'));
        const host = join(root, 'host');
        await buildStatic({ base: `${folder}/`, out: join(host, folder), releases });
        await use(host);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
    { scope: 'worker' },
  ],
});

// The first test waits for the build, and looks at sixteen pages.
test.describe.configure({ mode: 'default', timeout: 360_000 });

const greeting = 'Hello from the weather node.';

/** Writes a manifest of ESP Web Tools with a build for each of two chips. */
async function writeRelease(release: string): Promise<void> {
  await mkdir(release, { recursive: true });
  const builds = [];
  for (const [chip, chipFamily] of [
    ['esp32', 'ESP32'],
    ['esp32c3', 'ESP32-C3'],
  ] as const) {
    const parts = [];
    const set = espFirmwareSet({ chip, project: 'node', version: '1.4.0', text: `${greeting} ${chipFamily}\r\n` });
    for (const { name, offset, data } of set.filter((file) => file.offset !== null)) {
      const path = `${chip}-${name}`;
      await writeFile(join(release, path), data);
      parts.push({ path, offset });
    }
    builds.push({ chipFamily, parts });
  }
  await writeFile(join(release, 'manifest.json'), JSON.stringify({ name: 'Weather node', version: '1.4.0', builds }));
}

/** Title of each page, before the product's name. */
const titles = {
  [pagePaths.home]: '',
  [pagePaths.intro]: 'Introduction',
  [pagePaths.privacy]: 'Privacy',
  [pagePaths.terms]: 'Terms of use',
  [pagePaths.uart]: 'Serial terminal',
  [pagePaths.uartDocs]: 'Terminal documentation',
  [pagePaths.espFlasherDocs]: 'Flasher documentation',
  [pagePaths.esp32]: 'ESP32 bench',
  [pagePaths.esp32Docs]: 'ESP32 documentation',
  [pagePaths.docs]: 'Terminal documentation',
  [pagePaths.espFlasher]: 'Espressif flasher',
  [families.esp.page]: 'Espressif flasher',
  [families.stm.page]: 'STM32 flasher',
  [families.nrf.page]: 'Nordic flasher',
  [families.avr.page]: 'Arduino flasher',
  [families.rp.page]: 'Raspberry Pi flasher',
  [esp32BenchPage]: 'ESP32 bench',
  [logPage]: 'Opened log',
};

/** Lead to a page that another address has shown already. */
const redirects: readonly string[] = [pagePaths.docs, pagePaths.espFlasher];

/** Collects requests that leave the folder, and answers with an error. */
function watchRequests(context: BrowserContext, { address }: StaticHost): string[] {
  const faults: string[] = [];
  context.on('response', (response) => {
    if (!response.url().startsWith(`${address}${folder}/`) || response.status() >= 400) {
      faults.push(`${response.status()} ${response.url()}`);
    }
  });
  return faults;
}

test(
  'every page is there with plain Python below a path, without findings, and fits a phone',
  { tag: '@long' },
  async ({ page, context, served }, info) => {
    const python = await pythonHost(served);
    if (python === null) {
      info.annotations.push({ type: 'host', description: 'There is no python3 here: served by a host of the tests.' });
    }
    await using host = python ?? (await strictHost(served));
    const faults = watchRequests(context, host);
    for (const [path, title] of Object.entries(titles)) {
      await test.step(path, async () => {
        await page.setViewportSize({ width: 1_440, height: 900 });
        await page.goto(`${host.address}${folder}${path}`);
        await expect(page).toHaveTitle(title === '' ? 'Wirebench' : `${title}: Wirebench`);
        await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
        if (!redirects.includes(path)) {
          expect.soft(await findings(page), path).toEqual([]);
        }
        expect.soft(await offersOfServers(page), path).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        await expectToFit(page);
      });
    }
    expect(faults).toEqual([]);
  },
);

/** Returns links that leave the folder, and controls that only a server could answer. */
const offersOfServers = (page: Page) =>
  page.evaluate((own) => {
    const leads = [...document.querySelectorAll('a[href]')].map((link) => (link as HTMLAnchorElement).href);
    const controls = [...document.querySelectorAll('a, button')].map(({ textContent }) => textContent ?? '');
    return [
      ...leads.filter((href) => href.startsWith(location.origin) && !new URL(href).pathname.startsWith(`${own}/`)),
      ...controls.filter((text) => /sign in|feedback|^share|releases|publisher|library/i.test(text)),
    ];
  }, folder);

test('every tool works with a policy that allows its own files only', async ({ page, context, served }) => {
  await using host = await strictHost(served);
  const site = `${host.address}${folder}`;
  const faults = watchRequests(context, host);

  await test.step('the terminal talks to the demo board', async () => {
    await page.goto(`${site}/`);
    await page.getByRole('link', { name: 'Serial terminal' }).click();
    await expect(page).toHaveURL(`${site}${pagePaths.uart}`);
    await tryDemo(page);
    await type(page, 'help');
    await expect(log(page)).toContainText('panic, then restart');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('the flashers connect their demo boards; one is flashed and verified', async () => {
    await page.goto(`${site}${families.esp.page}`);
    await connectDemo(page);
    await page.getByRole('button', { name: 'Use demo firmware' }).click();
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    expect(await findings(page)).toEqual([]);
    await page.goto(`${site}${families.stm.page}`);
    await connectStmDemo(page);
    await page.goto(`${site}${families.nrf.page}`);
    await connectNrfDemo(page, 'Demo nRF52840');
    await page.goto(`${site}${families.avr.page}`);
    await connectAvrDemo(page);
  });

  await test.step('firmware beside the pages is listed, and the build for the connected chip is written', async () => {
    await page.goto(`${site}/`);
    const list = page.getByRole('list', { name: 'Firmware' });
    await expect(list).toContainText('Weather node 1.4.0');
    await expect(list).toContainText('ESP32, ESP32-C3');
    expect(await findings(page)).toEqual([]);
    await list.getByRole('link', { name: 'Flash Weather node 1.4.0' }).click();
    await expect(page.getByRole('heading', { name: /Weather node/ })).toBeVisible();
    await connectOther(page, 'Demo ESP32-C3');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(monitor(page)).toContainText(`${greeting} ESP32-C3`);
    expect(await findings(page)).toEqual([]);
  });

  await test.step('the bench finds the devices of its demo board', async () => {
    await page.goto(`${site}${pagePaths.esp32}`);
    await page.getByRole('link', { name: 'Open the bench' }).click();
    await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
    await page.getByRole('button', { name: 'Scan' }).click();
    await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a log in a file is opened', () => openLog(page, site));
  expect(faults).toEqual([]);

  await test.step('an address without a page says so, and leads home', async () => {
    await page.goto(`${site}/app/releases`);
    await expect(page.getByRole('heading', { name: 'There is no page at this address' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await expect(page).toHaveURL(`${site}/`);
  });
});

async function openLog(page: Page, site: string): Promise<void> {
  await page.goto(`${site}${logPage}`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  const buffer = Buffer.from('temp=20.5 hum=40\ntemp=21.5 hum=41\n');
  await (await chooser).setFiles({ name: 'overnight.log', mimeType: 'text/plain', buffer });
  await expect(log(page)).toContainText('temp=21.5 hum=41');
}

test('without its host, every page and tool opens after the first visit', { tag: '@long' }, async ({
  browser,
  served,
}) => {
  const context = await openContext(browser, { serviceWorkers: 'allow' });
  const page = await context.newPage();
  let site = '';
  {
    await using host = await strictHost(served);
    site = `${host.address}${folder}`;
    await page.goto(`${site}/`);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${site}/`);
  }
  for (const path of Object.keys(titles)) {
    await page.goto(`${site}${path}`);
    await expect(page.getByRole('heading', { level: 1 }), path).not.toBeEmpty();
  }
  await page.goto(`${site}${pagePaths.uart}`);
  await tryDemo(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('panic, then restart');
  await page.goto(`${site}${families.esp.page}`);
  await connectDemo(page);
  await expect(board(page)).toContainText('Ready');
  await openLog(page, site);
  await context.close();
});
