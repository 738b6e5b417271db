import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setLive } from '../../workbench/live/live-line.ts';
import type { LiveTick, SharedPortFacts } from '../../workbench/live/live-protocol.ts';
import { liveStore, takeTick } from '../../workbench/live/live-store.ts';
import { Live } from './live.tsx';
import { LiveBanner } from './live-banner.tsx';

const call = vi.fn(async (): Promise<undefined> => undefined);
const link = { origin: 'http://localhost', room: 'room', secret: 'secret' };

const port: SharedPortFacts = {
  port: 1,
  right: 'watch',
  user: null,
  present: true,
  visit: 1,
  name: 'Board',
  usbVendorId: null,
  usbProductId: null,
  settings: null,
  isYours: false,
  asked: null,
};
const joined: LiveTick = {
  state: 'joined',
  why: null,
  host: 'Ada',
  isHostAway: false,
  endsAt: 0,
  ports: [port],
  people: [],
  guests: 1,
  roundTrip: 40,
  since: 0,
  behind: null,
  missing: 0,
  using: [],
};
const tell = (change: Partial<LiveTick>) => act(() => takeTick({ ...joined, ...change }));

function show(): void {
  render(
    <Live>
      <LiveBanner port={1} />
    </Live>,
  );
}

beforeEach(() => {
  localStorage.clear();
  call.mockClear();
  setLive({ call: call as never });
  liveStore.setState({ link, begun: false, met: false, tick: null });
});
afterEach(() => {
  cleanup();
  setLive(null);
});

it('asks once for a name, then joins by itself', async () => {
  show();
  await userEvent.type(screen.getByRole('textbox', { name: 'Your name' }), '  Grace   H. ');
  await userEvent.click(screen.getByRole('button', { name: 'Watch the bench' }));
  expect(call).toHaveBeenCalledWith('join', link, 'Grace H.', true);
  expect(screen.getByRole('heading').textContent).toBe('Joining the shared bench…');
  cleanup();
  call.mockClear();
  liveStore.setState({ begun: false });
  show();
  expect(call).toHaveBeenCalledWith('join', link, 'Grace H.', true);
});

it('says what is wrong with a link, and asks for nothing', () => {
  liveStore.setState({ link: 'wrong-key' });
  show();
  expect(screen.getByRole('heading').textContent).toBe('This link has lost its key');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(call).not.toHaveBeenCalled();
});

it('leads from watching to typing to using, and back', async () => {
  localStorage.setItem('wirebench.guest-name', 'Grace');
  show();
  tell({});
  expect(screen.getByText('You may watch port 1.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Ask to type' }));
  expect(call).toHaveBeenLastCalledWith('ask', 1, 'type');
  tell({ ports: [{ ...port, asked: 'type' }] });
  expect(screen.getByRole('button', { name: 'Asked to type…' }).getAttribute('aria-disabled')).toBe('true');
  tell({ ports: [{ ...port, right: 'type' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Ask to use port 1' }));
  expect(call).toHaveBeenLastCalledWith('ask', 1, 'use');
  tell({ ports: [{ ...port, right: 'use', user: 'Bob' }] });
  expect(screen.getByRole('button', { name: 'Use port 1' }).getAttribute('aria-disabled')).toBe('true');
  tell({ ports: [{ ...port, right: 'use' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Use port 1' }));
  expect(call.mock.lastCall?.slice(0, 2)).toEqual(['use', 1]);
  tell({ ports: [{ ...port, right: 'use', isYours: true, user: 'Grace' }], using: [1] });
  await userEvent.click(screen.getByRole('button', { name: 'Give port 1 back' }));
  expect(call).toHaveBeenLastCalledWith('giveBack', 1);
});

it('says whose connection is lost, and what becomes of the log when the visit ends', () => {
  localStorage.setItem('wirebench.guest-name', 'Grace');
  show();
  tell({});
  tell({ state: 'away' });
  expect(screen.getByText('Your connection is lost.')).toBeTruthy();
  tell({ isHostAway: true });
  expect(screen.getByText('The connection of Ada is lost.')).toBeTruthy();
  tell({ state: 'ended', why: 'ended' });
  expect(screen.getByText('Sharing has ended.')).toBeTruthy();
  expect(screen.getByText(/The log stays until you close this page/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open the link again' })).toBeNull();
});

it('shows an end before the first meeting in the place of the bench, and tries again when asked', async () => {
  localStorage.setItem('wirebench.guest-name', 'Grace');
  show();
  tell({ state: 'ended', why: 'too-many', host: '', ports: [] });
  expect(screen.getByRole('heading').textContent).toBe('The shared bench is full');
  call.mockClear();
  await userEvent.click(screen.getByRole('button', { name: 'Open the link again' }));
  expect(call).toHaveBeenCalledWith('join', link, 'Grace', true);
});
