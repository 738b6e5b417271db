/** Recordings of text and bytes: split, listed, downloaded, deleted, and watched from another tab. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { unzipped } from '../support/unzipped.ts';
import { choose } from './menu-steps.ts';
import { openScripted } from './scripted-port.ts';
import {
  exported,
  loadOutput,
  log,
  openTerminal,
  prompt,
  saved,
  showMore,
  startDemo,
  startRecording,
  tryDemo,
  type,
} from './terminal-steps.ts';

/** Opens the terminal with a demo device at a rate at which megabytes take seconds. */
async function startFastDemo(page: Page): Promise<void> {
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('custom');
  await page.getByRole('textbox', { name: 'Rate' }).fill('40000000');
  await tryDemo(page);
}

const list = (page: Page) => page.getByRole('dialog', { name: 'Recordings in this browser' });

async function showList(page: Page): Promise<void> {
  await showMore(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), /^Recordings in this browser/);
  await expect(list(page)).toBeVisible();
}

const linesOf = (text: string, direction: 'RX' | 'TX') =>
  text.split('\n').filter((line) => line.includes(`  ${direction}  `));

/** Received lines of a text file from the first command on. */
function received(text: string): string {
  const lines = linesOf(text, 'RX');
  return lines.slice(lines.findIndex((line) => line.includes('demo> load'))).join('\n');
}

test('the button that stops a recording says that the files of two ports wait to be saved', async ({ page }) => {
  await page.goto('/app/uart');
  const first = await openScripted(page, 1);
  const stop = await startRecording(page);
  await first.say('one\n');
  await expect(page.getByRole('button', { name: /^Stop recording and save the file, \d/ })).toBeVisible();
  const second = await openScripted(page, 2);
  await second.say('two\n');
  await expect(stop).toHaveAccessibleName(/^Stop recording and keep 2 files to save, \d/);
  await stop.click();
  await expect(page.getByText(/A recording has not been saved\. .*, 2 files/)).toBeVisible();
});

test('recorded text equals the exported text, and the received bytes are whole, in parts of a megabyte', {
  tag: '@long',
}, async ({ page }) => {
  await startFastDemo(page);
  const stopText = await startRecording(page, 'Record text with times…');
  await expect(stopText).toHaveText(/^Stop\d/);
  await showMore(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), 'Record received bytes…');
  const dialog = page.getByRole('dialog', { name: 'Record from now on' });
  await dialog.getByLabel('Begin a new file after, in MB').fill('0');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(dialog.getByText('Enter whole megabytes from 1 to 100000')).toBeVisible();
  await dialog.getByLabel('Begin a new file after, in MB').fill('1');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(dialog).toHaveCount(0);
  const stop = page.getByRole('button', { name: /^Stop one of 2 recordings/ });
  await type(page, 'load 1000000 2');
  await expect(log(page)).toContainText(/load: \d+ lines/);
  await expect(log(page)).toContainText(prompt);
  const text = (await exported(page, 'Text log')).bytes.toString();
  await choose(stop, /^Stop received bytes, since/);
  const unsaved = page.getByText('A recording has not been saved.');
  await expect(unsaved).toBeVisible();
  const zip = await saved(page, page.getByRole('button', { name: 'Save', exact: true }));
  expect(zip.name).toMatch(/^wirebench-[\d-]+\.zip$/);
  const parts = unzipped(zip.bytes);
  expect([...parts.keys()]).toEqual([
    expect.stringMatching(/-port-1-part-001\.bin$/),
    expect.stringMatching(/-port-1-part-002\.bin$/),
  ]);
  expect([...parts.values()][0]?.length).toBe(1 << 20);
  expect(Buffer.concat([...parts.values()]).equals(loadOutput(1_000_000, 2))).toBe(true);
  await expect(unsaved).toHaveCount(0);
  const recorded = await saved(page, stopText);
  expect(recorded.name).toMatch(/^wirebench-[\d-]+\.txt$/);
  // The prompt at the start of the recording is a line of the export, with what was received after it. A line that is
  // sent while the prompt is open may be recorded before it.
  const recordedText = recorded.bytes.toString();
  expect(received(recordedText)).toBe(received(text));
  expect(linesOf(recordedText, 'TX')).toEqual(linesOf(text, 'TX'));
});

test('the list shows recordings, also of another tab and of a closed page, and downloads and deletes them', async ({
  page,
}) => {
  await startDemo(page);
  await startRecording(page, 'Record text with times…');
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await showList(page);
  await expect(list(page).getByText('Recording now')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/app/uart');
  await showList(other);
  await expect(list(other).getByText('Recording in another tab. Stop it there.')).toBeVisible();
  await expect(list(other).getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await other.close();
  await list(page).getByRole('button', { name: 'Stop' }).click();
  await expect(list(page).getByText(/Text with times · All ports · .* · \d+ s/)).toBeVisible();
  await list(page).getByRole('button', { name: 'Close' }).click();
  await startRecording(page);
  await type(page, 'info');
  // On the disk within a second, without stopping.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('recordings');
        let size = 0;
        for await (const [name, handle] of folder.entries()) {
          size += name.endsWith('.bin') ? (await (handle as FileSystemFileHandle).getFile()).size : 0;
        }
        return size;
      }),
    )
    .toBeGreaterThan(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/');
  await page.goto('/app/uart');
  await expect(page.getByText('2 recordings have not been saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const items = list(page).getByRole('listitem');
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText('Ended when the page was closed.');
  await expect(list(page).getByText(/^2 recordings, .* in all\./)).toBeVisible();
  for (const size of [
    { width: 1_440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  for (const [item, content] of [
    [items.first(), 'info'],
    [items.last(), 'which addresses answer on the I2C bus'],
  ] as const) {
    const opening = page.waitForEvent('popup');
    await item.getByRole('button', { name: 'Open', exact: true }).click();
    const tab = await opening;
    await expect(log(tab)).toContainText(content);
    await tab.close();
  }
  const { bytes } = await saved(page, items.last().getByRole('button', { name: 'Save' }));
  expect(bytes.toString()).toContain('which addresses answer on the I2C bus');
  expect(bytes.toString()).toMatch(/ {2}Port 1 {2}TX {2}help\n/);
  await expect(items.last()).toContainText('Saved.');
  await items.last().getByRole('button', { name: 'Delete' }).click();
  await items.last().getByRole('button', { name: 'Delete permanently?' }).click();
  await expect(items).toHaveCount(1);
  await items.first().getByRole('button', { name: 'Delete' }).click();
  await items.first().getByRole('button', { name: 'Delete permanently?' }).click();
  await expect(list(page).getByText('There are no recordings in this browser.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save the log' })).toHaveCount(0);
});

test('the choices of a recording are free of findings in both themes, and fit every window', async ({ page }) => {
  await startDemo(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), 'Record text with times…');
  const dialog = page.getByRole('dialog', { name: 'Record from now on' });
  await dialog.getByRole('switch', { name: 'Port 2' }).uncheck();
  await dialog.getByText('Text and bytes').click();
  for (const size of [
    { width: 1_440, height: 900 },
    { width: 390, height: 844 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(size);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
});

test('a recording into a folder writes its parts there, and says where they are', async ({ page }) => {
  // The browser's dialog cannot be driven. Its answer is a folder of the private file system, which behaves alike.
  await page.addInitScript(() => {
    Object.assign(window, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('logs', { create: true }),
    });
  });
  await startFastDemo(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), 'Record received bytes…');
  const dialog = page.getByRole('dialog', { name: 'Record from now on' });
  await dialog.getByText('A folder').click();
  await dialog.getByLabel('Begin a new file after, in MB').fill('1');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText('Recording into the folder logs')).toBeVisible();
  await type(page, 'load 1000000 2');
  await expect(log(page)).toContainText(/load: \d+ lines/);
  await expect(log(page)).toContainText(prompt);
  await page.getByRole('button', { name: 'Stop recording and close the files' }).click();
  await expect(page.getByText('Recording is in the folder logs')).toBeVisible();
  await expect(page.getByText(/-port-1-part-001\.bin and 1 more file/)).toBeVisible();
  const written = await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('logs');
    const texts: [string, string][] = [];
    for await (const [name, handle] of folder.entries()) {
      texts.push([name, await (await (handle as FileSystemFileHandle).getFile()).text()]);
    }
    return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  });
  expect(written).toHaveLength(2);
  expect(written.join('')).toBe(loadOutput(1_000_000, 2).toString());
});
