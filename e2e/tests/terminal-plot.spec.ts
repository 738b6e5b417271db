/** The live plot with a demo device: its drawing, its visible range, and its exported files. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { menuGone } from './menu-steps.ts';
import { openScripted } from './scripted-port.ts';
import { clearLog, held, openTerminal, openTool, saved, startDemo, tryDemo, type } from './terminal-steps.ts';

const curve = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const canvas = (page: Page) => page.getByRole('img', { name: 'Curves of the numbers in the log' }).locator('canvas');
const plotted = (page: Page) => page.getByRole('list', { name: 'Curves' });

/** Waits until the plot is live, so that the next selection is made in the live picture. */
async function waitForLive(page: Page) {
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(plotted(page)).toContainText(/adc2[\d.]+/);
  const values = await plotted(page).innerText();
  await expect(plotted(page)).not.toHaveText(values);
}

/** Returns the picture of the curves; it differs after each redraw. */
const drawn = (page: Page) => canvas(page).evaluate((element: HTMLCanvasElement) => element.toDataURL());

test('numbers become curves as they come, which are paused, moved and zoomed from the keyboard and with the pointer, and left out', async ({
  page,
}) => {
  await startDemo(page);
  await openTool(page, 'Plot');
  await type(page, 'adc 2 100000 10');

  await test.step('numbers become curves as they come, with their newest values', async () => {
    await expect(plotted(page)).toContainText(/adc2[\d.]+/);
    const before = await drawn(page);
    await expect.poll(() => drawn(page)).not.toBe(before);
  });

  await test.step('the plot is paused, moved and zoomed from the keyboard, and goes live again', async () => {
    await expect(curve(page, 'adc2')).toBeVisible();
    await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
    // New lines are stored, but not drawn.
    const moreComes = async () => expect(held(page)).not.toHaveText(await held(page).innerText());
    const stays = async () => {
      const before = await drawn(page);
      await moreComes();
      return (await drawn(page)) === before;
    };
    // The last drawing before the pause may still be pending. A live plot never shows the same picture twice.
    await expect.poll(stays).toBe(true);
    const paused = await drawn(page);
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await expect.poll(() => drawn(page)).not.toBe(paused);
    const zoomed = await drawn(page);
    await page.getByRole('button', { name: 'Earlier' }).press('Enter');
    await expect.poll(() => drawn(page)).not.toBe(zoomed);
    await page.getByRole('button', { name: 'Go live' }).press('Enter');
    await waitForLive(page);
  });

  await test.step('a stretch is chosen with the pointer, and a double click goes live again', async () => {
    const { x, y, width, height } = await boxOf(canvas(page));
    await page.mouse.move(x + width * 0.5, y + height * 0.5);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.8, y + height * 0.5, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
    await page.mouse.dblclick(x + width * 0.5, y + height * 0.5);
    await waitForLive(page);
    await page.mouse.wheel(0, -200);
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
  });

  await test.step('a curve is left out and taken in again', async () => {
    await page.getByRole('button', { name: 'Go live' }).press('Enter');
    await waitForLive(page);
    await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    const before = await drawn(page);
    await curve(page, 'adc2').press('Enter');
    await page.getByRole('menuitem', { name: 'Hide' }).press('Enter');
    await menuGone(page);
    await expect(curve(page, 'adc2')).toHaveCount(0);
    await expect.poll(() => drawn(page)).not.toBe(before);
    await page.getByRole('button', { name: /^Curves/ }).press('Enter');
    const choice = page.getByRole('checkbox', { name: 'adc2' });
    await expect(choice).not.toBeChecked();
    await choice.press('Space');
    await expect(choice).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(curve(page, 'adc2')).toBeVisible();
  });
});

/** Waits for the element's box. On a busy machine the canvas appears after the list of curves. */
async function boxOf(locator: Locator) {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  await expect
    .poll(async () => {
      box = await locator.boundingBox();
      return box;
    })
    .not.toBeNull();
  return box ?? { x: 0, y: 0, width: 0, height: 0 };
}

test('cursors and the log are one: a press in either places them, arrows move them, and Escape removes them', async ({
  page,
}) => {
  // A new visitor has no columns beside the log, so that the plot does not cover it.
  await page.goto('/app/uart');
  await tryDemo(page);
  await clearLog(page);
  await openTool(page, 'Plot');
  // On a busy machine the first lines are older than the newest 30 s at the end.
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  // Ranges that differ by a factor of more than 20 get lanes by themselves.
  const line = (index: number) => `big:${index * 1_000} small:${index}`;
  // The demo board echoes its input. Names behind other text become curves with their eighth line.
  for (let index = 1; index <= 9; index++) {
    await type(page, line(index));
    await expect(page.getByRole('log')).toContainText(`unknown command: big:${index * 1_000}`);
  }
  const heads = plotted(page).getByRole('listitem');
  await expect(heads).toHaveCount(2);
  const table = page.getByRole('region', { name: 'Values at the cursors' });
  const row = (name: string) => table.getByRole('row', { name });
  const flagged = (flag: string) => page.getByRole('log').locator(`[data-flag="${flag}"]`);

  await test.step('a press on a line places A, with Shift B', async () => {
    const lineOf = (index: number) =>
      page
        .getByRole('log')
        .locator('[data-port="1"]', { hasText: line(index) })
        .last();
    await lineOf(2).click();
    await expect(flagged('A')).toContainText(line(2));
    await lineOf(5).click({ modifiers: ['Shift'] });
    await expect(flagged('B')).toContainText(line(5));
    await expect(row('big')).toContainText(/2\D?000\s*5\D?000\s*\+3\D?000/);
    await expect(row('small')).toContainText(/2\s*5\s*\+3/);
  });

  await test.step('arrows move the last one from line to line, and Escape removes B, then A', async () => {
    const area = page.getByRole('group', { name: /^Plot: arrow keys/ });
    await area.focus();
    // The answer of the demo board has a number, too.
    await page.keyboard.press('ArrowLeft');
    await expect(flagged('B')).toContainText('unknown command: big:4000');
    await page.keyboard.press('Escape');
    await expect(flagged('B')).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await expect(flagged('A')).toContainText('unknown command: big:2000');
    await page.keyboard.press('Escape');
    await expect(table).toHaveCount(0);
    await expect(flagged('A')).toHaveCount(0);
    await page.keyboard.press('ArrowLeft');
    await expect(flagged('A')).toContainText('big:9000');
  });

  await test.step('a press in the curves places A at the nearest line', async () => {
    const { x, y, width, height } = await boxOf(canvas(page));
    await page.mouse.click(x + 2, y + height * 0.25);
    await expect(row('small')).toContainText(/small\s*[12]$/);
    // The plot stays at all points.
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    await page.mouse.click(x + width - 3, y + height * 0.75);
    await expect(row('small')).toContainText(/small\s*9$/);
  });

  await test.step('lanes are joined and parted by dragging a name, and from its menu', async () => {
    const small = curve(page, 'small');
    await small.dragTo(curve(page, 'big'));
    await expect(heads).toHaveCount(1);
    await page.getByRole('button', { name: /^Curves/ }).click();
    await expect(page.getByRole('radio', { name: 'One axis' })).toBeChecked();
    await page.keyboard.press('Escape');
    await small.press('Enter');
    await page.getByRole('menuitem', { name: 'Lane of its own' }).press('Enter');
    await menuGone(page);
    await expect(heads).toHaveCount(2);
    await small.dragTo(curve(page, 'big'));
    await expect(heads).toHaveCount(1);
    // Between two lanes, a curve gets one of its own.
    const [from, list] = [await boxOf(small), await boxOf(plotted(page))];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(list.x + 20, list.y + list.height - 40, { steps: 4 });
    await expect(page.locator('[data-target]')).toHaveCount(1);
    await page.mouse.move(list.x + 20, list.y + list.height - 3, { steps: 4 });
    await expect(page.locator('[data-target]')).toHaveCount(0);
    await page.mouse.up();
    await expect(heads).toHaveCount(2);
    await expect(page.getByRole('menu')).toHaveCount(0);
  });
});

test('texts are bands with their names, from one state to the next', async ({ page }) => {
  await page.goto('/app/uart');
  const board = await openScripted(page, 1);
  await openTool(page, 'Plot');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  const states = ['idle', 'idle', 'run', 'run', 'fault', 'fault'];
  await board.say(...states.map((state, index) => `>mode:${1_000 * (index + 1)}:${state}|t\n`));
  const head = plotted(page)
    .getByRole('listitem')
    .filter({ has: curve(page, 'mode') });
  await expect(head).toContainText('fault');

  await test.step('the band of a state has one colour, and the next one another', async () => {
    await expect(async () => {
      const [idle, idleAgain, run, runAgain, fault] = await bandShades(page, states.length);
      expect(idleAgain).toBe(idle);
      expect(run).not.toBe(idle);
      expect(runAgain).toBe(run);
      expect(fault).not.toBe(run);
    }).toPass();
  });

  await test.step('the name of the state under the pointer stands in the head', async () => {
    const { x, y, width, height } = await boxOf(canvas(page));
    await page.mouse.move(x + width * 0.1, y + height / 2);
    await expect(head).toContainText('idle');
    await page.mouse.move(x + width * 0.6, y + height / 2);
    await expect(head).toContainText('run');
  });

  await test.step('its name joins no lane of numbers', async () => {
    await curve(page, 'mode').press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Join with the lane above' })).toBeDisabled();
    await page.keyboard.press('Escape');
  });
});

test('each number of a name is a curve, and the plot says which value it leaves out', async ({ page }) => {
  await page.goto('/app/uart');
  const board = await openScripted(page, 1);
  await openTool(page, 'Plot');
  await board.say(...[12, 13, 14].map((first) => `acc: ${first}, 29, 100157\r\n\0`));
  for (const name of ['acc 1', 'acc 2', 'acc 3']) {
    await expect(curve(page, name)).toBeVisible();
  }
  await expect(page.getByText('that are not drawn')).toHaveCount(0);
  await board.say('21,true\r\n\0', '22,false\r\n\0');
  await expect(curve(page, 'Column 1')).toBeVisible();
  await expect(page.getByText('Lines have values that are not drawn, such as "false".')).toBeVisible();
});

/** Returns the colour of the bands in the middle of each step from point to point, near its lower edge, where no name stands. */
async function bandShades(page: Page, points: number): Promise<string[]> {
  return canvas(page).evaluate((element: HTMLCanvasElement, count) => {
    const context = element.getContext('2d');
    const y = Math.round(element.height / 2 + 14 * window.devicePixelRatio);
    return Array.from({ length: count - 1 }, (_, index) => {
      const x = Math.round((element.width * (index + 0.5)) / (count - 1));
      // A line of the time axis may be at one of two places that are next to each other.
      const colours = [x - 4, x, x + 4].map((at) => context?.getImageData(at, y, 1, 1).data.join() ?? '');
      return colours.find((colour, place) => colours.indexOf(colour) !== place) ?? '';
    });
  }, points);
}

test('spectra name their peaks and where the rate came from, by times of the board, by a rate that is set, or by a sentence', async ({
  page,
}) => {
  await page.goto('/app/uart');
  const board = await openScripted(page, 1);
  await openTool(page, 'Plot');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  // 120 Hz and 240 Hz at 1,000 points a second, by times of the board, and the same values without times.
  const points = Array.from({ length: 500 }, (_, index) => {
    const turns = (2 * Math.PI * 120 * index) / 1_000;
    return (178 * Math.sin(turns) + 9 * Math.sin(2 * turns)).toFixed(3);
  });
  await board.say(points.map((value, index) => `>vib:${1_000 + index}:${value}§mm/s²\n`).join(''));
  await board.say(points.map((value) => `raw:${value}\n`).join(''));
  await expect(curve(page, 'raw')).toBeVisible();
  await page.getByRole('button', { name: /^Curves/ }).press('Enter');
  await page.getByRole('radio', { name: 'Spectrum' }).check();
  await page.keyboard.press('Escape');
  const facts = (name: string) => page.getByRole('region', { name: `Spectrum of ${name}` });
  const pointer = page.getByRole('group', { name: 'Spectrum: arrow keys move the pointer' });

  await test.step('peaks, window, points, bin and the source of the rate are named', async () => {
    await expect(facts('vib').getByRole('row', { name: '1st peak' })).toContainText(/1st peak\s*120\s*45\.0\s*178/);
    await expect(facts('vib').getByRole('row', { name: '2nd peak' })).toContainText(/2nd peak\s*240\s*19\.1\s*9/);
    await expect(facts('vib')).toContainText('Hann window, 500 points, 2 Hz a bin, 0 dB = 1 mm/s².');
    await expect(facts('vib')).toContainText(
      /Rate about 1\D?000 Hz, estimated from the times of the board, no jitter. No gaps./,
    );
  });

  await test.step('points that came together have a sentence, until the rate is set', async () => {
    await expect(page.getByRole('list', { name: 'Curves without a spectrum' })).toContainText(
      /Set the rate|set the rate/,
    );
    await facts('raw').getByRole('button', { name: 'Set the rate of raw' }).press('Enter');
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await expect(facts('raw')).toContainText(/Rate 1\D?000 Hz, as you set it./);
    await expect(facts('raw').getByRole('row', { name: '1st peak' })).toContainText('120');
  });

  await test.step('arrow keys move the pointer, which names frequency and value of each curve', async () => {
    await pointer.focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('status').filter({ hasText: 'vib: 120 Hz, 45.0 dB.' })).toHaveCount(1);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('list', { name: 'Spectra' }).getByRole('listitem').first()).toContainText('122 Hz');
    await page.getByRole('radio', { name: 'Amplitude' }).check();
    await expect(page.getByRole('list', { name: 'Spectra' }).getByRole('listitem').first()).toContainText('mm/s²');
  });

  expect(await findings(page)).toEqual([]);
});

test('the plot is saved as a picture, and all its points as CSV', async ({ page }) => {
  await startDemo(page);
  await clearLog(page);
  await openTool(page, 'Plot');
  await type(page, 'adc 2 250 5');
  await expect(page.getByRole('log')).toContainText(/adc2:\d+[\s\S]{0,40}demo>\s*$/);
  await expect(curve(page, 'adc2')).toBeVisible();
  const save = async (what: string) => {
    await page.getByRole('button', { name: 'Save the plot' }).press('Enter');
    const file = await saved(page, page.getByRole('menuitem', { name: what }));
    await menuGone(page);
    return file;
  };
  const rows = async () => (await save('Save as CSV, all points')).bytes.toString().trim().split('\r\n');
  await expect.poll(async () => (await rows()).length).toBe(251);
  expect((await rows())[0]).toBe('time,epoch_ms,adc2');
  const picture = await save('Save as PNG picture');
  expect(picture.name).toMatch(/^wirebench-plot-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.png$/);
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
});

test('ten thousand points of a curve are held, all of them', { tag: '@long' }, async ({ page }) => {
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
  await tryDemo(page);
  await openTool(page, 'Plot');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  // The demo device echoes its input, so it prints all these numbers.
  const numbers = Array.from({ length: 10_000 }, (_, index) => `v:${index}\n`).join('');
  const file = { name: 'numbers.txt', mimeType: 'text/plain', buffer: Buffer.from(numbers) };
  await page.getByLabel('File to send to port 1').setInputFiles(file);
  await page.getByRole('button', { name: 'Send file' }).click();
  await expect(plotted(page)).toContainText(/v9\s?999/, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Save the plot' }).click();
  const { bytes } = await saved(page, page.getByRole('menuitem', { name: 'Save as CSV, all points' }));
  expect(bytes.toString().trim().split('\r\n').length).toBeGreaterThan(10_000);
});
