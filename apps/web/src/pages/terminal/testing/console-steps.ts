/** User actions in the console, and a device controlled by the test, for tests of the whole terminal page. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import type { PortNumber } from '@wirebench/serial';
import { expect, vi } from 'vitest';
import { theBench } from '../../../workbench/testing/whole-page.tsx';
import { rows } from './log-steps.ts';
import { said } from './terminal-steps.ts';

export const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Find in the console' });

/** Enters `text` into the console's find field. */
export async function find(text: string): Promise<void> {
  await userEvent.clear(field());
  await userEvent.click(field());
  await userEvent.paste(text);
}

/** Opens the display options, presses the control with the name `item`, and closes them. */
export async function chooseView(item: string): Promise<void> {
  const opener = screen.getByRole('button', { name: 'View' });
  await userEvent.click(opener);
  const options = within(await screen.findByRole('dialog', { name: 'View' }));
  const [control] = ['radio', 'checkbox', 'button'].flatMap((role) => options.queryAllByRole(role, { name: item }));
  if (control === undefined) {
    throw new Error(`The display options have no ${item}.`);
  }
  await userEvent.click(control);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'View' })).toBeNull());
}

/** Returns the log of one port in the split view. */
export const pane = (port: PortNumber) => screen.getByRole('log', { name: `Messages of Port ${port}` });

/** Waits for `text` and returns its row. */
export async function rowWith(text: string): Promise<HTMLElement> {
  await said(text);
  const row = rows().find(({ textContent }) => textContent.includes(text));
  if (row === undefined) {
    throw new Error(`No row says ${text}.`);
  }
  return row;
}

/** Clicks left of the text of `row`: whole rows are selected from there on. */
export async function pointAtRow(row: HTMLElement): Promise<void> {
  await userEvent.click(timeOf(row));
}

const timeOf = (row: HTMLElement): Element => row.querySelector('time') ?? row;

/** Shift-clicks `row`, which selects all rows from the last clicked one. */
export async function extendTo(row: HTMLElement): Promise<void> {
  const keyboardState = await userEvent.keyboard('{Shift>}');
  await userEvent.click(timeOf(row), { keyboardState });
  await userEvent.keyboard('{/Shift}', { keyboardState });
}

interface ScriptedPort {
  /** Delivers each piece as one read. Resolves after the bench has read all of them. */
  say(...pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Simulates an overrun of the system's buffer: the readable stream fails, and the port gets a new one. */
  overrun(): Promise<void>;
}

/** Opens a port whose device sends only what the test passes to `say`. */
export async function openScripted(port: PortNumber): Promise<ScriptedPort> {
  const { bench } = await waitFor(() => theBench().worker);
  const device = new FakeSerialPort();
  await bench.connect(port, device, defaultPortSettings);
  const received = () => bench.status().ports[port].received;
  return {
    say: async (...pieces) => {
      const bytes = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
      const wanted = bytes.reduce((sum, { length }) => sum + length, received());
      for (const piece of bytes) {
        device.receive(piece);
      }
      await waitFor(() => expect(received()).toBe(wanted));
    },
    overrun: () => device.fail('BufferOverrunError'),
  };
}

/**
 * Replaces the clipboard.
 *
 * @returns Function that returns the copied text.
 */
export function stubClipboard(): () => string {
  let held = '';
  const writeText = vi.fn(async (text: string) => {
    held = text;
  });
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return () => held;
}
