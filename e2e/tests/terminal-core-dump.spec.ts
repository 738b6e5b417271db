/** The demo board crashes: all of its core dump is shown without a real board and without an own ELF file. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readCoreDump } from '@wirebench/symbols';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { foldDock, log, startDemo, type } from './terminal-steps.ts';

/** Returns the row of the log that represents the dump. */
const strip = (page: Page) => log(page).getByText(/^Core dump · [\d\u2009]+ lines · [\d.]+ KB$/);
const findField = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });
const view = (page: Page) => page.getByRole('article', { name: 'Core dump' });
const frames = (page: Page) => view(page).getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem');
const crashes = (page: Page) => page.getByRole('list', { name: 'Crashes and restarts, newest first' });

async function crashDemo(page: Page, kind: string, dumps: number): Promise<void> {
  await type(page, `crash ${kind}`);
  if (dumps === 1) {
    await page.getByRole('button', { name: 'View the crash' }).press('Enter');
    await expect(view(page)).toContainText('from the log');
    // A single crash needs no list.
    await expect(crashes(page)).toHaveCount(0);
  } else {
    await expect(crashes(page).getByRole('button', { name: /from the log|read_sensor|open_menu/ })).toHaveCount(dumps);
  }
  await expect(log(page)).toContainText(/demo>\s*$/);
}

const more = (page: Page) => view(page).getByRole('button', { name: 'More about this crash' });
const newestDump = (page: Page) => crashes(page).getByRole('button').first();

test('a crash of the demo board: stacks with variables, saved for GDB, and the same crash again', async ({ page }) => {
  await startDemo(page);
  await crashDemo(page, 'null', 1);
  await expect(view(page).getByRole('heading', { level: 2 })).toContainText('LoadProhibited at address 0x00000004');
  await view(page).getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
  await expect(view(page)).toContainText('wirebench-demo-esp32.elf is the build that crashed');
  await expect(view(page).getByRole('heading', { level: 2 })).toContainText('in task console');
  await expect(frames(page)).toHaveCount(4);
  await expect(frames(page).first()).toContainText('read_sensor');
  const variables = view(page).getByRole('region', { name: 'Parameters and locals of read_sensor' });
  await expect(variables.getByRole('row', { name: /^sensor struct sensor \* 0x0 / })).toBeVisible();
  await frames(page).nth(1).getByRole('button').press('Enter');
  await expect(view(page).getByRole('region', { name: 'Parameters and locals of run_command' })).toContainText(
    '"crash null"',
  );

  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(frames(page)).toHaveCount(4);
    expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
    await expectToFit(page);
  }

  const saving = page.waitForEvent('download');
  await choose(more(page), 'Save ELF core');
  const saved = await readCoreDump(readFileSync(await (await saving).path()));
  expect(saved.header).toBeNull();
  expect(saved.tasks).toHaveLength(3);

  await choose(more(page), 'Show the dump');
  await expect(strip(page)).toBeVisible();

  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await crashDemo(page, 'null', 2);
  await newestDump(page).press('Enter');
  await expect(view(page)).toContainText(/The same crash again: 2 of 2 in this session, first at [\d:.]+ on Port 1\./);
  await expect(newestDump(page)).toContainText('Same crash 2 of 2');

  await view(page).getByRole('combobox', { name: 'Compare with another crash' }).selectOption({ index: 1 });
  const both = page.getByRole('article', { name: 'Two crashes' });
  await expect(both.getByRole('heading', { level: 2 })).toHaveText('Two crashes side by side: the same crash');
  const pairs = both.getByRole('list', { name: 'Frames of both, innermost first' }).getByRole('listitem');
  await expect(pairs).toHaveCount(4);
  await expect(pairs.first()).toHaveText(/^Same.*read_sensor.*read_sensor/);
  expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await both.getByRole('button', { name: 'Close the comparison' }).press('Enter');
  await expect(view(page)).toBeVisible();
});

test('a dump in the log is one row, and crashes that only the log reports are compared too', async ({ page }) => {
  await startDemo(page);
  await crashDemo(page, 'null', 1);

  await test.step('a dump in the log is one row, whose lines are shown, found and hidden again by the keyboard', async () => {
    await foldDock(page);
    await expect(strip(page)).toBeVisible();
    await expect(log(page).getByText('CORE DUMP END')).toHaveCount(0);

    const lines = log(page).getByRole('button', { name: /lines of the core dump/ });
    await lines.focus();
    await page.keyboard.press('Enter');
    await expect(lines).toHaveText('Hide lines');
    await expect(lines).toBeFocused();
    await expect(log(page).getByText('CORE DUMP START')).toBeVisible();
    await expect(strip(page)).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(strip(page)).toBeVisible();
    await expect(lines).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await expect(log(page).getByRole('button', { name: 'Open the core dump' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(view(page)).toBeVisible();

    await findField(page).fill('CORE DUMP END');
    await page.keyboard.press('Enter');
    await expect(log(page).getByText('CORE DUMP END')).toBeVisible();
  });

  await test.step('crashes that only the log reports are compared too', async () => {
    await findField(page).fill('');
    await log(page).press('End');
    await crashDemo(page, 'stack', 2);
    // Each crash is one row. A crash without a core dump has only the lines of the log.
    await type(page, 'crash');
    await crashes(page)
      .getByRole('button', { name: /The program read from an address[^(]*$/ })
      .press('Enter');
    const crash = page.getByRole('article', { name: 'Crash', exact: true });
    const choice = crash.getByRole('combobox', { name: 'Compare with another crash' });
    await expect(choice.getByRole('option')).toHaveCount(3);
    await choice.selectOption({ index: 1 });
    const both = page.getByRole('article', { name: 'Two crashes' });
    await expect(both.getByRole('region', { name: 'First crash' })).toContainText('from the log');
    await expect(both.getByRole('region', { name: 'Second crash' })).toContainText('The program read from an address');
    await expect(both.getByRole('list', { name: 'Frames of both, innermost first' })).toContainText('0x400D5B3B');
    await expect(both.getByRole('row', { name: /^excvaddr/ })).toContainText('00000000');
    for (const [width, size] of [
      [390, 844],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height: size });
      await expectToFit(page);
    }
    expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
    await both.getByRole('button', { name: 'Close the comparison' }).press('Enter');
    await expect(crash).toBeVisible();
  });
});
