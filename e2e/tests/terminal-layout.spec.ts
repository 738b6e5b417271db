/** The room that the terminal leaves to the log, and the number of controls before anything is open. */
import type { Page } from '@playwright/test';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { connectDemo, log, prompt, showMore } from './terminal-steps.ts';

/** Opens the terminal of a person who was never here. */
async function openFresh(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto('/app/uart');
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
}

async function tryDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo device' }).click();
  await expect(log(page)).toContainText(prompt);
}

const interactive =
  'a[href], button, input:not([type="hidden"]), select, textarea, [role="tab"], [role="slider"], [tabindex="0"]';

/** Returns the controls that can be seen or reached. */
const controls = (page: Page): Promise<string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'))
        .map((element) => element.getAttribute('aria-label') ?? element.textContent.trim()),
    interactive,
  );

/** Returns the share of the window that the log covers. */
const logShare = (page: Page): Promise<number> =>
  log(page).evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    return (width * height) / (innerWidth * innerHeight);
  });

test('the empty terminal has at most 35 controls, four tabs and one amber button', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const found = await controls(page);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(35);
  await expect(page.getByRole('tab')).toHaveCount(4);
  const amber = await page.evaluate(() => {
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--color-accent').trim();
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.backgroundColor = accent;
    const colour = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('button')]
      .filter((button) => getComputedStyle(button).backgroundColor === colour)
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  });
  // The second one is the arrow of the same split button.
  expect(amber).toEqual(['Connect port 1', 'Other ways to connect port 1']);
});

test('the log has 65 % of the window with one port open, and 60 % with four', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await expect.poll(() => logShare(page)).toBeGreaterThanOrEqual(0.65);
  for (const port of [2, 3, 4]) {
    await connectDemo(page, port);
  }
  await expect(page.getByRole('slider', { name: 'Jump to a time in the last minute' })).toBeVisible();
  await expect.poll(() => logShare(page)).toBeGreaterThanOrEqual(0.6);
});

test('the log shows eight lines at 720 × 450, and a phone is never wider than its window', async ({ page }) => {
  await openFresh(page, 720, 450);
  await tryDemo(page);
  const wholeRows = () =>
    log(page).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('[data-direction]')].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top >= top - 1 && box.bottom <= bottom + 1;
      }).length;
    });
  await expect.poll(wholeRows).toBeGreaterThanOrEqual(8);
  await expectToFit(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await showMore(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  await expectToFit(page);
});

test('settings open from the tab and stay open as a column when kept, also after a reload', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const settings = page.getByRole('complementary', { name: 'Settings of port 1' });
  await expect(settings).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  await page.getByRole('button', { name: 'Keep open' }).click();
  await expect(settings).toBeVisible();
  await page.reload();
  await expect(settings).toBeVisible();
  await page.getByRole('button', { name: 'Collapse the settings' }).click();
  await expect(settings).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Settings of port 1' })).toBeFocused();
});

test('a message is shown in the line below the log and covers no row', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await log(page).focus();
  await page.keyboard.press('Shift+X');
  const toast = page.getByRole('status').filter({ hasText: 'Messages exported to file' });
  await expect(toast).toBeVisible();
  const end = await log(page).evaluate((element) => element.getBoundingClientRect().bottom);
  expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(end);
});

test('open ports are shown on other pages, and offered again after a reload', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await connectDemo(page, 2);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Releases' }).click();
  await page.getByRole('banner').getByRole('link', { name: '2 ports open' }).click();
  await expect(log(page)).toContainText('a simulation: no hardware is connected');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Reconnect what was open' }).click();
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Disconnect port 2' })).toBeVisible();
});
