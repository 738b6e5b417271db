import { createHash } from 'node:crypto';
import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { inTheme, themes } from '../support/theme.ts';

const documents = [
  pagePaths.uartDocs,
  pagePaths.espFlasherDocs,
  pagePaths.releasesDocs,
  pagePaths.esp32Docs,
  pagePaths.programsDocs,
];

test('a guide has contents that follow what is read and a search by keyboard over all guides, without findings, and prints on white', async ({
  page,
}) => {
  await test.step('it prints on white, without what is only for the screen', async () => {
    await page.goto(`${pagePaths.uartDocs}#display-modes`);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.getByRole('banner')).toBeVisible();
  });

  await test.step('the contents follow what is read, and headings have addresses of their own', async () => {
    await page.reload();
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await expect(page.getByRole('heading', { name: 'Display modes' })).toBeInViewport();
    await expect(contents.getByRole('link', { name: 'Display modes' })).toHaveAttribute('aria-current', 'true');
    await contents.getByRole('link', { name: 'Advanced features' }).click();
    await expect(contents.getByRole('link', { name: 'Advanced features' })).toHaveAttribute('aria-current', 'true');
    await expect(contents.locator('[aria-current]')).toHaveCount(1);
    const within = page.getByRole('navigation', { name: 'In this section' });
    await within.getByRole('link', { name: 'Baud finder' }).click();
    await expect(page).toHaveURL(`${pagePaths.uartDocs}#baud-finder`);
    await page.setViewportSize({ width: 1300, height: 700 });
    await expect(contents.getByRole('link', { name: 'Advanced features' })).toHaveAttribute('aria-current', 'true');
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  await test.step('a guide is pages: its first page lists them, and an old address leads to the page of its text', async () => {
    const pages = page.getByRole('navigation', { name: 'Pages of this guide' });
    await pages.getByRole('link', { name: /^Read a crash/ }).click();
    await expect(page).toHaveURL(`${pagePaths.uartDocs}#crashes`);
    await expect(page.getByRole('heading', { level: 1, name: 'Read a crash' })).toBeFocused();
    await expect(
      page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Settings' }),
    ).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Serial terminal' })).toBeVisible();
    await page.goto(`${pagePaths.espFlasherDocs}#nvs-csv`);
    await expect(page.getByRole('heading', { level: 1, name: 'Change stored settings' })).toBeVisible();
    await expect(page.locator('#nvs-csv')).toBeInViewport();
  });

  const field = page.getByRole('searchbox', { name: 'Search docs' });

  await test.step('the search finds what the page says, by keyboard, and what it finds is without findings', async () => {
    await page.keyboard.press('/');
    await expect(field).toBeFocused();
    await field.fill('regular express');
    const hit = page.getByRole('link', { name: /^Find and filter/ });
    await expect(hit).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('[aria-controls=docs-contents]').click();
    await expect(hit).toBeVisible();
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await field.press('Enter');
    await expect(page).toHaveURL(/#find-and-filter$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Find in logs and keep them' })).toBeVisible();
    await expect(page.getByRole('heading', { name: /^Find and filter/ })).toBeInViewport();
    await page.keyboard.press('/');
    await expect(field).toBeFocused();
    await field.fill('zzz nothing');
    await expect(page.getByText('Nothing found. Try fewer words.')).toBeVisible();
  });

  await test.step('the search covers all guides, and leads to the place in another one', async () => {
    await field.fill('brown-out');
    const hit = page.getByRole('link', { name: /^Brown-out reset/ });
    await expect(hit).toContainText('Flasher › Solve a problem');
    await hit.click();
    await expect(page).toHaveURL(`${pagePaths.espFlasherDocs}#brown-out-reset`);
    await expect(page.getByRole('heading', { name: 'Brown-out reset' })).toBeInViewport();
    await expect(page).toHaveTitle('Solve a problem: Flasher documentation: Wirebench');
    await field.fill('publishing token');
    await expect(page.getByRole('link', { name: /^Authentication/ })).toContainText('Releases');
    await field.fill('find my i2c');
    await expect(page.getByRole('link', { name: /^Find my I2C/ })).toContainText('ESP32');
  });
});

test('guides are opened from the app, in a new tab beside the terminal and the bench, and the program that they offer is there', async ({
  page,
}) => {
  const program = await page.request.get('/remote-port.mjs');
  expect(program.status()).toBe(200);
  expect(program.headers()['content-type']).not.toContain('text/html');

  const docs = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' });

  await test.step('/docs leads to the first guide, and Docs in the terminal opens it in a new tab', async () => {
    await page.goto(pagePaths.docs);
    await expect(page).toHaveURL(pagePaths.uartDocs);
    await page.goto(pagePaths.uart);
    const opened = page.waitForEvent('popup');
    await docs.click();
    await expect(await opened).toHaveURL(pagePaths.uartDocs);
    await expect(page).toHaveURL(pagePaths.uart);
  });

  await test.step('the ESP32 bench leads to its guide, and Docs on the bench opens it in a new tab', async () => {
    await page.goto(pagePaths.esp32);
    await page.getByRole('link', { name: 'Read the guide' }).click();
    await expect(page).toHaveURL(pagePaths.esp32Docs);
    await expect(page.getByRole('heading', { level: 1, name: 'ESP32 bench' })).toBeVisible();
    const documents = page.getByRole('navigation', { name: 'Documents' });
    await expect(documents.getByRole('link', { name: /^ESP32 bench/ })).toHaveAttribute('aria-current', 'page');
    await page.getByRole('link', { name: 'Open the bench' }).click();
    await expect(page).toHaveURL(esp32BenchPage);
    const opened = page.waitForEvent('popup');
    await docs.click();
    await expect(await opened).toHaveURL(pagePaths.esp32Docs);
    await expect(page).toHaveURL(esp32BenchPage);
  });
});

test('the page of programs shows the address of this server, and the facts of the file that it offers', async ({
  page,
  baseURL,
}) => {
  await page.goto(pagePaths.uartDocs);
  await page
    .getByRole('navigation', { name: 'Documents' })
    .getByRole('link', { name: /^Programs/ })
    .click();
  await expect(page).toHaveURL(pagePaths.programsDocs);
  await expect(page.getByRole('heading', { level: 1, name: 'Programs' })).toBeVisible();
  await expect(page.getByText(`npm install -g ${baseURL}/wirebench.tgz`)).toBeVisible();
  await expect(page.getByText(`npx ${baseURL}/wirebench.tgz ports`)).toBeVisible();

  const served = await page.request.get('/wirebench.tgz');
  expect([served.status(), served.headers()['content-type']]).toEqual([200, 'application/gzip']);
  const bytes = await served.body();
  const facts = page.getByRole('region', { name: 'The file that this server offers' });
  await expect(facts.getByRole('row', { name: /^Size/ })).toContainText(`${bytes.length.toLocaleString('en')} bytes`);
  await expect(facts.getByRole('row', { name: /^SHA-256/ })).toContainText(
    createHash('sha256').update(bytes).digest('hex'),
  );

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'wirebench.tgz' }).click();
  expect((await download).suggestedFilename()).toBe('wirebench.tgz');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  // Elsewhere the bar at the top may cover half of a button.
  await page.getByRole('heading', { level: 1, name: 'Programs' }).scrollIntoViewIfNeeded();
  expect(await findings(page)).toEqual([]);
});

for (const theme of themes) {
  // Uses a separate browser for each theme, because pictures in the memory cache count as fetched even if they are
  // not shown.
  test.describe(`in the ${theme} theme`, () => {
    test.use(inTheme(theme));

    test('each picture is that of the theme, and fetched when it comes near', { tag: '@long' }, async ({ page }) => {
      test.slow();
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
      for (const path of documents) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        for (const picture of await page.getByRole('article').getByRole('img').all()) {
          await picture.scrollIntoViewIfNeeded();
          await expect(picture).toHaveAttribute('data-for', theme);
          await expect(picture).toHaveJSProperty('complete', true);
          const width = () => picture.evaluate((element: HTMLImageElement) => element.naturalWidth);
          await expect.poll(width).toBeGreaterThan(300);
        }
      }
      expect(fetched.filter((path) => path.endsWith('.webp')).length).toBeGreaterThan(8);
      const other = themes.filter((one) => one !== theme);
      expect(fetched.filter((path) => path.includes(`-${other}-`))).toEqual([]);
    });
  });
}
