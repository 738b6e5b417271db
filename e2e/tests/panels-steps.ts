/** A person's actions on device panels, for their tests. */
import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/test.ts';
import { choose } from './menu-steps.ts';

export const pane = (page: Page): Locator => page.getByRole('region', { name: 'Panels' });
export const panel = (page: Page, name = 'Panel 1'): Locator => pane(page).getByRole('region', { name, exact: true });
export const row = (page: Page, content: string, name?: string): Locator =>
  panel(page, name)
    .getByRole('listitem')
    .filter({
      has: page.getByRole('button', { name: new RegExp(`^(Send|Stop) ${content.replaceAll(/[^\w ]/g, '\\$&')}$`) }),
    });
export const send = (page: Page, content: string, name?: string): Locator =>
  panel(page, name).getByRole('button', { name: `Send ${content}`, exact: true });

export async function pin(page: Page, content: string, name?: string): Promise<void> {
  const field = panel(page, name).getByRole('textbox', { name: 'Add a command' });
  await field.fill(content);
  await field.press('Enter');
}

export const aim = (page: Page, port: string | RegExp, name = 'Panel 1') =>
  choose(panel(page, name).getByRole('button', { name: `Target of ${name}` }), port);

export const option = (page: Page, content: string, item: string | RegExp, name?: string) =>
  choose(panel(page, name).getByRole('button', { name: `Options of ${content}`, exact: true }), item);

/** Milliseconds for the timeout field of a message: a board answers in time, even on a busy machine. */
export const answerTimeout = '60000';

/** Opens the form of a message, until it accepts input. */
export async function openForm(page: Page, content: string): Promise<Locator> {
  await option(page, content, 'Edit');
  const form = page.getByRole('form', { name: 'Edit the command' });
  await expect(form.getByRole('textbox', { name: 'Command' })).toBeFocused();
  return form;
}

/** Fills some of the fields of a message. */
export async function edit(page: Page, content: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = await openForm(page, content);
  for (const [field, value] of Object.entries(fields)) {
    await form.getByRole('textbox', { name: field }).fill(value);
  }
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
}
