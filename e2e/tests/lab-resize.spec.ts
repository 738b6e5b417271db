/** The bench in a window that narrows to a phone's width and widens again: inputs, answers and settings stay. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { i2c, openDemoBench } from './lab-steps.ts';

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

const spi = (page: Page) => page.getByRole('region', { name: 'SPI', exact: true });
const registers = (page: Page) => page.getByRole('region', { name: 'Registers', exact: true });
const strip = (page: Page) => page.getByRole('region', { name: 'Selected pin' });
const pane = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Bench' }).getByRole('button', { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

test('the lab keeps entries and results while the window is narrow', async ({ page }) => {
  await page.setViewportSize(wide);
  await openDemoBench(page);

  await page.getByRole('radio', { name: /^GPIO 25\b/ }).click();
  await strip(page).getByRole('button', { name: 'PWM', exact: true }).click();
  await strip(page).getByLabel('Hz').fill('440');

  await i2c(page).getByRole('button', { name: 'Scan' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await i2c(page).getByRole('textbox', { name: 'Register', exact: true }).fill('D0');
  await i2c(page).getByRole('form', { name: 'Read registers' }).getByRole('button', { name: 'Read' }).click();
  await expect(i2c(page)).toContainText('0x76 register 0xD0: 60 (96)');
  await i2c(page).getByRole('textbox', { name: 'Bytes to write' }).fill('27');

  await tab(page, 'Registers').click();
  await registers(page).getByRole('button', { name: 'Read', exact: true }).click();
  await registers(page).getByRole('button', { name: 'Bit 4', exact: true }).click();
  await expect(registers(page)).toContainText('1 bit will change.');

  await tab(page, 'SPI').click();
  await spi(page).getByRole('textbox', { name: 'Bytes, 1 to 64' }).fill('9F 00 00 00');
  await spi(page).getByRole('button', { name: 'Exchange' }).click();
  await expect(spi(page)).toContainText(/MISO: ([0-9A-F]{2} ?){4}/);
  const answer = await spi(page).getByText('MISO:').last().innerText();

  await page.setViewportSize(narrow);
  await expect(strip(page).getByLabel('Hz')).toHaveValue('440');
  await pane(page, 'I2C').click();
  await expect(i2c(page)).toContainText('0x76 register 0xD0: 60 (96)');
  await expect(i2c(page).getByRole('textbox', { name: 'Bytes to write' })).toHaveValue('27');
  await pane(page, 'More').click();
  await expect(registers(page)).toContainText('1 bit will change.');
  await tab(page, 'SPI').click();
  await expect(spi(page)).toContainText(answer);

  await page.setViewportSize(wide);
  await expect(spi(page)).toContainText(answer);
  await expect(i2c(page)).toContainText('0x76 register 0xD0: 60 (96)');
  await tab(page, 'Registers').click();
  await expect(registers(page)).toContainText('1 bit will change.');
  await expect(strip(page).getByLabel('Hz')).toHaveValue('440');
});
