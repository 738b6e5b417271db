/** Tests the keyboard focus in the terminal: the target of Enter, focus changes, and announcements. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { chooseView } from './testing/console-steps.ts';
import { enter, openTool, pressOn, rows, tab } from './testing/log-steps.ts';
import {
  connectDemo,
  log,
  message,
  openTerminal,
  press,
  selectTab,
  startDemo,
  wide,
} from './testing/terminal-steps.ts';

withWholePages(wide);

const hasFocus = (element: () => HTMLElement | undefined) =>
  waitFor(() => {
    expect(element()).toBeDefined();
    expect(document.activeElement).toBe(element());
  });

/** Waits until the focus is restored, which happens in the next frame. */
const focusKept = () => waitFor(() => expect(document.activeElement).not.toBe(document.body));

const flag = () => within(message().parentElement ?? document.body).getByRole('img', { name: /^Port \d$/ });

const describedAs = (description: string) => screen.findByRole('textbox', { name: 'Message', description });

it('connecting leads to the field, which says where Enter sends, and Escape leads to the log', async () => {
  await startDemo();
  await hasFocus(message);
  await describedAs('Enter sends to Port 1');
  expect(flag().getAttribute('aria-label')).toBe('Port 1');
  await tab('Port 2', 'Not connected');
  await selectTab(2);
  await waitFor(() => expect(flag().getAttribute('aria-label')).toBe('Port 2'));
  await describedAs('Port 2 is not connected');
  await pressOn(message(), '{Escape}');
  await hasFocus(log);
});

it('one press sends to all open ports', async () => {
  await startDemo();
  expect(screen.queryByRole('button', { name: 'Send to all open ports' })).toBeNull();
  await connectDemo(2);
  fireEvent.change(message(), { target: { value: 'info' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Send to all open ports' }));
  const sent = () => rows('[data-direction=sent]').filter(({ textContent }) => textContent.includes('info'));
  await waitFor(() => expect(sent()).toHaveLength(2));
});

it('the focus never falls to the page: disconnecting, closing tools and panels, menus, deleted rows', async () => {
  await startDemo();
  await openTool('Statistics');
  await enter('Fold the dock');
  await focusKept();
  await chooseView('Off');
  await focusKept();
  await enter('Panels');
  const panel = within(await screen.findByRole('region', { name: 'Panel 1' }));
  const command = await panel.findByRole('textbox', { name: 'Add a command' });
  fireEvent.change(command, { target: { value: 'info' } });
  await pressOn(command, '{Enter}');
  const row = await panel.findByRole('button', { name: 'Send info' });
  await pressOn(row, '{Delete}');
  await userEvent.keyboard('{Delete}');
  await waitFor(() => expect(row.isConnected).toBe(false));
  expect(panel.queryByRole('button', { name: 'Send info' })).toBeNull();
  await focusKept();
  await enter('Fold the dock');
  await hasFocus(() => screen.queryByRole('button', { name: 'Panels' }) ?? undefined);
  await enter('Disconnect port 1');
  const connect = () => screen.queryAllByRole('button', { name: 'Connect port 1' })[0];
  await waitFor(() => expect(connect()).toBeDefined());
  await focusKept();
  await hasFocus(connect);
});

it('a new panel aims at the only open port', async () => {
  await openTerminal();
  await connectDemo(1);
  await press('Add panel');
  expect((await screen.findByRole('button', { name: /^Target of Panel 2/ })).textContent).toContain('Port 1');
});

it('notices are read out, lines are not', async () => {
  await startDemo();
  expect(log().getAttribute('aria-live')).toBe('off');
  const isReadOut = (text: string) =>
    waitFor(() =>
      expect(
        screen
          .getAllByRole('status')
          .map(({ textContent }) => textContent)
          .join(),
      ).toContain(text),
    );
  await isReadOut('Port 1 connected');
  await press('Unplug');
  await isReadOut('Device disconnected from Port 1');
});
