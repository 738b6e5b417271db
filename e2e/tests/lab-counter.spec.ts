/** The bench's counter on the demo board: a PWM output of the bench itself is what it counts. */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { busLog, leaveButton } from './lab-steps.ts';

const counter = (page: Page) => page.getByRole('region', { name: 'Counter', exact: true });
const count = async (page: Page) =>
  Number(
    (
      await counter(page)
        .getByText(/edges$/)
        .last()
        .innerText()
    ).replaceAll(/\D/g, ''),
  );

async function pwm(page: Page, hertz: string): Promise<void> {
  await page.getByRole('radio', { name: /^GPIO 25\b/ }).click();
  const strip = page.getByRole('region', { name: 'Selected pin' });
  await strip.getByRole('button', { name: 'PWM', exact: true }).click();
  await strip.getByLabel('Hz').fill(hertz);
  await strip.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(page.getByRole('radio', { name: /^GPIO 25, PWM/ })).toBeVisible();
}

test('edges of a PWM output are counted and timed, from 0 after a reset, until the pin is released', async ({
  page,
}) => {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(leaveButton(page)).toBeVisible();
  await pwm(page, '2000');
  await page.getByRole('tab', { name: 'Counter' }).click();
  await counter(page).getByLabel('GPIO').selectOption('25');
  await expect(counter(page)).toContainText('The pin stays as it is set: PWM.');
  await counter(page).getByRole('button', { name: 'Count', exact: true }).click();
  await expect(counter(page)).toContainText(/2\.0000\d* kHz ± 0\.0000\d/);
  await expect(counter(page)).toContainText(/500\.\d+ µs ± 0\.00\d/);
  await expect.poll(() => count(page)).toBeGreaterThan(1_000);
  await expect(page.getByRole('radio', { name: /^GPIO 25, PWM/ })).toBeVisible();
  await counter(page).getByText('Both', { exact: true }).click();
  await expect(counter(page)).toContainText('GPIO 25 · edges');
  await page.getByRole('region', { name: 'Selected pin' }).getByRole('button', { name: 'Release' }).click();
  await expect(counter(page)).toContainText('No period');
  await counter(page).getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => count(page)).toBe(0);
  await counter(page).getByRole('button', { name: 'Close' }).click();
  await expect(busLog(page)).toContainText('COUNT 25 · 0 edges, closed');
});

test('the fastest PWM is more than can be counted, which is said, and the bench goes on', async ({ page }) => {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(leaveButton(page)).toBeVisible();
  await pwm(page, '5000000');
  await page.getByRole('tab', { name: 'Counter' }).click();
  await counter(page).getByLabel('GPIO').selectOption('25');
  await counter(page).getByRole('button', { name: 'Count', exact: true }).click();
  await expect(counter(page)).toContainText(/5\.0\d* MHz/);
  await expect(counter(page)).toContainText('At least');
  await counter(page).getByRole('button', { name: 'Close' }).click();
  await leaveButton(page).click();
  await expect(busLog(page)).toContainText('its pins were released');
});

test('by keyboard: a pin that nobody uses is counted, and given back', async ({ page }) => {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(leaveButton(page)).toBeVisible();
  await page.getByRole('tab', { name: 'Device' }).press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Counter' })).toBeFocused();
  for (const name of ['Count', 'GPIO']) {
    await page.keyboard.press('Tab');
    await expect(
      name === 'GPIO' ? counter(page).getByLabel(name) : counter(page).getByRole('button', { name, exact: true }),
    ).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(counter(page).getByRole('radio', { name: 'Falling' })).toBeChecked();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(counter(page)).toContainText('0 falling edges');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeVisible();
  await counter(page).getByRole('button', { name: 'Close' }).press('Enter');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeHidden();
});

test('a chip without a pulse counter says so, and what to use instead', async ({ page }) => {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name: 'Demo ESP32-C3 bench', exact: true }).click();
  await expect(leaveButton(page)).toBeVisible();
  await page.getByRole('tab', { name: 'Counter' }).click();
  await expect(counter(page)).toContainText('The ESP32-C3 has no pulse counter.');
});
