/** The way of one port from the terminal to a flasher and back, in one document: its log and its board stay. */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { NetworkWatch } from '../support/network-watch.ts';
import { expect, test } from '../support/test.ts';
import { addFile, board, connectDemo, monitor, result, writeButton } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { exported, log, prompt, startDemo, type } from './terminal-steps.ts';

const greeting = 'Hello from the program that you have just flashed.';

/** Marks the document. A navigation that loads another one loses the mark. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
  return () => page.evaluate(() => 'isMarked' in window);
}

/** Longest time of a write of 1 MiB on a busy machine, in milliseconds: boards run in real time. */
const writeTimeout = 120_000;

const flashPort = (page: Page) => page.getByRole('button', { name: 'Flash this port' });
const back = (page: Page) => page.getByRole('link', { name: 'Back to the terminal' });

async function sendToFlasher(page: Page): Promise<void> {
  await flashPort(page).click();
  await expect(page).toHaveURL(/\/esp_flasher\.html$/);
  await expect(board(page)).toContainText('Ready');
}

test('a port of the terminal is flashed and comes back open, with one log of before, of the flash and of the boot', async ({
  page,
}) => {
  await startDemo(page);
  await type(page, 'help');
  const isSameDocument = await markDocument(page);
  await sendToFlasher(page);
  await expect(page).toHaveTitle('Espressif flasher: Wirebench');
  await expect(page.getByText('This board is port 1 of the terminal.')).toBeVisible();
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText(greeting);
  await back(page).click();

  await expect(page).toHaveURL(/\/app\/uart$/);
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await expect(log(page)).toContainText(greeting);
  await page.getByRole('button', { name: 'Reset board' }).click();
  await expect(log(page)).toContainText(greeting);
  const text = (await exported(page, 'Text log')).bytes.toString();
  const parts = [
    'demo> help',
    'Port 1 goes to the Espressif flasher',
    'Port 1 disconnected',
    'ESP32 is in its bootloader',
    'The flasher writes to the board of port 1',
    'written and verified',
    'Port 1 connected (115200 8N1)',
    greeting,
  ];
  let from = 0;
  for (const part of parts) {
    const place = text.indexOf(part, from);
    expect(place, `${part} in ${text}`).toBeGreaterThanOrEqual(from);
    from = place + part.length;
  }
  // The shell is gone: the board runs what was written.
  expect(text.slice(from)).not.toContain('demo>');
  expect(await isSameDocument()).toBe(true);
});

test('a port that is only looked at in the flasher comes back with its program and its settings', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('switch', { name: 'RTS' }).click();
  await sendToFlasher(page);
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/uart$/);
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'RTS' })).toBeChecked();
  await expect(log(page)).toContainText(prompt);
  // Forward leads to the flasher without the port, which can be taken from there.
  await page.goForward();
  await page.getByRole('button', { name: 'Flash port 1 of the terminal' }).click();
  await expect(board(page)).toContainText('Ready');
});

test('a write goes on while the person is in the terminal, which says so, and gives the port back', async ({
  page,
}) => {
  await startDemo(page);
  const isSameDocument = await markDocument(page);
  await sendToFlasher(page);
  await addFile(page, 'storage.bin', noise(1_024 * 1_024), '0x200000');
  await writeButton(page).click();
  await expect(page.getByRole('progressbar', { name: 'Written and verified' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Terminal' }).click();
  await expect(page.getByText(/Port 1 is in the flasher: (writing|restarting)/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Port 1' })).toContainText('In the flasher');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.evaluate(() => location.assign('/'));
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible({ timeout: writeTimeout });
  await expect(log(page)).toContainText('Project name:');
  expect(await isSameDocument()).toBe(true);
  await page.getByRole('link', { name: 'Flasher' }).first().click();
  await expect(result(page)).toContainText('Written and verified');
});

test('a flasher that was opened directly leads into the app and back with its board, also after a reload', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  const isSameDocument = await markDocument(page);
  await connectDemo(page);
  await page.getByRole('link', { name: 'Terminal', exact: true }).click();
  await expect(page).toHaveURL(/\/app\/uart$/);
  await expect(page).toHaveTitle('Serial terminal: Wirebench');
  await expect(page.locator('#main')).toBeFocused();
  await expect(page.getByText('Port 1 is in the flasher: ready to be written.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the flasher, which has port 1' }).first().click();
  await expect(board(page)).toContainText('Ready');
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/uart$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/esp_flasher\.html$/);
  await expect(board(page)).toContainText('Ready');
  expect(await isSameDocument()).toBe(true);

  await page.goForward();
  await page.goForward();
  await expect(board(page)).toContainText('Ready');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveTitle('Serial terminal: Wirebench');
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
});

test('the flashers of the other families are one link away, and wait for one that is at work', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  const isSameDocument = await markDocument(page);
  await connectDemo(page);
  await addFile(page, 'storage.bin', noise(1_024 * 1_024), '0x200000');
  await writeButton(page).click();
  await expect(page.getByRole('progressbar', { name: 'Written and verified' })).toBeVisible();
  const families = page.getByRole('navigation', { name: 'Device family' });
  await choose(page.getByRole('button', { name: 'Family: Espressif' }), /^STM32/);
  await expect(page).toHaveTitle('STM32 flasher: Wirebench');
  await expect(page.getByRole('heading', { name: 'The Espressif flasher is at work' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect a board', exact: true })).toBeVisible({
    timeout: writeTimeout,
  });
  await families.getByRole('link', { name: 'Nordic' }).click();
  await expect(page).toHaveTitle('Nordic flasher: Wirebench');
  await expect(page.getByRole('button', { name: 'Connect a board', exact: true })).toBeVisible();
  await families.getByRole('link', { name: 'Espressif' }).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await isSameDocument()).toBe(true);
});

for (const [path, title] of [
  [staticPages.espFlasher, 'Espressif flasher: Wirebench'],
  [staticPages.stmFlasher, 'STM32 flasher: Wirebench'],
  [staticPages.nrfFlasher, 'Nordic flasher: Wirebench'],
  [staticPages.avrFlasher, 'Arduino flasher: Wirebench'],
  [staticPages.rpFlasher, 'Raspberry Pi flasher: Wirebench'],
] as const) {
  test(`${path} opens directly and from the app, and loads the app only when it is entered`, async ({ page }) => {
    const network = new NetworkWatch(page);
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('button', { name: 'Connect a board', exact: true })).toBeVisible();
    await network.idle();
    const scripts = network.requests.map((request) => new URL(request.url()).pathname);
    expect(scripts.filter((script) => /\/(?:app|router)-[\w-]+\.js$/.test(script))).toEqual([]);
    await page.getByRole('link', { name: 'Releases', exact: true }).click();
    await expect(page).toHaveTitle('Firmware releases: Wirebench');
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')));
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('button', { name: 'Connect a board', exact: true })).toBeVisible();
  });
}
