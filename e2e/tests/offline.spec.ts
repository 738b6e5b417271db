/** After the first visit the tools open without a network. Data of the server is never answered from the cache. */

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, pagePaths, staticPages } from '@wirebench/contract';
import { type ServedCopy, serveCopy } from '../support/served-copy.ts';
import { test as base, expect, openContext } from '../support/test.ts';
import { addFile, connectDemo, result, writeButton } from './flasher-steps.ts';
import { log, tryDemo, type } from './terminal-steps.ts';

/** Visits for the first time, until all files are cached. */
async function visit(page: Page, { address }: ServedCopy): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** Tests start on the home page of a browser that has cached all files. */
const test = base.extend<object, { copy: ServedCopy; visited: BrowserContext }>({
  copy: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands the destructuring, also of nothing.
    async ({}, use) => {
      await using copy = await serveCopy();
      await use(copy);
    },
    { scope: 'worker' },
  ],
  visited: [
    async ({ browser, copy }, use) => {
      const context = await openContext(browser, { serviceWorkers: 'allow' });
      const page = await context.newPage();
      await visit(page, copy);
      await page.close();
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ visited }, use) => {
    await use(visited);
    await Promise.all(visited.pages().map((page) => page.close()));
  },
  page: async ({ page, copy }, use) => {
    await page.goto(copy.address);
    await use(page);
  },
});

// Runs in one process with one copy.
test.describe.configure({ mode: 'default' });

/** Cuts the network until the result is disposed. */
async function cutNetwork(context: BrowserContext, copy: ServedCopy): Promise<AsyncDisposable> {
  await context.setOffline(true);
  const mend = copy.cut();
  return {
    [Symbol.asyncDispose]: async () => {
      mend();
      await context.setOffline(false);
    },
  };
}

/**
 * Sets `navigator.onLine` to false until the result is disposed. Some builds of Chromium reset it when an offline
 * page loads a document.
 */
async function keepOffline(context: BrowserContext, page: Page): Promise<AsyncDisposable> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  return { [Symbol.asyncDispose]: () => session.detach() };
}

test('without a network home, documentation and tools open; what the server alone has does not, and Sign In says so', async ({
  page,
  context,
  copy,
}) => {
  await using _cut = await cutNetwork(context, copy);
  await test.step('Sign In says that it needs one', async () => {
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(
      page.getByText('You are offline, and signing in needs the network. Connect, then try again.'),
    ).toBeVisible();
    expect(context.pages()).toHaveLength(1);
  });

  await test.step('home and documentation open; what the server alone has does not', async () => {
    for (const path of [
      pagePaths.home,
      pagePaths.uartDocs,
      pagePaths.espFlasherDocs,
      pagePaths.releasesDocs,
      pagePaths.esp32Docs,
      pagePaths.programsDocs,
    ]) {
      await page.goto(`${copy.address}${path}`);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    }
    await page.goto(`${copy.address}/nowhere`);
    await expect(page.getByRole('heading', { name: 'There is no page at this address' })).toBeVisible();
    for (const path of ['/api/health', '/config.json', '/metrics', '/realms/wirebench']) {
      expect(
        await page.evaluate(
          (url) =>
            fetch(url).then(
              () => 'answered',
              () => 'nothing',
            ),
          path,
        ),
        path,
      ).toBe('nothing');
    }
  });

  await test.step('the flasher writes a local file to the demo ESP32', async () => {
    await page.goto(`${copy.address}${staticPages.espFlasher}`);
    await addFile(page, 'storage.bin', Buffer.alloc(8_192, 'wire'), '0x200000');
    await connectDemo(page);
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
  });

  await test.step('the terminal opens and talks to the demo board', async () => {
    await page.goto(`${copy.address}${pagePaths.uart}`);
    await tryDemo(page);
    await type(page, 'help');
    await expect(log(page)).toContainText('load');
  });
});

test('without a network the page of a release says that it needs one, and opens when it is back', async ({
  page,
  context,
  copy,
}) => {
  await context.setOffline(true);
  await page.goto(`${copy.address}${releasePath('version', demoReleaseId)}`);
  await expect(page.getByRole('heading', { name: 'The release could not be loaded' })).toBeVisible();
  await expect(page.getByText('Releases come from the server, which did not answer.')).toBeVisible();
  {
    await using _offline = await keepOffline(context, page);
    await expect(page.getByRole('banner').getByText('Offline', { exact: true })).toBeVisible();
  }
  await context.setOffline(false);
  await expect(page.getByRole('banner').getByText('Offline', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
});

test('the browser finds everything that installing needs, and what only the server knows comes from the server', async ({
  page,
  request,
  copy,
}) => {
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await request.get(`${copy.address}${href}`);
  const { icons, shortcuts, ...rest } = await manifest.json();
  expect(rest).toMatchObject({ name: 'Wirebench', start_url: '/', display: 'standalone' });
  for (const path of [...icons.map(({ src }: { src: string }) => src), '/previews/social.png']) {
    const picture = await request.get(`${copy.address}${path}`);
    expect([path, picture.status(), picture.headers()['content-type']]).toEqual([
      path,
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
  for (const { url } of shortcuts) {
    expect((await request.get(`${copy.address}${url}`, { headers: { accept: 'text/html' } })).status(), url).toBe(200);
  }

  const kept = await page.goto(`${copy.address}${pagePaths.uart}`);
  expect(kept?.fromServiceWorker()).toBe(true);
  for (const path of [
    '/api/health',
    '/config.json',
    '/metrics',
    '/realms/wirebench/.well-known/openid-configuration',
  ]) {
    const answered = page.waitForResponse((response) => response.url().endsWith(path));
    await page.evaluate((url) => fetch(url).then(({ status }) => status), path);
    expect((await answered).fromServiceWorker(), path).toBe(false);
  }
  const release = await page.goto(`${copy.address}${releasePath('version', demoReleaseId)}`);
  expect(release?.status()).toBe(200);
  // The server puts the release's name into the document; the cached document does not have it.
  expect(await release?.text()).toContain('Wirebench demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
});

test('a newer version is offered, but not while a port is open, and starts when it is wanted', async ({ page }) => {
  // Serves a copy, because this test changes its files.
  await using copy = await serveCopy();
  await visit(page, copy);
  await page.goto(`${copy.address}${pagePaths.uart}`);
  await tryDemo(page);
  await appendFile(join(copy.webRoot, 'sw.js'), '\n// the next version');
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed',
  );
  const offer = page.getByText('A newer version of Wirebench is ready.');
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await expect(offer).toHaveCount(0);
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await expect(offer).toBeVisible();
  // The page has not been reloaded so far.
  await expect(log(page)).toContainText('demo>');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
  await expect(offer).toHaveCount(0);
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting);
  await expect.poll(waiting).toBeNull();
});
