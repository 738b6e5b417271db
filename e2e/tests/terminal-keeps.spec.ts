/** State that the terminal must not lose or hide: calls to a dead thread, recordings. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { log, prompt, saved, startDemo, startRecording, type } from './terminal-steps.ts';

declare global {
  interface Window {
    /** The page's threads, by their names. */
    threads: Map<string, Worker>;
  }
}

const keepThreads = (page: Page) =>
  page.addInitScript(() => {
    window.threads = new Map();
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.threads.set(options?.name ?? '', this);
      }
    };
  });

test('when the thread that holds the ports dies, its ports are closed and every call says so', async ({ page }) => {
  await keepThreads(page);
  await startDemo(page);
  await page.evaluate(() => window.threads.get('bench')?.terminate());
  const lost = page.getByRole('alert').filter({ hasText: 'All ports were closed' });
  await expect(lost).toContainText('Reload the page, then connect again.');
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toHaveCount(0);
  // Received bytes stay readable.
  await expect(log(page)).toContainText(prompt);
  await lost.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(lost).toBeVisible();
  // No port is open, so leaving needs no confirmation.
  await lost.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
});

test('a recording that one tab has saved stays while the tab lives, whatever another tab does', async ({ page }) => {
  await startDemo(page);
  const stop = await startRecording(page);
  await type(page, 'load 1000 1');
  await expect(log(page)).toContainText('load: 25 lines');
  await saved(page, stop);
  const files = (on: Page) =>
    on.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('recordings');
      const names: string[] = [];
      for await (const [name, handle] of folder.entries()) {
        names.push(
          ...((await (handle as FileSystemFileHandle).getFile()).size > 0 && name.endsWith('.bin') ? [name] : []),
        );
      }
      return names;
    });
  expect(await files(page)).toHaveLength(1);
  const other = await page.context().newPage();
  await other.goto('/app/uart');
  await expect(other.getByRole('heading', { name: 'No port is open' })).toBeVisible();
  await page.getByRole('link', { name: 'Wirebench' }).first().click();
  await page.goBack();
  await expect(log(page)).toBeVisible();
  await expect(page.getByText('A recording has not been saved.')).toHaveCount(0);
  await expect(other.getByText('A recording has not been saved.')).toHaveCount(0);
  expect(await files(other)).toHaveLength(1);
});
