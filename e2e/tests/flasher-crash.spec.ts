/** A crashed board with a core dump in its flash: the flasher reads and shows it, and erases it on request. */

import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { crashText } from '@wirebench/devices';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test, withMotion } from '../support/test.ts';
import { connectOther } from './flasher-steps.ts';
import { openScripted } from './scripted-port.ts';

test.use(withMotion);

const contents = (page: Page) => page.getByRole('region', { name: 'On the board' });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const dump = (page: Page) => page.getByRole('article', { name: 'Core dump' });

test('the crash of a board is read from its coredump partition, and erased only with the next write; one in the monitor’s log is opened from its row', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await connectOther(page, 'Demo ESP32 that crashed');
  await contents(page)
    .getByRole('button', { name: /^coredump/ })
    .press('Enter');
  await contents(page).getByRole('button', { name: 'Read the crash' }).press('Enter');
  await expect(dump(page).getByRole('heading', { level: 2 })).toContainText('LoadProhibited at address 0x00000004');
  await dump(page).getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
  await expect(dump(page)).toContainText('wirebench-demo-esp32.elf is the build that crashed');
  const frames = dump(page).getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem');
  await expect(frames).toHaveCount(4);
  await expect(frames.first()).toContainText('read_sensor');
  await expect(
    dump(page)
      .getByRole('list', { name: /^Tasks/ })
      .getByRole('button'),
  ).toHaveCount(3);
  // Scrolls back up, because the answer was scrolled into view. A control that the window's edge cuts off is too
  // small for axe.
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);

  await contents(page).getByRole('button', { name: 'More about coredump' }).click();
  await page.getByRole('menuitem', { name: 'Erase coredump' }).click();
  await page.getByRole('button', { name: 'Undo coredump' }).click();
  await contents(page).getByRole('button', { name: 'Read the crash' }).click();
  await expect(dump(page).getByRole('heading', { level: 2 })).toContainText('LoadProhibited');

  await contents(page).getByRole('button', { name: 'More about coredump' }).click();
  await page.getByRole('menuitem', { name: 'Erase coredump' }).click();
  await page.getByRole('button', { name: 'Erase coredump', exact: true }).click();
  await expect(result(page)).toContainText('Erased and checked');
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await contents(page)
    .getByRole('button', { name: /^coredump.*Empty/ })
    .click();
  await contents(page).getByRole('button', { name: 'Read the crash' }).click();
  await expect(dump(page)).toContainText('The coredump partition is empty');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.setViewportSize({ width: 1_440, height: 900 });

  const port = await openScripted(page, 1);
  await port.say(crashText('null', 4_200));
  const monitor = page.getByRole('log', { name: 'Monitor' });
  await expect(monitor.getByText(/^Core dump · /)).toBeVisible();
  await monitor.getByRole('button', { name: 'Open the core dump' }).press('Enter');
  const card = page.getByRole('region', { name: 'Crash in the monitor’s log' });
  await expect(card.getByRole('article', { name: 'Core dump' }).getByRole('heading', { level: 2 })).toContainText(
    'LoadProhibited at address 0x00000004',
  );
  await expect(card).toBeInViewport();
  // A control that the window's edge cuts off is too small for axe.
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);
});

test('a log that nothing shows a core dump of does not offer to open one', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await page.getByRole('button', { name: /^Try the Demo/ }).click();
  const port = await openScripted(page, 1);
  await port.say(crashText('null', 4_200));
  const monitor = page.getByRole('log', { name: 'Monitor' });
  await expect(monitor.getByText(/^Core dump · /)).toBeVisible();
  await expect(monitor.getByRole('button', { name: 'Show lines of the core dump' })).toBeVisible();
  await expect(monitor.getByRole('button', { name: 'Open the core dump' })).toHaveCount(0);
});
