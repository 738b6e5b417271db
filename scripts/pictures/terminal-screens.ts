/** States of the terminal. Each is reached by clicks, at any window width. */
import type { Locator, Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';
import { signIn } from './sign-in.ts';

const log = (page: Page): Locator => page.getByRole('log').first();

async function startDemo(page: Page): Promise<void> {
  await page.goto(pagePaths.uart);
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  await log(page).getByText('demo>').first().waitFor();
}

async function say(page: Page, command: string): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill(command);
  await message.press('Enter');
}

/** Shows one board that has answered. */
export async function atWork(page: Page): Promise<void> {
  await startDemo(page);
  await say(page, 'help');
  await log(page).getByText('restart').first().waitFor();
}

/** Shows two boards on one timeline. */
export async function twoBoards(page: Page): Promise<void> {
  await startDemo(page);
  await say(page, 'sensors on');
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Other ways to connect port 2' }).first().click();
  await page.getByRole('menuitem', { name: 'Demo board' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('info');
  await page.getByRole('button', { name: 'Port 2 Send' }).click();
  await log(page).getByText('Wirebench demo board').first().waitFor();
  // The first board reports every two seconds, so the log then has lines of both.
  await log(page).getByText('humidity:').last().waitFor();
}

export async function inHex(page: Page): Promise<void> {
  await atWork(page);
  await log(page).focus();
  await page.keyboard.press('Shift+H');
  await log(page).getByText('64 65 6D 6F').first().waitFor();
}

export async function finding(page: Page): Promise<void> {
  await twoBoards(page);
  await log(page).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('level:warning,error');
  await log(page).getByText('sdcard').first().waitFor();
}

async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name }).press('Enter');
  // The menu returns the focus when it closes; an earlier key press would go to the wrong element.
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await page.getByRole('region', { name, exact: true }).waitFor();
}

export async function plotting(page: Page): Promise<void> {
  await startDemo(page);
  await openTool(page, 'Plot');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  // One reading each 80 ms: 140 lines fill most of the visible time range.
  await say(page, 'adc 3 120 80');
  await page.getByRole('list', { name: 'Curves' }).getByText('adc3').waitFor();
  await page.getByText(/^1[4-9]\d lines$/).waitFor({ state: 'attached' });
}

export async function crashed(page: Page): Promise<void> {
  await startDemo(page);
  await say(page, 'crash');
  await page.getByRole('button', { name: 'View the crash' }).press('Enter');
  await page.getByRole('article', { name: 'Crash' }).waitFor();
}

/** Opens a core dump of the log, with the functions of its ELF file. */
export async function dumped(page: Page): Promise<void> {
  await startDemo(page);
  await say(page, 'crash null');
  await page.getByRole('button', { name: 'View the crash' }).press('Enter');
  await page.getByRole('article', { name: 'Core dump' }).waitFor();
  await page.getByRole('button', { name: 'More about this crash' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Show the dump' }).press('Enter');
  await log(page)
    .getByText(/^Core dump ·/)
    .waitFor();
  await page.getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
  await page.getByRole('region', { name: 'Parameters and locals of read_sensor' }).waitFor();
  await page.getByRole('article', { name: 'Core dump' }).evaluate((dump) => dump.scrollIntoView({ block: 'start' }));
}

/** Shows the statistics of received and sent bytes. */
export async function counted(page: Page): Promise<void> {
  await twoBoards(page);
  await openTool(page, 'Statistics');
}

export async function searchingBaud(page: Page): Promise<void> {
  await startDemo(page);
  await showSettings(page);
  await page.getByRole('button', { name: 'Find the rate…' }).click();
  await page.getByRole('region', { name: 'Baud finder' }).waitFor();
}

/** Shows a port that was unplugged while the log was paused. */
export async function unplugged(page: Page): Promise<void> {
  await atWork(page);
  await page.getByRole('button', { name: 'Follow' }).click();
  await showSettings(page);
  await page.getByRole('button', { name: 'Unplug' }).click();
  await page.getByText('The board on Port 1 is gone.').waitFor();
}

/** Shows the port's settings if they are hidden. */
export async function showSettings(page: Page): Promise<void> {
  const baud = page.getByRole('combobox', { name: 'Baud' });
  if (!(await baud.isVisible())) {
    await page.getByRole('button', { name: 'Settings of port 1' }).click();
  }
  await baud.waitFor();
}

/** Opens the pane of the device panels with a first panel if it is hidden. */
export async function showPanels(page: Page): Promise<Locator> {
  const pane = page.getByRole('region', { name: 'Panels' });
  if (!(await pane.isVisible())) {
    const button = page.getByRole('button', { name: 'Panels' });
    const more = page.getByRole('button', { name: 'More', exact: true });
    await button.or(more).first().waitFor();
    if (!(await button.isVisible())) {
      await more.click();
    }
    await button.click();
    const first = page.getByRole('button', { name: 'New panel' });
    await first.or(pane).waitFor();
    if (await first.isVisible()) {
      await first.click();
    }
    await pane.waitFor();
  }
  return pane.getByRole('region', { name: 'Panel 1' });
}

export async function withPanel(page: Page): Promise<void> {
  await startDemo(page);
  const panel = await showPanels(page);
  for (const command of ['info', 'i2cscan', 'adc 0 20 100', 'sensors on', 'stop']) {
    await panel.getByRole('textbox', { name: 'Add a command' }).fill(command);
    await panel.getByRole('textbox', { name: 'Add a command' }).press('Enter');
  }
  await panel.getByRole('button', { name: 'Target of Panel 1' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Port 1' }).click();
  await panel.getByRole('button', { name: 'Send info', exact: true }).click();
}

/** Shows a shipped JKit in the library. */
export async function inLibrary(page: Page): Promise<void> {
  await page.goto('/');
  await signIn(page, 'maker');
  await startDemo(page);
  await showPanels(page);
  await page.getByRole('button', { name: 'JKit library for Panel 1' }).click();
  const library = page.getByRole('dialog', { name: 'JKit library' });
  await library.getByRole('tab', { name: /^Explore/ }).click();
  await page.getByRole('searchbox', { name: 'Search shared JKits' }).fill('demo');
  await library
    .getByRole('button', { name: /^Demo board/ })
    .first()
    .click();
  await library.getByRole('button', { name: 'Load', exact: true }).waitFor();
}

/** Shows the terminal in a browser without serial ports. */
export async function unsupported(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serial'));
  await page.goto(pagePaths.uart);
  await page.getByText('Web Serial API not supported in this browser.').first().waitFor();
}
