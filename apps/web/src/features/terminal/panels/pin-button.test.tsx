import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../send/send-message.ts';
import { PinButton } from './pin-button.tsx';
import { addDevicePanel } from './store/panel-actions.ts';
import { changePanels, panelsNow } from './store/panels-store.ts';
import { onePanel } from './testing/panel-rig.ts';

const refused = vi.fn();
const show = (text: string, mode: Message['mode'] = 'text') =>
  render(<PinButton draft={{ text, mode, lineEnding: 'lf' }} onRefused={refused} />);
const pinned = () => panelsNow().panels.map(({ pinnedMessages }) => pinnedMessages.map(({ content }) => content));
const press = () => userEvent.click(screen.getByRole('button', { name: 'Pin' }));

beforeEach(() => {
  refused.mockClear();
  onePanel();
});
afterEach(cleanup);

it('pinning goes to the one panel there is', async () => {
  show('help');
  await press();
  expect(pinned()).toEqual([['help']]);
  expect(refused).toHaveBeenLastCalledWith(null);
  await press();
  expect(refused).toHaveBeenLastCalledWith('Command already exists in this panel');
});

it('pinning refuses an odd hex digit, which sending would pad', async () => {
  show('B5 6', 'hex');
  await press();
  expect(refused).toHaveBeenLastCalledWith('Hex string must have even number of characters');
  expect(pinned()).toEqual([[]]);
});

it('pinning says what is wrong with an escape', async () => {
  show('AT\\q', 'escapes');
  await press();
  expect(refused).toHaveBeenLastCalledWith(expect.stringContaining('escapes are'));
  expect(pinned()).toEqual([[]]);
});

it('pinning asks for the panel when there are several', async () => {
  addDevicePanel();
  show('help');
  await press();
  await userEvent.click(await screen.findByRole('menuitem', { name: '2: Panel 2' }));
  expect(pinned()).toEqual([[], ['help']]);
});

it('pinning makes a panel when there is none', async () => {
  changePanels({ panels: [] });
  show('help');
  await press();
  expect(pinned()).toEqual([['help']]);
});
