/** Settings that the terminal stores in the browser, shared by two tabs, and its documentation in another tab. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { openTerminal, selectTab, startDemo } from './terminal-steps.ts';

const hex = (page: Page) => page.getByRole('radio', { name: 'Hex', exact: true });
const portName = (page: Page) => page.getByRole('textbox', { name: 'Name' });

const times = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Times' }).getByRole('radio', { name, exact: true });

async function chooseTimes(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await times(page, name).check({ force: true });
  await page.keyboard.press('Escape');
}

test('two tabs do not undo what was changed in the other', async ({ page, context }) => {
  await openTerminal(page);
  const other = await context.newPage();
  await openTerminal(other);
  await portName(page).fill('S3 gateway');
  await hex(page).check({ force: true });
  await selectTab(other, 2);
  await portName(other).fill('GNSS M10');
  await chooseTimes(other, 'Off');
  await page.reload();
  await expect(hex(page)).toBeChecked();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: /GNSS M10/ })).toBeVisible();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(times(page, 'Off')).toBeChecked();
});

test('the whole documentation opens beside the terminal, whose ports stay open', async ({ page, context }) => {
  await startDemo(page);
  await choose(page.getByRole('button', { name: 'Help', exact: true }), 'Quick guide');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Documentation (opens in a new tab)' }).click();
  const documentation = await opened;
  await expect(documentation).toHaveURL('/app/uart/docs');
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
});
