/** User actions on a flasher's page, for tests of the whole page. */

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FamilyId } from '@wirebench/boards';
import { staticPages } from '@wirebench/contract';
import { expect } from 'vitest';
import { firstOf, says } from '../../../workbench/testing/reading.ts';
import { showPage } from '../../../workbench/testing/whole-page.tsx';
import { choose } from '../../terminal/testing/terminal-steps.ts';

const pages = {
  esp: { address: staticPages.espFlasher, load: () => import('../esp-flasher-page.tsx') },
  stm: { address: staticPages.stmFlasher, load: () => import('../stm-flasher-page.tsx') },
  nrf: { address: staticPages.nrfFlasher, load: () => import('../nrf-flasher-page.tsx') },
  avr: { address: staticPages.avrFlasher, load: () => import('../avr-flasher-page.tsx') },
  rp: { address: staticPages.rpFlasher, load: () => import('../rp-flasher-page.tsx') },
};

/** Name of the button that writes the plan: files, changes to what the board holds, or both. */
const writeName = /^(Write \d (files?|changes?)( and \d changes?)?|Erase (?!all )\w+|Install .*)$/;

export const board = () => screen.getByRole('region', { name: 'Board' });
export const plan = () => screen.getByRole('region', { name: 'Plan' });
export const monitor = () => screen.getByRole('log', { name: 'Monitor' });
const writeButton = () => screen.getByRole<HTMLButtonElement>('button', { name: writeName });
export const result = () => screen.getByRole('region', { name: 'Result' });
/** Returns the steps of a failure's remedy, below the answer. */
export const remedy = (name: string) => screen.getByRole('group', { name });

/** Returns true if a button ignores presses. A button of the answer is never `disabled`, so that it keeps the focus. */
const isInert = (button: HTMLButtonElement) => button.disabled || button.getAttribute('aria-disabled') === 'true';

/** Checks that the plan cannot be carried out now. */
export function expectNoWrite(): void {
  const button = screen.queryByRole<HTMLButtonElement>('button', { name: writeName });
  expect(button === null || isInert(button)).toBe(true);
}

/** Waits until the plan can be carried out. */
export const untilPlanned = () => waitFor(() => expect(isInert(writeButton())).toBe(false));

export const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });

/**
 * Presses a button as soon as it is enabled. Finds and clicks it in one step, because a card may be rendered again in
 * between.
 */
export async function press(name: string | RegExp): Promise<void> {
  await waitFor(async () => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name });
    expect(isInert(button)).toBe(false);
    await userEvent.click(button, { delay: null });
  });
}

/** Fills a field as soon as it is enabled. */
export async function fill(name: string, value: string): Promise<void> {
  await waitFor(() => {
    const input = screen.getByRole<HTMLInputElement>('textbox', { name });
    expect(input.disabled).toBe(false);
    fireEvent.change(input, { target: { value } });
  });
}

/** Waits until the result of a write contains `text`. */
export const resultSays = (text: string | RegExp) => says(result, text);

/** @param search Query of the address, with its question mark. */
export async function openFlasher(family: FamilyId, search = ''): Promise<void> {
  const { address, load } = pages[family];
  await showPage(`${address}${search}`, async () => (await load()).FlasherPage);
}

/** Connects the simulated board with a button of its own, and waits until it is in its bootloader. */
export async function connectDemo(): Promise<void> {
  await press('Try the Demo ESP32');
  await says(board, 'Ready');
}

/** Waits until the board is ready, and has read the open partition by itself. */
export async function untilIdle(): Promise<void> {
  const isReady = () => expect(board().textContent).toContain('Ready');
  await waitFor(async () => {
    isReady();
    await new Promise((resolve) => setTimeout(resolve, 300));
    isReady();
  });
}

/** Connects another simulated board, by its name in the menu. */
export async function connectOther(name: string): Promise<void> {
  await choose(await screen.findByRole('button', { name: 'Other ways to connect a board' }), name);
  await says(board, 'Ready');
}

/** Adds a file as if it were chosen from a disk. */
export async function chooseFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  fireEvent.change(screen.getByLabelText('Firmware files'), { target: { files: [new File([bytes], name)] } });
}

/** Adds a file, and enters its offset. */
export async function addFile(name: string, bytes: Uint8Array<ArrayBuffer>, offset: string): Promise<void> {
  await chooseFile(name, bytes);
  await fill(`Offset of ${name}`, offset);
}

/** Opens the settings, which are one line. */
export const openSettings = () => press('Settings');

export const write = () => press(writeName);

/** Opens a partition of *On the board*, and waits until it is shown. */
export async function openPartition(name: string): Promise<void> {
  await press(new RegExp(`^${name}`));
  await screen.findByRole('heading', { level: 3, name });
}

/** Chooses an action of the menu of *On the board*, or of the open partition. */
export async function chooseOnBoard(menu: string, action: string): Promise<void> {
  await choose(await screen.findByRole('button', { name: menu }), action);
}

/** Plans that all of the flash is erased, writes that, and connects the board again. */
export async function eraseAll(): Promise<void> {
  await chooseOnBoard('More about what is on the board', 'Erase all 4 MB');
  await says(plan, 'Erase all 4 MB');
  await press('Erase all 4 MB');
  await eraseInDialog('Erase all 4 MB');
  await screen.findByRole('region', { name: 'Result' });
  await press('Connect again');
  await says(board, 'Ready');
}

/** Confirms the dialog before an erase, and waits until the dialog is closed. */
export async function eraseInDialog(name: string | RegExp = 'Erase'): Promise<void> {
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }), { delay: null });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

/**
 * Starts a write, and presses a button as soon as the write has reached `percent`. Observes the page, because polling
 * could miss a short write.
 */
export async function interruptWrite(percent: number, name: 'Unplug the demo' | 'Stop'): Promise<void> {
  let interrupted = false;
  const observer = new MutationObserver(() => {
    const bar = document.querySelector('[role=progressbar][aria-label="Written and verified"]');
    if (bar === null || Number(bar.getAttribute('aria-valuenow')) < percent) {
      return;
    }
    const button = screen.getByRole('button', { name });
    // Stop is where Write was: it takes no press within 600 ms.
    if (button.style.pointerEvents === 'none') {
      return;
    }
    observer.disconnect();
    interrupted = true;
    button.click();
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['aria-valuenow', 'style'],
  });
  await write();
  await waitFor(() => expect(interrupted).toBe(true));
}

/** Unplugs a demo board at `percent` of a write, plugs it in again, and writes the rest. */
export async function unplugMidWrite(percent: number): Promise<void> {
  await interruptWrite(percent, 'Unplug the demo');
  await says(() => screen.getByRole('alert', { name: 'The board was unplugged' }), 'only partly written');
  await userEvent.click(firstOf(await screen.findAllByRole('button', { name: 'Plug in again' })));
  await press('Write the rest');
  await resultSays('Written and verified');
}
