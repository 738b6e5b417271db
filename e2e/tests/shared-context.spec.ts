/** Tests share a browser context: a test must not find the leftovers of the previous one. */
import type { BrowserContext, Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';
import { origin } from '../support/product.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'serial' });

let before: BrowserContext | null = null;

const storedIn = (page: Page) =>
  page.evaluate(async () => {
    const files: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) {
      files.push(name);
    }
    return {
      local: localStorage.getItem('left'),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: await caches.keys(),
      cookies: document.cookie,
      files,
    };
  });

const nothing = { local: null, databases: [], caches: [], cookies: '', files: [] };

test('a test leaves whatever can be left', async ({ page, context }) => {
  await page.goto(pagePaths.privacy);
  expect(await storedIn(page)).toEqual(nothing);
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here');
    await caches.open('left');
    await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true });
    const opening = indexedDB.open('left');
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    addEventListener('beforeunload', (event) => event.preventDefault());
  });
  await context.addCookies([{ name: 'left', value: 'here', url: origin }]);
  expect(await storedIn(page)).toMatchObject({ local: 'here', files: ['left'], cookies: 'left=here' });
  await page.locator('body').click();
  await context.newPage();
  before = context;
});

test('the next one has the same browser, and finds nothing of it', async ({ page, context }) => {
  expect(context).toBe(before);
  // The test's own page, and the blank page that empties the context.
  expect(context.pages()).toHaveLength(2);
  await page.goto(pagePaths.privacy);
  expect(await storedIn(page)).toEqual(nothing);
  await context.setOffline(true);
});

test('one that changes the browser itself leaves the next one another', async ({ page, context }) => {
  expect(context).not.toBe(before);
  await page.goto(pagePaths.privacy);
  expect(await storedIn(page)).toEqual(nothing);
});
