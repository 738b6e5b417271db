/** Settings that the terminal stores in the browser, shared by two tabs, and its documentation in another tab. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { openTerminal, startDemo } from './terminal-steps.ts';

const hex = (page: Page) => page.getByRole('radio', { name: 'Hex', exact: true });
const portName = (page: Page) => page.getByRole('textbox', { name: 'Name' });

test('two tabs do not undo what was changed in the other', async ({ page, context }) => {
  await openTerminal(page);
  const other = await context.newPage();
  await openTerminal(other);
  await portName(page).fill('S3 gateway');
  await hex(page).check({ force: true });
  await other.getByRole('tab', { name: /^Port 2/ }).click();
  await portName(other).fill('GNSS M10');
  await choose(other.getByRole('button', { name: 'Time', exact: true }), 'Off');
  await page.reload();
  await expect(hex(page)).toBeChecked();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: /GNSS M10/ })).toBeVisible();
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Off' })).toBeChecked();
});

test('the whole documentation opens beside the terminal, whose ports stay open', async ({ page, context }) => {
  await startDemo(page);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Documentation (opens in a new tab)' }).click();
  const documentation = await opened;
  await expect(documentation).toHaveURL('/app/uart/docs');
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
});
