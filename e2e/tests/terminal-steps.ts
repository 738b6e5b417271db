/** A person's actions in the terminal, for its tests. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { loadLineCount, loadLineLength, loadLines } from '@wirebench/devices';
import { expect } from '../support/test.ts';
import { choose, menuGone } from './menu-steps.ts';

export const log = (page: Page): Locator => page.getByRole('log');

export const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

/** Returns the number of lines in the buffer, in the line below the log. */
export const held = (page: Page): Locator =>
  page.getByRole('region', { name: 'Status' }).getByText(/^\d[\d\u2009]*( of [\d\u2009]+)? lines?$/);

/** Returns the count of lines that arrived while the log was paused. */
export const newLines = (of: Page | Locator): Locator => of.getByText(/^[\d\u2009]+ new lines?$/);

/** Parses the only number in a text, with its thousands separators. */
export const numberIn = async (of: Locator): Promise<number> => Number((await of.innerText()).replaceAll(/\D/g, ''));

/** Opens the terminal of a person who keeps settings and panels open as columns. A new person sees neither. */
export async function openTerminal(page: Page): Promise<void> {
  await keepColumnsOpen(page);
  await page.goto('/app/uart');
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
}

/** Stores the choice of settings and panels as columns, unless the browser has stored settings. */
export async function keepColumnsOpen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http') && localStorage.getItem('wirebench.terminal') === null) {
      const kept = { version: 1, settingsPinned: true, panelsShown: true };
      localStorage.setItem('wirebench.terminal', JSON.stringify(kept));
    }
  });
}

/** Selects a port with the keyboard: a click on the tab of a free port would connect it. */
export async function selectTab(page: Page, port: number): Promise<void> {
  const ports = page.getByRole('tablist', { name: 'Ports' }).getByRole('tab');
  await ports.and(page.getByRole('tab', { selected: true })).focus();
  await page.keyboard.press('Home');
  for (let step = 1; step < port; step++) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(ports.nth(port - 1)).toHaveAttribute('aria-selected', 'true');
}

/**
 * Opens a demo device on `port`, and selects port 1 again: a port just opened is selected. Ports must be opened in
 * ascending order.
 */
export async function connectDemo(page: Page, port = 1): Promise<void> {
  await choose(page.getByRole('button', { name: `Other ways to connect port ${port}` }).first(), 'Demo board');
  await expect(page.getByRole('button', { name: `Disconnect port ${port}` })).toBeVisible();
  if (port > 1) {
    // At the flag: the settings button is over the middle.
    await page
      .getByRole('tab')
      .first()
      .click({ position: { x: 14, y: 14 } });
  }
}

/** Opens the terminal with a demo device on port 1, until its prompt. */
export async function startDemo(page: Page): Promise<void> {
  await openTerminal(page);
  await tryDemo(page);
}

/** Connects a demo device while no port is open, and waits for its prompt, the end of its start-up output. */
export async function tryDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  await expect(log(page)).toContainText(prompt);
}

/** Matches the end of a log: the board has finished its output and waits for input. */
export const prompt = /demo> $/;

/** Clears the log of a silent board and waits until it is empty, so that a later search finds no old text. */
export async function clearLog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(log(page).locator('[data-direction]')).toHaveCount(0);
}

export async function type(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
}

/**
 * Starts recording.
 *
 * @param what Item of the Save menu. Default: the received bytes of all ports.
 * @param split Size of a file in MB. Default: one file.
 * @returns The button that stops the recording, and saves its file if it is the only one.
 */
export async function startRecording(page: Page, what = 'Record received bytes…', split = ''): Promise<Locator> {
  await showMore(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), what);
  const dialog = page.getByRole('dialog', { name: 'Record from now on' });
  await dialog.getByLabel('Begin a new file after, in MB').fill(split);
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(dialog).toHaveCount(0);
  const stop = page.getByRole('button', { name: /^Stop recording and (save|keep)/ });
  await expect(stop).toBeVisible();
  return stop;
}

/** Clicks `button` and returns the saved file. */
export async function saved(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

export async function exported(page: Page, what: string): Promise<{ name: string; bytes: Buffer }> {
  await showMore(page);
  await page.getByRole('button', { name: 'Save the log' }).click();
  const file = await saved(page, page.getByRole('menuitem', { name: what }));
  await menuGone(page);
  return file;
}

/**
 * Returns the demo device's whole output for a typed load command: the echo, the lines generated from the seed, the
 * summary and the next prompt.
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

/**
 * Turns the wheel over a log until it rests. The log pauses at the first pixel and scrolls smoothly.
 *
 * @param distance Pixels.
 */
export async function scrollUp(page: Page, of: Locator, distance: number): Promise<void> {
  await of.hover();
  await page.mouse.wheel(0, -distance);
  await expect(page.getByText('Jump to newest')).toBeVisible();
  await of.evaluate(async (element) => {
    const framesAtRest = 10;
    for (let still = 0, top = NaN; still < framesAtRest; ) {
      await new Promise(requestAnimationFrame);
      still = element.scrollTop === top ? still + 1 : 0;
      top = element.scrollTop;
    }
  });
}

/** Shows the console's tools, which a narrow console has under More. */
export async function showMore(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true });
  if ((await more.isVisible()) && (await more.getAttribute('aria-expanded')) === 'false') {
    await more.click();
  }
}

/** Opens the display options, presses the control with the name `item`, and closes them. */
export async function chooseView(page: Page, item: string, group?: string): Promise<void> {
  await showMore(page);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  const options = page.getByRole('dialog', { name: 'View' });
  const choices = group === undefined ? options : options.getByRole('radiogroup', { name: group });
  const named = { name: item, exact: true };
  await choices
    .getByRole('radio', named)
    .or(choices.getByRole('checkbox', named))
    .or(choices.getByRole('button', named))
    // A radio button of a segmented control is under its label.
    .click({ force: true });
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
}

/** Drops a file on the page, at any place. */
export async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(
    ([file, base64]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(
          new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
        );
      }
    },
    [name, bytes.toString('base64')] as const,
  );
}

/** Brings a tab of the dock to the front. */
export async function showTab(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('tablist', { name: 'Panels and tools' }).getByRole('tab', { name }).click();
}

/** Folds the dock, which covers the log in a small window. */
export async function foldDock(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Fold the dock|Back to the log)$/ }).click();
  await expect(page.locator('[data-tool-dock]')).toHaveCount(0);
}

/** Shows the panels. Their button is under More in a small window. */
export async function showPanels(page: Page): Promise<void> {
  await showMore(page);
  await page.getByRole('button', { name: 'Panels', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Panels' })).toBeVisible();
}

/** Opens a tool with the keyboard, or brings it to the front. */
export async function openTool(page: Page, name: string): Promise<void> {
  await chooseTool(page, name);
  await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
}

/** Presses a row of the list of tools. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await showMore(page);
  await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
  const item = page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
  await expect(item).toBeVisible();
  // The menu takes the focus a moment after it has opened. A key that comes before that is lost.
  await expect(async () => {
    if (await item.isVisible()) {
      await item.press('Enter', { timeout: 2_000 });
    }
    await expect(page.getByRole('menu')).toHaveCount(0, { timeout: 5_000 });
  }).toPass();
}
