import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { firstOf } from '../../workbench/testing/reading.ts';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { atOnce, enter, gone, rows, tab } from './testing/log-steps.ts';
import {
  clearLog,
  connectDemo,
  message,
  openTerminal,
  press,
  prompt,
  said,
  startDemo,
  type,
  wide,
} from './testing/terminal-steps.ts';

withWholePages(wide);

const line = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });

/** Presses the first button with this name. Port actions appear in more than one place. */
async function pressFirst(name: string): Promise<void> {
  await userEvent.click(firstOf(await screen.findAllByRole('button', { name })));
}

it('a device that is unplugged is waited for, visibly, and talks again when it is back', async () => {
  await startDemo();
  await press('Unplug');
  await said('Device disconnected from Port 1');
  await screen.findByRole('tab', { name: /Port 1\s*Waiting for the board/ });
  // The bench waits one minute for the board, so the time is stopped.
  await atOnce(async () => {
    await screen.findByText('The board on Port 1 is gone.');
    await type('help');
    await screen.findByText(/No ports are connected/);
    await pressFirst('Plug in again');
  });
  await screen.findByRole('button', { name: 'Disconnect port 1' });
  await userEvent.type(message(), '{Enter}');
  await said('which addresses answer on the I2C bus');
});

it('the wait for a device can be ended', async () => {
  await startDemo();
  await press('Unplug');
  await screen.findByText('The board on Port 1 is gone.');
  await atOnce(() => pressFirst('Cancel: stop waiting for the board of port 1'));
  await tab('Port 1', 'Not connected');
  await gone('The board on Port 1 is gone.');
});

it('a board that vanishes is not waited for where the settings of its port say so', async () => {
  await openTerminal();
  const reconnect = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Reconnect automatically' });
  expect(reconnect().checked).toBe(true);
  await userEvent.click(reconnect());
  reload();
  await startDemo();
  expect(reconnect().checked).toBe(false);
  await press('Unplug');
  await said('Device disconnected from Port 1');
  await tab('Port 1', 'Not connected');
  await gone('The board on Port 1 is gone.');
});

it('two devices share one timeline, each under its own number', async () => {
  await startDemo();
  await connectDemo(2);
  await waitFor(() => expect(rows('[data-port="2"]')).not.toHaveLength(0));
  fireEvent.change(message(), { target: { value: 'info' } });
  await press(/^Port 2\s*Send$/);
  await waitFor(() =>
    expect(rows('[data-port="2"][data-direction=received]').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringContaining('board      Wirebench demo board'),
    ),
  );
  const status = within(screen.getByRole('region', { name: 'Status' }));
  await status.findByText('2 of 4 ports open');
  await press('Disconnect port 2');
  await status.findByText('1 of 4 ports open');
});

it('DTR and RTS can be switched while a port is open only', async () => {
  await openTerminal();
  expect(line('DTR').disabled).toBe(true);
  await press('Try the demo board');
  await waitFor(() => expect(line('DTR').checked).toBe(true));
  await userEvent.click(line('RTS'));
  await waitFor(() => expect(line('RTS').checked).toBe(true));
});

it('a board is reset and started in boot mode from the keyboard, and not while the port is closed', async () => {
  await openTerminal();
  const reset = await screen.findByRole('button', { name: 'Reset board' });
  expect(reset.getAttribute('aria-disabled')).toBe('true');
  expect(document.getElementById(reset.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
    /^Port 1 is not connected\./,
  );
  await connectDemo(1);
  await said(prompt);
  await clearLog();
  await enter('Reset board');
  await said('a simulation: no hardware is connected');
  await said(prompt);
  await clearLog();
  await enter('Boot mode');
  await said('waiting for download');
  await waitFor(() => expect(line('DTR').checked).toBe(true));
  await enter('Break');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Break' }).hasAttribute('aria-busy')).toBe(false));
});

it('a dialog that is closed without a choice leads to what to check, above the log', async () => {
  const advice = () => screen.queryByRole('region', { name: 'No board was chosen' });
  await openTerminal();
  await pressFirst('Connect port 1');
  await waitFor(() => expect(advice()?.textContent).toContain('The cable carries power only'));
  await enter('Dismiss the advice');
  await waitFor(() => expect(advice()).toBeNull());
});
