/** What a person does in the console, and a device whose other end is the test, for tests of the terminal's whole page. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import type { PortNumber } from '@wirebench/serial';
import { expect, vi } from 'vitest';
import { theBench } from '../../../workbench/testing/whole-page.tsx';
import { rows } from './log-steps.ts';
import { choose, said } from './terminal-steps.ts';

export const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Find in the console' });

/** Looks for `text` in the console. */
export async function find(text: string): Promise<void> {
  await userEvent.clear(field());
  await userEvent.click(field());
  await userEvent.paste(text);
}

/** Chooses from one of the menus above the log. */
export const chooseFrom = (menu: string, item: string) => choose(screen.getByRole('button', { name: menu }), item);

/** The log of one port, where each has a pane of its own. */
export const pane = (port: PortNumber) => screen.getByRole('log', { name: `Messages of Port ${port}` });

/** The row that says `text`. */
export async function rowWith(text: string): Promise<HTMLElement> {
  await said(text);
  const row = rows().find(({ textContent }) => textContent.includes(text));
  if (row === undefined) {
    throw new Error(`No row says ${text}.`);
  }
  return row;
}

/** Selects everything from the row that was clicked last to `row`. */
export async function extendTo(row: HTMLElement): Promise<void> {
  const keyboardState = await userEvent.keyboard('{Shift>}');
  await userEvent.click(row, { keyboardState });
  await userEvent.keyboard('{/Shift}', { keyboardState });
}

interface ScriptedPort {
  /** One read for each piece; resolves when the bench has read them. */
  say(...pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** The system's buffer runs over: the stream breaks, and the port has a new one. */
  overrun(): Promise<void>;
}

/** Opens a port that says what it is given, and nothing by itself. */
export async function openScripted(port: PortNumber): Promise<ScriptedPort> {
  const { bench } = await waitFor(() => theBench().host);
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

/** Stands in for the clipboard. @returns what is in it */
export function stubClipboard(): () => string {
  let held = '';
  const writeText = vi.fn(async (text: string) => {
    held = text;
  });
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return () => held;
}
