/** Tests the console with one pane for each port. `log-lines.test.ts` decides which ports have a pane. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PortNumber } from '@wirebench/serial';
import { isLong } from '@wirebench/test-input';
import { expect, it } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { chooseView, field, find, pane } from './testing/console-steps.ts';
import { pressOn } from './testing/log-steps.ts';
import {
  connectDemo,
  openTerminal,
  press,
  prompt,
  said,
  selectTab,
  startDemo,
  type,
} from './testing/terminal-steps.ts';
import { desk, phone, resizeTo, startInWindow } from './testing/window-steps.ts';

withWholePages();
startInWindow(desk);

const paneSays = (port: PortNumber, text: string | RegExp) =>
  waitFor(() => expect(pane(port).textContent).toMatch(text));

const rowsIn = (port: PortNumber, selector = '[data-direction]') => [...pane(port).querySelectorAll(selector)];

async function splitWithTwo(): Promise<void> {
  await startDemo();
  await connectDemo(2);
  await chooseView('Split by port');
  await paneSays(1, prompt);
  await paneSays(2, prompt);
}

it('each port has a pane of its own, which is remembered', async () => {
  await splitWithTwo();
  expect(rowsIn(1, '[data-direction][data-port="2"]')).toHaveLength(0);
  await pressOn(pane(1), '{Home}');
  await paneSays(1, 'Port 1 connected');
  await pressOn(pane(1), '{End}');
  expect(pane(1).textContent).not.toContain('Port 2 connected');
  await type('stop');
  await paneSays(1, 'nothing is running');
  expect(pane(2).textContent).not.toContain('nothing is running');
  reload();
  await openTerminal();
  await userEvent.click(await screen.findByRole('button', { name: 'Try the demo board' }));
  await said(prompt);
  await connectDemo(2);
  await paneSays(2, prompt);
  await chooseView('One time line');
  await waitFor(() => expect(screen.getAllByRole('log')).toHaveLength(1));
});

it.runIf(isLong)('a match is shown where it is, and a hidden port has no pane', async () => {
  await splitWithTwo();
  await find('console: ready');
  await screen.findByText('2 found');
  const current = (port: PortNumber) =>
    waitFor(() => expect(rowsIn(port, '[data-current]')[0]?.textContent).toContain('console: ready'));
  await pressOn(field(), '{Enter}');
  await current(2);
  await pressOn(field(), '{Shift>}{Enter}{/Shift}');
  await current(1);
  await press('Show only lines that match');
  await waitFor(() => expect(rowsIn(1)).toHaveLength(1));
  await waitFor(() => expect(rowsIn(2)).toHaveLength(1));
  await find('port:2 ');
  await waitFor(() => expect(screen.queryByRole('log', { name: 'Messages of Port 1' })).toBeNull());
  await paneSays(2, 'demo>');
});

it.runIf(isLong)('on a phone there is one pane at a time: that of the port that is chosen', async () => {
  await splitWithTwo();
  resizeTo(phone);
  await waitFor(() => expect(screen.getAllByRole('log')).toHaveLength(1));
  await selectTab(1);
  await screen.findByRole('log', { name: 'Messages of Port 1' });
  await selectTab(2);
  await screen.findByRole('log', { name: 'Messages of Port 2' });
  await paneSays(2, 'demo>');
  expect(screen.queryByRole('log', { name: 'Messages of Port 1' })).toBeNull();
});
