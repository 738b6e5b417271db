/** A shared bench as its host and a guest see it. Each guest has its own browser. */
import type { Locator, Page } from '@playwright/test';
import * as flasher from './flasher-screens.ts';
import { signIn } from './sign-in.ts';
import * as terminal from './terminal-screens.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Share this bench' });
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Shared bench' });

/** Opens the dialog for sharing. In a narrow console its button is under More, in a flasher in the menu of the board. */
async function openDialog(page: Page): Promise<void> {
  const main = page.getByRole('main');
  const button = main.getByRole('button', { name: 'Share', exact: true });
  const menu = main.getByRole('button', { name: 'More actions' });
  if (await menu.isVisible()) {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Share board' }).click();
    return;
  }
  if (!(await button.isVisible())) {
    await page.getByRole('button', { name: 'More', exact: true }).click();
  }
  await button.click();
}

/**
 * Shares the bench and leaves the dialog open.
 *
 * @returns The link.
 */
async function share(page: Page): Promise<string> {
  await openDialog(page);
  await dialog(page).getByRole('button', { name: 'Make a link' }).click();
  await bar(page).getByText('Shared, no guest yet').waitFor();
  return (await dialog(page).locator('p[title]').getAttribute('title')) ?? '';
}

/** Opens the link for the first time in this browser. */
async function watch(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('button', { name: 'Watch the bench' }).click();
  await page.getByText('shares this bench with you.').first().waitFor();
}

/** Opens the link as a guest in another browser. That browser closes with the host's page. */
async function visit(host: Page, link: string, name: string): Promise<Page> {
  const context = await host.context().browser()?.newContext({ serviceWorkers: 'block' });
  if (context === undefined) {
    throw new Error('Guests need a browser of their own.');
  }
  // Ignores the error if the whole browser is already closed.
  host.once('close', () => void context.close().catch(() => undefined));
  const page = await context.newPage();
  await watch(page, link, name);
  await dialog(host).getByRole('rowheader', { name }).waitFor();
  return page;
}

async function give(page: Page, name: string, port: number, right: 'type' | 'use'): Promise<void> {
  await dialog(page)
    .getByRole('combobox', { name: `${name}, port ${port}` })
    .selectOption(right);
}

async function send(page: Page, command: string): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill(command);
  await message.press('Enter');
}

/** Shows two boards and three guests: one types, one uses a port, one asks for a right. */
export async function sharing(page: Page): Promise<void> {
  await terminal.twoBoards(page);
  await signIn(page, 'maker');
  const link = await share(page);
  const jonas = await visit(page, link, 'Jonas W.');
  const aylin = await visit(page, link, 'Aylin K.');
  const priya = await visit(page, link, 'Priya S.');
  await give(page, 'Jonas W.', 1, 'type');
  await give(page, 'Aylin K.', 2, 'use');
  await aylin.getByRole('tab', { name: /^Port 2/ }).click({ position: { x: 14, y: 14 } });
  await bar(aylin).getByRole('button', { name: 'Use port 2', exact: true }).click();
  await bar(page).getByText('uses port 2').waitFor();
  await jonas.getByText(/You may type on port 1/).waitFor();
  await send(jonas, 'info');
  await page.locator('[data-author="typed by Jonas W."]').first().waitFor();
  await bar(priya).getByRole('button', { name: 'Ask to type' }).click();
  await dialog(page).getByText('asks to type on port 1').waitFor();
}

/** Shows the bench to a guest with the right to type. The host is another tab. */
export async function watching(page: Page): Promise<void> {
  const host = await page.context().newPage();
  await terminal.atWork(host);
  await signIn(host, 'maker');
  const link = await share(host);
  await watch(page, link, 'Priya S.');
  await give(host, 'Priya S.', 1, 'type');
  await page.getByText('You may type on port 1.').waitFor();
  await send(page, 'sensors on');
  await page.getByRole('log').first().getByText('humidity:').first().waitFor();
}

/** Shows a flasher whose board is shared while its plan is on the screen. */
export async function sharingFlasher(page: Page): Promise<void> {
  await flasher.planned(page);
  await signIn(page, 'maker');
  const link = await share(page);
  await visit(page, link, 'Aylin K.');
  const jonas = await visit(page, link, 'Jonas W.');
  await give(page, 'Aylin K.', 1, 'use');
  await bar(jonas).getByRole('button', { name: 'Ask to type' }).click();
  await dialog(page).getByText('asks to type on port 1').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'hidden' });
  // Ends the tooltip of the menu that has the focus again.
  await page.getByRole('main').click({ position: { x: 1, y: 1 } });
}
