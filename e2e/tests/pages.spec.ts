import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { esp32BenchPage, pagePaths, probeReleaseIds } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

const dots = ['Start', 'What it is', 'Three tools', 'ESP32 bench', 'JKits', 'Begin'];

test('the introduction: six dots lead to six sections and say which one is read', async ({ page }) => {
  await page.goto(pagePaths.intro);
  const navigation = page.getByRole('navigation', { name: 'Sections' });
  await expect(navigation.getByRole('link')).toHaveText(dots);
  await expect(navigation.getByRole('link', { name: 'Start' })).toHaveAttribute('aria-current', 'true');
  for (const name of dots.toReversed()) {
    await navigation.getByRole('link', { name }).click();
    await expect(navigation.getByRole('link', { name })).toHaveAttribute('aria-current', 'true');
    await expect(navigation.locator('[aria-current]')).toHaveCount(1);
  }
  // Waits for the end of the last smooth scroll, which would override the mouse wheel.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.mouse.wheel(0, 100_000);
  await expect(navigation.getByRole('link', { name: 'Begin' })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Go to the tools' }).click();
  await expect(page).toHaveURL('/');
});

/** Texts of the drawings that their drawing or the window cuts off, at the sides. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut = (text: Node): boolean => {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, width } = range.getBoundingClientRect();
      for (let box = text.parentElement; width > 0 && box !== null; box = box.parentElement) {
        const { left: from, right: to } = box.getBoundingClientRect();
        if (getComputedStyle(box).overflowX !== 'visible' && (left < from - 1 || right > to + 1)) {
          return true;
        }
      }
      return false;
    };
    return [...document.querySelectorAll('section:not(#start) [role="img"], section figure, section pre')].flatMap(
      (drawing) => {
        const texts = document.createTreeWalker(drawing, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
          // A part-filled box of the memory map has its label twice: the filled part cuts off its own.
          const isSecond = text.parentElement?.closest('[aria-hidden="true"]') != null;
          found.push(...(!isSecond && cut(text) ? [text.textContent ?? ''] : []));
        }
        return found;
      },
    );
  });

test('each section of the introduction has a drawing whose texts no window cuts off', async ({ page }) => {
  await page.goto(pagePaths.intro);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [720, 450],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const id of ['what-it-is', 'three-tools', 'esp32-bench', 'jkits', 'begin']) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await expect(page.locator(`#${id}`).getByRole('img').first()).toBeVisible();
    }
    expect(await cutTexts(page), `${width} x ${height}`).toEqual([]);
  }
});

test('a section of the introduction fades in when it is seen; with reduced motion it is there at once', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(pagePaths.intro);
  const section = page.locator('#jkits');
  await expect(section).toHaveCSS('opacity', '0');
  await section.scrollIntoViewIfNeeded();
  await expect(section).toHaveCSS('opacity', '1');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(pagePaths.intro);
  expect(await page.locator('#begin').evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
});

test('the ESP32 bench: the floating button shows the way to the release, and goes when it is there', async ({
  page,
}) => {
  await page.goto(pagePaths.esp32);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A spare ESP32 becomes your bench');
  // The page promises only existing features: the button names its target.
  await expect(page.getByText('Nothing is flashed: after one reset')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the bench' })).toHaveAttribute('href', esp32BenchPage);
  await expect(page.getByRole('link', { name: 'Flash Latest Release', exact: true })).toHaveCount(1);
  await expect(page.getByText('the button opens the newest release')).toBeVisible();
  for (const kind of ['Power Management', 'Sensors', 'Displays', 'Motor Control', 'Audio', 'Storage', 'Custom ICs']) {
    await expect(page.getByRole('heading', { name: kind, exact: true })).toBeAttached();
  }
  const button = page.getByRole('button', { name: 'Go to release' });
  await button.click();
  await expect(page.getByRole('heading', { name: 'Get the firmware' })).toBeInViewport();
  await expect(button).toBeHidden();
  // A running smooth scroll overrides the mouse wheel, so retry.
  await expect(async () => {
    await page.mouse.wheel(0, -100_000);
    await expect(button).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Flash Latest Release' }).first().click();
  const release = await opened;
  await expect(release).toHaveURL(releasePath('version', probeReleaseIds.esp32));
  await expect(release.getByRole('heading', { level: 1, name: 'Wirebench probe for ESP32' })).toBeVisible();
});
