/** A person's actions on a flasher's page, for its tests. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { expect } from '../support/test.ts';
import { choose } from './menu-steps.ts';

export const demoRelease = `${staticPages.espFlasher}?type=version&id=${demoReleaseId}`;

export const board = (page: Page): Locator => page.getByRole('region', { name: 'Board', exact: true });
export const plan = (page: Page): Locator => page.getByRole('region', { name: 'Plan' });
/** Carries out the plan. On the page of a release it names the version. */
export const writeButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Write \d files?|Install .*)$/ });
export const monitor = (page: Page): Locator => page.getByRole('log', { name: 'Monitor' });
export const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' });
/** The answer while a failure is shown: its words and its main button. */
export const failure = (page: Page): Locator => page.getByRole('region', { name: 'Failure' });
/** The steps of a failure's remedy, below the answer. */
export const remedy = (page: Page, name: string): Locator => page.getByRole('group', { name });

/** Opens all facts of the board in view, and returns them. */
export async function openFacts(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /More about this board/ }).click();
  return page.getByRole('dialog');
}

/** Opens the settings, which are one line. */
export const openSettings = (page: Page) => page.getByRole('button', { name: 'Settings', exact: true }).click();

/** Opens the fields of all offsets, which are text. */
export const openOffsets = (page: Page) => page.getByRole('button', { name: 'Change offsets' }).click();

/** Checks that the plan cannot be carried out now. */
export async function expectNoWrite(page: Page): Promise<void> {
  await expect(plan(page)).toContainText('Not possible');
  await expect(writeButton(page)).toHaveCount(0);
}

/** Returns the saved log of the monitor. It has more lines than the monitor shows. */
export async function savedMonitorLog(page: Page): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the monitor’s log' }).click();
  return readFile(await (await saving).path(), 'utf8');
}

/** Waits until the saved log of the monitor contains a text. */
export async function expectInMonitorLog(page: Page, text: string): Promise<void> {
  await expect(async () => expect(await savedMonitorLog(page)).toContain(text)).toPass();
}

/** Connects the simulated board of the main button, until it is in its bootloader. */
export async function connectDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
  await expect(board(page)).toContainText('Ready');
}

/** Connects another simulated board by its name in the menu. */
export async function connectOther(page: Page, name: string): Promise<void> {
  await choose(page.getByRole('button', { name: 'Other ways to connect a board' }), name, { exact: true });
  await expect(board(page)).toContainText('Ready');
}

/** Adds a file like one chosen from a disk. */
export async function chooseFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.getByLabel('Firmware files').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
}

/** Adds a file and enters its offset. */
export async function addFile(page: Page, name: string, bytes: Buffer, offset: string): Promise<void> {
  await chooseFile(page, name, bytes);
  await page.getByRole('textbox', { name: `Offset of ${name}` }).fill(offset);
}

/** Writes from the plan to the receipt without a mouse. The focus is then on the next action. */
export async function writeByKeyboard(page: Page): Promise<void> {
  await expect(writeButton(page)).toBeEnabled();
  await writeButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(result(page)).toContainText('Written and verified');
  await expect(page.getByRole('button', { name: 'Flash again' })).toBeFocused();
}

/**
 * Starts writing, and navigates to another page as soon as the progress reaches `percent`. The page does this itself,
 * because polling from the test could miss the end of the write.
 */
export async function leaveMidWrite(page: Page, percent: number, address: string): Promise<void> {
  const left = page.evaluate(
    ([least, next]) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          const bar = document.querySelector('[role=progressbar][aria-label="Written and verified"]');
          if (bar === null || Number(bar.getAttribute('aria-valuenow')) < least) {
            return;
          }
          observer.disconnect();
          location.assign(next);
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-valuenow'] });
      }),
    [percent, address] as const,
  );
  await writeButton(page).click();
  await left;
}
