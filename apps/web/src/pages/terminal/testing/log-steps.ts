/** What a person reads and saves of the log, and the keys that act on it, for tests of the terminal's whole page. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import { type SavedFile, savedBy } from '../../../workbench/testing/saved-files.ts';
import { theBench } from '../../../workbench/testing/whole-page.tsx';
import { choose, log } from './terminal-steps.ts';

/** Rows that are there, from the top. @param selector of some of them, as CSS */
export const rows = (selector = '[data-direction]') => [...log().querySelectorAll<HTMLElement>(selector)];

/** Text of rows that the device has sent, from the top. */
export const received = () => rows('[data-direction=received]').map(({ textContent }) => textContent);

/** As it is read: what is apart is apart by one space. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Lines that the bench holds, as the status line says it: "Buffer 0 lines". */
export const held = () => screen.getByText((_, element) => /^Buffer \d/.test(element?.textContent ?? '')).textContent;

/** The number in a text that has one only, its thousands apart. */
export const numberIn = (text: string): number => Number(text.replaceAll(/\D/g, ''));

/** Waits for the tab of a port whose name ends with `words`: they stand apart on a screen, not in a name without layout. */
export const tab = (...words: readonly string[]) =>
  screen.findByRole('tab', { name: (name) => name.endsWith(words.join('')) });

/** Presses `keys` while `element` has the focus, as Testing Library writes them. */
export async function pressOn(element: HTMLElement, keys: string): Promise<void> {
  element.focus();
  await userEvent.keyboard(keys);
}

/** Presses a button from the keyboard. */
export const enter = (name: string | RegExp) => pressOn(screen.getByRole('button', { name }), '{Enter}');

/** Exports what `item` of the menu says. */
export const exported = (item: string | RegExp): Promise<SavedFile> =>
  savedBy(() => choose(screen.getByRole('button', { name: 'Export' }), item));

export const textOf = ({ bytes }: SavedFile): string => new TextDecoder().decode(bytes);

/** Waits until nothing on the page says `text`. */
export const gone = (text: string | RegExp) => waitFor(() => expect(screen.queryByText(text)).toBeNull());

/** Opens a tool below the log, from the keyboard. */
export async function openTool(name: string): Promise<void> {
  await enter('Tools');
  await pressOn(await screen.findByRole('menuitemcheckbox', { name }), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  // Its name may go on with a number.
  await screen.findByRole('tabpanel', { name: new RegExp(`^${name}`) });
}

/** Waits until the tool below the log says `text`. */
export const toolSays = (text: string) =>
  waitFor(() => expect(screen.getByRole('tabpanel').textContent).toContain(text));

/** Does `act` while the time of the boards stands still: it passes much faster than a person acts. */
export async function atOnce(act: () => Promise<unknown>): Promise<void> {
  theBench().runs = false;
  await act();
  theBench().runs = true;
}
