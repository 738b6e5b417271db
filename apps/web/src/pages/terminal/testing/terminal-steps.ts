/** User actions in the terminal, for tests of its whole page. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { BrowserOptions } from '../../../workbench/testing/browser-parts.ts';
import { showPage } from '../../../workbench/testing/whole-page.tsx';

/** Window in which all parts of the terminal are side by side. */
export const wide: BrowserOptions = { media: (query) => query.includes('min-width') };

export const log = () => screen.getByRole('log');

export const message = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Message' });

/** Matches a log that ends with the board's prompt: the board waits for input. */
export const prompt = /demo> $/;

export const said = (text: string | RegExp) => waitFor(() => expect(log().textContent).toMatch(text));

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Opens the terminal and keeps settings and panels open as columns. A new person sees neither. */
export async function openTerminal(address = '/app/uart'): Promise<void> {
  await showPage(address, async () => (await import('../terminal-page.tsx')).TerminalPage);
  await screen.findByRole('heading', { name: 'No port is open' });
  const { changeSettings } = await import('../../../features/terminal/settings/settings-store.ts');
  act(() => changeSettings({ settingsPinned: true, panelsShown: true }));
}

const ports = () => screen.getByRole('tablist', { name: 'Ports' });

/** Selects a port with the keyboard: a click on the tab of a free port would connect it. */
export async function selectTab(port: number): Promise<void> {
  within(ports()).getByRole('tab', { selected: true }).focus();
  await userEvent.keyboard(`{Home}${'{ArrowRight}'.repeat(port - 1)}`);
  await waitFor(() =>
    expect(within(ports()).getAllByRole('tab')[port - 1]?.getAttribute('aria-selected')).toBe('true'),
  );
}

/** Opens the terminal with a demo device on port 1, and waits for its prompt. */
export async function startDemo(address?: string): Promise<void> {
  await openTerminal(address);
  await userEvent.click(await screen.findByRole('button', { name: 'Try the demo board' }));
  await said(prompt);
}

/** Opens a demo device on `port`. Unless `port` is 1, another port must be open already. */
export async function connectDemo(port: number): Promise<void> {
  const [opener] = screen.getAllByRole('button', { name: `Other ways to connect port ${port}` });
  await choose(opener, 'Demo board');
  await screen.findByRole('button', { name: `Disconnect port ${port}` });
  await selectFirst();
}

/** Selects port 1 again: a port just opened is selected. */
async function selectFirst(): Promise<void> {
  const [first] = within(ports()).getAllByRole('tab');
  if (first?.getAttribute('aria-selected') === 'false') {
    await userEvent.click(first);
  }
}

/** Opens the menu of `opener`, chooses `item`, and waits until the menu is closed. */
export async function choose(opener: HTMLElement | undefined, item: string | RegExp): Promise<void> {
  if (opener === undefined) {
    throw new Error('There is nothing that opens this menu.');
  }
  await userEvent.click(opener);
  const menu = await screen.findByRole('menu');
  // Menu items may appear after the menu has opened.
  const found = await waitFor(() => {
    const [first] = [
      ...within(menu).queryAllByRole('menuitem', { name: item }),
      ...within(menu).queryAllByRole('menuitemcheckbox', { name: item }),
    ];
    if (first === undefined) {
      throw new Error(`The menu has no ${item}.`);
    }
    return first;
  });
  await userEvent.click(found);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
}

/** Clears the log and waits until it is empty. The board must be silent. */
export async function clearLog(): Promise<void> {
  await press('Clear');
  await waitFor(() => expect(log().querySelector('[data-direction]')).toBeNull());
}

/** Sends a text. Fills it in at once, because each key would render the whole page. */
export async function type(text: string): Promise<void> {
  fireEvent.change(message(), { target: { value: text } });
  await userEvent.type(message(), '{Enter}');
}
