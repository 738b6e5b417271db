/** Steps that read, save and control the log, for tests of the whole terminal page. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import { type SavedFile, savedBy } from '../../../workbench/testing/saved-files.ts';
import { theBench } from '../../../workbench/testing/whole-page.tsx';
import { choose, log } from './terminal-steps.ts';

/**
 * Returns the rows in the document, from the top.
 *
 * @param selector CSS selector that limits the rows.
 */
export const rows = (selector = '[data-direction]') => [...log().querySelectorAll<HTMLElement>(selector)];

/** Returns the text of the received rows, from the top. */
export const received = () => rows('[data-direction=received]').map(({ textContent }) => textContent);

/** Collapses white space, as a page displays it. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the number of lines in the buffer, as text of the line below the log: "32 lines", or "12 of 32 lines". */
export const held = () =>
  within(screen.getByRole('region', { name: 'Status' })).getByText(/^\d[\d\u2009]*( of [\d\u2009]+)? lines?$/)
    .textContent;

/** Returns the only number in a text, ignoring thousands separators. */
export const numberIn = (text: string): number => Number(text.replaceAll(/\D/g, ''));

/**
 * Waits for the tab of a port whose name ends with `words`. Without a layout, the accessible name has no spaces
 * between them.
 */
export const tab = (...words: readonly string[]) =>
  screen.findByRole('tab', { name: (name) => name.endsWith(words.join('')) });

/**
 * Presses keys on a focused element.
 *
 * @param keys Keys in the notation of Testing Library.
 */
export async function pressOn(element: HTMLElement, keys: string): Promise<void> {
  element.focus();
  await userEvent.keyboard(keys);
}

/** Presses a button with Enter. */
export const enter = (name: string | RegExp) => pressOn(screen.getByRole('button', { name }), '{Enter}');

/** Exports with an item of the Save menu, and returns the file. The menu appears with the first port or line. */
export const exported = (item: string | RegExp): Promise<SavedFile> =>
  savedBy(async () => choose(await screen.findByRole('button', { name: 'Save the log' }), item));

export const textOf = ({ bytes }: SavedFile): string => new TextDecoder().decode(bytes);

/** Waits until `text` is not on the page. */
export const gone = (text: string | RegExp) => waitFor(() => expect(screen.queryByText(text)).toBeNull());

/** Opens a tool with the keyboard. */
export async function openTool(name: string): Promise<void> {
  await enter('Tools');
  await pressOn(await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) }), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  const tool = await screen.findByRole('region', { name });
  // The code of a tool is fetched when it is first opened. Importing it can take seconds.
  await waitFor(() => expect(tool.lastElementChild?.childElementCount).toBeGreaterThan(0), { timeout: 10_000 });
}

/** Waits until the open tool contains `text`. */
export const toolSays = (text: string) =>
  waitFor(() => expect(document.querySelector('[data-tool-dock]')?.textContent).toContain(text));

/** Runs `act` while the boards' time is stopped. Their simulated time passes much faster than real time. */
export async function atOnce(act: () => Promise<unknown>): Promise<void> {
  theBench().runs = false;
  await act();
  theBench().runs = true;
}
