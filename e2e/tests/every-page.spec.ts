/** What holds for every page: it fits each width of the design, and a window at 200 % zoom. What is for reading prints. */
import { demoReleaseId, flasherPages, livePage, pagePaths, releasePath } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { log, message, tryDemo } from './terminal-steps.ts';

const pages = [
  ...Object.values(pagePaths),
  ...Object.values(flasherPages),
  livePage,
  releasePath('project', demoReleaseId),
  releasePath('version', demoReleaseId),
  '/nowhere',
];

/** The last is a window of 1440 × 900 px at a zoom of 200 %. */
const windows = [
  { width: 390, height: 844 },
  { width: 768, height: 1_024 },
  { width: 1_440, height: 900 },
  { width: 720, height: 450 },
];

for (const path of pages) {
  test(`${path} fits from side to side in every window`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    await expect(page.getByRole('main').first()).toBeVisible();
    await expect(page.getByRole('heading').first()).toBeVisible();
    for (const size of windows) {
      await page.setViewportSize(size);
      // Those that stick out, where the page is wider than the window.
      const wider = () =>
        page.evaluate((limit) => {
          const wide = [...document.body.querySelectorAll('*')].filter(
            (element) => element.getBoundingClientRect().right > limit + 1,
          );
          const { scrollWidth } = document.documentElement;
          return scrollWidth > limit
            ? [scrollWidth, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 100))]
            : [];
        }, size.width);
      // A layout that follows the window's size in a script does so a little later.
      await expect.poll(wider, `${size.width} px`).toEqual([]);
    }
  });
}

test.describe('at a zoom of 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test('the send field of the terminal can be seen and used', async ({ page }) => {
    await page.goto(pagePaths.uart);
    await tryDemo(page);
    await message(page).fill('help');
    await expect(message(page)).toBeInViewport();
    await expect(log(page)).toBeInViewport();
    await message(page).press('Enter');
    await expect(log(page)).toContainText('panic, then restart');
  });
});

test('the documentation prints on white, without what is only for the screen', async ({ page }) => {
  await page.goto(pagePaths.uartDocs);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
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
