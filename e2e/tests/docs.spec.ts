import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { inTheme, themes } from '../support/theme.ts';

const documents = [pagePaths.uartDocs, pagePaths.espFlasherDocs, pagePaths.releasesDocs, pagePaths.esp32Docs];

test('the program that the guides offer to save is there', async ({ request }) => {
  const answer = await request.get('/remote-port.mjs');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).not.toContain('text/html');
});

test('the contents follow what is read, and headings have addresses of their own', async ({ page }) => {
  await page.goto(`${pagePaths.uartDocs}#display-modes`);
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
});

test('the search finds what the page says, by keyboard', async ({ page }) => {
  await page.goto(pagePaths.uartDocs);
  const field = page.getByRole('searchbox', { name: 'Search docs' });
  await expect(field).toBeVisible();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await field.fill('regular express');
  await expect(page.getByRole('link', { name: /^Find and filter/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#find-and-filter$/);
  await expect(page.getByRole('heading', { name: /^Find and filter/ })).toBeInViewport();
  await page.keyboard.press('/');
  await field.fill('zzz nothing');
  await expect(page.getByText('Nothing found. Try fewer words.')).toBeVisible();
});

test('the search covers all guides, and leads to the place in another one', async ({ page }) => {
  await page.goto(pagePaths.uartDocs);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search docs' }).fill('brown-out');
  const hit = page.getByRole('link', { name: /^Brown-out reset/ });
  await expect(hit).toContainText('Flasher');
  await hit.click();
  await expect(page).toHaveURL(`${pagePaths.espFlasherDocs}#brown-out-reset`);
  await expect(page.getByRole('heading', { name: 'Brown-out reset' })).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Search docs' }).fill('publishing token');
  await expect(page.getByRole('link', { name: /^Authentication/ })).toContainText('Releases');
  await page.getByRole('searchbox', { name: 'Search docs' }).fill('find my i2c');
  await expect(page.getByRole('link', { name: /^Find my I2C/ })).toContainText('ESP32');
});

test('/docs leads to the first guide, and Docs in the terminal opens it in a new tab', async ({ page }) => {
  await page.goto(pagePaths.docs);
  await expect(page).toHaveURL(pagePaths.uartDocs);
  await page.goto(pagePaths.uart);
  const opened = page.waitForEvent('popup');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
  await expect(await opened).toHaveURL(pagePaths.uartDocs);
  await expect(page).toHaveURL(pagePaths.uart);
});

test('the ESP32 app leads to its guide, and Docs on the bench opens it in a new tab', async ({ page }) => {
  await page.goto(pagePaths.esp32);
  await page.getByRole('link', { name: 'Read the guide' }).click();
  await expect(page).toHaveURL(pagePaths.esp32Docs);
  await expect(page.getByRole('heading', { level: 1, name: 'ESP32 hardware debugger' })).toBeVisible();
  const documents = page.getByRole('navigation', { name: 'Documents' });
  await expect(documents.getByRole('link', { name: 'ESP32' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Open the bench' }).click();
  await expect(page).toHaveURL(esp32BenchPage);
  const opened = page.waitForEvent('popup');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
  await expect(await opened).toHaveURL(pagePaths.esp32Docs);
  await expect(page).toHaveURL(esp32BenchPage);
});

for (const theme of themes) {
  // A browser of its own for each: what it has in memory already counts as fetched, whether it is shown or not.
  test.describe(`in the ${theme} theme`, () => {
    test.use(inTheme(theme));

    test('each picture is that of the theme, and fetched when it comes near', async ({ page }) => {
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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('one bar opens the contents, and closes them with a choice', async ({ page }) => {
    await page.goto(pagePaths.releasesDocs);
    const bar = page.getByRole('button', { name: 'Overview' });
    await bar.click();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Project limits' }).click();
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Project limits' })).toBeInViewport();
    await expectToFit(page);
  });
});
