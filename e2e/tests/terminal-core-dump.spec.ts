/** The demo board crashes, and everything that its core dump tells is seen without a board and without a file of one's own. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readCoreDump } from '@wirebench/symbols';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { inTheme, themes } from '../support/theme.ts';
import { log, openTool, startDemo, type } from './terminal-steps.ts';

const view = (page: Page) => page.getByRole('article', { name: 'Core dump' });
const frames = (page: Page) => view(page).getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem');
const crashes = (page: Page) => page.getByRole('list', { name: 'Crashes and restarts, newest first' });

async function crashDemo(page: Page, kind: string, dumps: number): Promise<void> {
  await type(page, `crash ${kind}`);
  await expect(crashes(page).getByRole('button', { name: /from the log|read_sensor|open_menu/ })).toHaveCount(dumps, {
    timeout: 20_000,
  });
  await expect(log(page)).toContainText(/demo>\s*$/, { timeout: 20_000 });
}

const newestDump = (page: Page) => crashes(page).getByRole('button').first();

test('a crash of the demo board: stacks with variables, saved for GDB, and the same crash again', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Crashes');
  await crashDemo(page, 'null', 1);
  await newestDump(page).press('Enter');
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

  const saving = page.waitForEvent('download');
  await view(page).getByRole('button', { name: 'Save ELF core' }).press('Enter');
  const saved = await readCoreDump(readFileSync(await (await saving).path()));
  expect(saved.header).toBeNull();
  expect(saved.tasks).toHaveLength(3);

  await view(page).getByRole('button', { name: 'Show in the log' }).press('Enter');
  await expect(log(page)).toContainText('CORE DUMP START');

  await page.getByRole('button', { name: 'Follow' }).click();
  await crashDemo(page, 'null', 2);
  await newestDump(page).press('Enter');
  await expect(view(page)).toContainText(/The same crash again: 2 of 2 in this session, first at [\d:.]+ on Port 1\./);
  await expect(newestDump(page)).toContainText('Same crash 2 of 2');
});

test('a stack overflow of the demo board says in which task, and how far over', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Crashes');
  await crashDemo(page, 'stack', 1);
  await newestDump(page).press('Enter');
  await view(page).getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
  await expect(view(page).getByRole('heading', { level: 2 })).toHaveText(
    /^Stack overflow in task console: \d+ bytes over its end$/,
  );
});

for (const theme of themes) {
  test.describe(`in the ${theme} theme`, () => {
    test.use(inTheme(theme));

    test('a core dump with variables is without findings, and fits', async ({ page }) => {
      await startDemo(page);
      await openTool(page, 'Crashes');
      await crashDemo(page, 'null', 1);
      await newestDump(page).press('Enter');
      await view(page).getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
      await expect(frames(page)).toHaveCount(4);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
        await expectToFit(page);
      }
    });
  });
}
