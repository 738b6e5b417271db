/** User actions on device panels, for tests of the whole terminal page. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import { choose } from './terminal-steps.ts';

export const pane = () => within(screen.getByRole('region', { name: 'Panels' }));
export const panel = (name = 'Panel 1') => within(pane().getByRole('region', { name }));
export const send = (content: string, name?: string) => panel(name).getByRole('button', { name: `Send ${content}` });
const target = (name = 'Panel 1') => panel(name).getByRole('button', { name: new RegExp(`^Target of ${name}`) });

/** Chooses the line ending of a panel. */
export const endWith = (ending: 'LF' | 'CRLF' | 'CR' | 'nothing', name = 'Panel 1') =>
  choose(panel(name).getByRole('button', { name: `Options of ${name}` }), `End lines with ${ending}`);

/** Returns the row of a message, even while the message is being sent. */
export function row(content: string, panelName?: string): HTMLElement {
  const name = (text: string) => text === `Send ${content}` || text === `Stop ${content}`;
  const [found] = panel(panelName)
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByRole('button', { name }) !== null);
  if (found === undefined) {
    throw new Error(`The panel has no message ${content}.`);
  }
  return found;
}

/** Waits until the row of a message contains `text`. */
export const rowSays = (content: string, text: string | RegExp) =>
  waitFor(() => expect(row(content).textContent).toMatch(text));

/** Waits until the panel has an element with the text `text`. */
export const panelSays = (text: string | RegExp, name?: string) => waitFor(() => panel(name).getByText(text));

/**
 * Adds a message and waits for its row.
 *
 * @param shown Text of the row, if it differs from `content`.
 */
export async function pin(content: string, name?: string, shown = content): Promise<void> {
  // The code of panels is fetched with the first one.
  await waitFor(() => panel(name));
  const field = panel(name).getByRole('textbox', { name: 'Add a command' });
  fireEvent.change(field, { target: { value: content } });
  field.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => send(shown, name));
}

export const aim = (port: string | RegExp, name?: string) => choose(target(name), port);

export const option = (content: string, item: string | RegExp, name?: string) =>
  choose(panel(name).getByRole('button', { name: `Options of ${content}` }), item);

/** Sends a message after its port is ready. */
export async function press(content: string, name?: string): Promise<void> {
  await waitFor(() => expect(send(content, name).getAttribute('aria-disabled')).not.toBe('true'));
  await userEvent.click(send(content, name));
}

/** Edits fields of a message and saves it. */
export async function edit(content: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await option(content, 'Edit');
  const form = within(await screen.findByRole('form', { name: 'Edit the command' }));
  await waitFor(() => expect(document.activeElement).toBe(form.getByRole('textbox', { name: 'Command' })));
  for (const [field, value] of Object.entries(fields)) {
    fireEvent.change(form.getByRole('textbox', { name: new RegExp(`^${field}`) }), { target: { value } });
  }
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit the command' })).toBeNull());
}
