/** What a person does in the terminal, as the tests of it do it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { loadLineCount, loadLineLength, loadLines } from '@wirebench/devices';
import { expect } from '../support/test.ts';

export const log = (page: Page): Locator => page.getByRole('log');

export const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

/** Lines that the bench holds, as the status line says it. */
export const held = (page: Page): Locator => page.getByText(/^Buffer \d/);

export async function openTerminal(page: Page): Promise<void> {
  await page.goto('/app/uart');
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
}

/** Opens a demo device on `port`, which must not be the first that is opened when it is not port 1. */
export async function connectDemo(page: Page, port = 1): Promise<void> {
  await page
    .getByRole('button', { name: `Other ways to connect port ${port}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Demo device' }).click();
  await expect(page.getByRole('button', { name: `Disconnect port ${port}` })).toBeVisible();
}

/** Opens the terminal with a demo device on port 1, up to its prompt. */
export async function startDemo(page: Page): Promise<void> {
  await openTerminal(page);
  await page.getByRole('button', { name: 'Try the demo device' }).click();
  await expect(log(page)).toContainText('demo>');
}

export async function type(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
}

/** Clicks `button` and gives what was saved. */
export async function saved(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

export async function exported(page: Page, what: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export' }).click();
  return saved(page, page.getByRole('menuitem', { name: what }));
}

/**
 * Everything that the demo device of port `seed` sends for a load that was typed at its prompt: the echo, the lines that
 * follow from the seed, the summary and the next prompt.
 */
export function loadOutput(rate: number, seconds: number, seed = 1): Buffer {
  const count = loadLineCount(rate, seconds);
  return Buffer.concat([
    Buffer.from(`load ${rate} ${seconds}\r\nload: ${rate} bytes/s for ${seconds} s\r\n`),
    loadLines(0, count, seed),
    Buffer.from(`load: ${count} lines, ${count * loadLineLength} bytes\r\ndemo> `),
  ]);
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Opens a tool below the log, from the keyboard. */
export async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name }).press('Enter');
  await expect(page.getByRole('tabpanel', { name })).toBeVisible();
}
