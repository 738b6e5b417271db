/**
 * The terminal with demo devices in a browser: a first look, scrolling and selecting, floods, recordings, and
 * leaving.
 */
import type { Dialog } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import {
  chooseView,
  clearLog,
  connectDemo,
  exported,
  held,
  loadOutput,
  log,
  message,
  newLines,
  numberIn,
  openTerminal,
  prompt,
  saved,
  scrollUp,
  selectTab,
  sha256,
  startDemo,
  startRecording,
  tryDemo,
  type,
} from './terminal-steps.ts';

test('a demo device boots, is labelled as one, and answers; its console is compact on request; its port stays open inside the app', async ({
  page,
}) => {
  await startDemo(page);

  await test.step('a demo board boots, is labelled as one, and answers', async () => {
    await expect(page.getByRole('tab', { name: 'Port 1 115200 8N1 · Demo' })).toBeVisible();
    await expect(log(page)).toContainText('a simulation: no hardware is connected');
    await type(page, 'help');
    await expect(log(page)).toContainText('which addresses answer on the I2C bus');
    await expect(log(page).locator('[data-direction=sent]')).toContainText('help');
    await expect(log(page)).toContainText(prompt);
    await log(page).press('Home');
    await expect(log(page).locator('[data-level=success]')).toContainText('Port 1 connected');
    await log(page).press('End');
  });

  await test.step('ports stay open while one moves about inside the app, which asks nothing', async () => {
    const asked: string[] = [];
    const note = (dialog: Dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    };
    page.on('dialog', note);
    await page
      .getByRole('link', { name: /Wirebench/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/$/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Terminal' }).click();
    await expect(log(page)).toContainText(prompt);
    await type(page, 'info');
    await expect(log(page)).toContainText('board      Wirebench demo board');
    expect(asked).toEqual([]);
    page.off('dialog', note);
  });

  await test.step('leaving with an open port asks first', async () => {
    const asked = page.waitForEvent('dialog');
    const leaving = page.reload().catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await leaving;
  });

  await test.step('compact rows and a smaller buffer are chosen in the options, and remembered', async () => {
    await tryDemo(page);
    const height = () =>
      log(page)
        .locator('[data-direction]')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height);
    const options = page.getByRole('button', { name: 'View', exact: true });
    await expect.poll(height).toBe(25);
    await chooseView(page, 'Compact');
    await expect.poll(height).toBe(20);
    await options.click();
    await page.getByRole('combobox', { name: 'Memory' }).selectOption('Keep 16 MB per port');
    await openTerminal(page);
    await options.click();
    await expect(page.getByRole('radio', { name: 'Compact' })).toBeChecked();
    await expect(page.getByRole('combobox', { name: 'Memory' })).toHaveValue('16');
  });
});

test('while lines run by they are scrolled, selected and pressed: what is read stays, and one goes on from there', async ({
  page,
}) => {
  await startDemo(page);
  await type(page, 'load 4000');
  await expect.poll(() => numberIn(held(page))).toBeGreaterThan(100);

  await test.step('scrolling up pauses, the lines that are read stay, and End goes on', async () => {
    await scrollUp(page, log(page), 400);
    const rows = () => log(page).locator('time').allTextContents();
    const read = await rows();
    await expect.poll(() => numberIn(newLines(page))).toBeGreaterThan(100);
    // The next row beyond the lower edge may be painted.
    expect((await rows()).slice(0, read.length)).toEqual(read);
    await log(page).press('End');
    await expect(page.getByText('Following')).toBeVisible();
    await expect.poll(rows).not.toEqual(read);
  });

  await test.step('lines stay still while a button is pressed on them, and run on when nothing was selected', async () => {
    const box = await log(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 140);
    await page.mouse.down();
    const rows = () => log(page).locator('time').allTextContents();
    const pressed = await rows();
    const before = await numberIn(held(page));
    await expect.poll(() => numberIn(held(page))).toBeGreaterThan(before + 100);
    expect((await rows()).slice(0, pressed.length)).toEqual(pressed);
    await page.mouse.up();
    await expect.poll(rows).not.toEqual(pressed);
    await expect(page.getByText('Following')).toBeVisible();
  });

  await test.step('a selection stops following, and stays', async () => {
    // Clicks a position in the log instead of a row, because a scrolling row never becomes stable.
    const box = await log(page).boundingBox();
    await page.mouse.dblclick((box?.x ?? 0) + 300, (box?.y ?? 0) + 140);
    await expect(page.getByText('Jump to newest')).toBeVisible();
    const selected = log(page).locator('[data-selected]');
    await expect(selected).toHaveCount(1);
    const text = await selected.textContent();
    await expect.poll(() => numberIn(newLines(page))).toBeGreaterThan(100);
    await expect(selected).toHaveText(text ?? '');
    await page.keyboard.press('Escape');
    await expect(selected).toHaveCount(0);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect(page.getByText('Following')).toBeVisible();
  });
});

test('four ports at 921,600 baud lose nothing', { tag: '@long' }, async ({ page }) => {
  test.slow();
  await openTerminal(page);
  for (const port of [1, 2, 3, 4]) {
    await selectTab(page, port);
    await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
    await connectDemo(page, port);
    await expect(log(page).locator(`[data-port="${port}"]`).last()).toContainText(prompt);
  }
  await clearLog(page);
  for (const port of [1, 2, 3, 4]) {
    await message(page).fill('load 92160 3');
    await page.getByRole('button', { name: `Port ${port} Send` }).click();
  }
  const expected = loadOutput(92_160, 3).length;
  for (const port of [1, 2, 3, 4]) {
    const sent = loadOutput(92_160, 3, port);
    await expect.poll(async () => (await exported(page, `Received bytes of Port ${port}`)).bytes.length).toBe(expected);
    const { bytes } = await exported(page, `Received bytes of Port ${port}`);
    expect(sha256(bytes)).toBe(sha256(sent));
  }
});

test('a recording at 4 MB/s holds every byte', async ({ page }) => {
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('custom');
  await page.getByRole('textbox', { name: 'Rate' }).fill('40000000');
  await tryDemo(page);
  const stop = await startRecording(page);
  await type(page, 'load 4000000 3');
  await expect(log(page)).toContainText('load: 300000 lines, 12000000 bytes');
  await expect(log(page)).toContainText(prompt);
  const { name, bytes } = await saved(page, stop);
  expect(name).toMatch(/-port-1\.bin$/);
  expect(sha256(bytes)).toBe(sha256(loadOutput(4_000_000, 3)));
});

test('a recording that a lost tab left behind is offered on the next visit', async ({ page }) => {
  await startDemo(page);
  await startRecording(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('restart');
  // The bytes are on the disk within a second, without stopping the recording.
  await expect(page.getByRole('button', { name: 'Stop recording and save the file' })).toHaveText(/[1-9]/);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle('recordings');
        let text = '';
        for await (const handle of folder.values()) {
          text += handle instanceof FileSystemFileHandle ? await (await handle.getFile()).text() : '';
        }
        return text;
      }),
    )
    .toContain('which addresses answer on the I2C bus');
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/');
  await page.goto('/app/uart');
  await expect(page.getByText('A recording has not been saved.')).toBeVisible();
  const { bytes } = await saved(page, page.getByRole('button', { name: 'Save', exact: true }));
  expect(bytes.toString()).toContain('which addresses answer on the I2C bus');
  await expect(page.getByText('A recording has not been saved.')).toHaveCount(0);
});

test('a full buffer says what left it, and offers a recording', async ({ page }) => {
  await openTerminal(page);
  await page.evaluate(() => {
    const settings = { baudRate: 40_000_000, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };
    localStorage.setItem(
      'wirebench.terminal',
      JSON.stringify({ version: 1, bufferSize: 16, ports: { 1: { settings } } }),
    );
  });
  await startDemo(page);
  await type(page, 'load 4000000 6');
  await expect(page.getByText('The buffer is full.')).toBeVisible();
  await expect(page.getByText(/The oldest [1-9].* lines were dropped\. It keeps 16 MB per port/)).toBeVisible();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Stop recording and save the file' })).toBeVisible();
});

test('the page holds the ports itself when the worker has no Web Serial', async ({ page }) => {
  await page.route('**/bench.worker-*.js', async (route) => {
    const response = await route.fetch();
    const body = `Reflect.deleteProperty(WorkerNavigator.prototype, 'serial');\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
  await startDemo(page);
  await expect.poll(() => page.workers()).toEqual([]);
  const stop = await startRecording(page);
  await clearLog(page);
  await type(page, 'load 10000 2');
  await expect(log(page)).toContainText('load: 500 lines, 20000 bytes');
  await expect(log(page)).toContainText(prompt);
  expect(sha256((await exported(page, 'Received bytes of Port 1')).bytes)).toBe(sha256(loadOutput(10_000, 2)));
  const recording = await saved(page, stop);
  expect(sha256(recording.bytes)).toBe(sha256(loadOutput(10_000, 2)));
});
