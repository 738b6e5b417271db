/**
 * Reports of a lost connection on the host's page: in the bar, in the table of guests, and beside the log. The lost
 * connection is the host's own or a guest's.
 */
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { systemClock } from '@wirebench/clock';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ShareGuest, ShareStatus } from '../../protocol/share-protocol.ts';
import { benchStatus } from '../bench-status.ts';
import { GuestTable } from './guest-table.tsx';
import { takeStatus } from './share-actions.ts';
import { ShareBar } from './share-bar.tsx';
import { changeSharing, sharingNow } from './sharing-store.ts';
import { UsedPortStrips } from './used-port.tsx';

const off = sharingNow();
const now = new Date(2026, 10, 22, 20, 0).getTime();

type Port = ShareGuest['ports'][number];

const guest = (name: string, change: Partial<ShareGuest> = {}, ...ports: Partial<Port>[]): ShareGuest => ({
  id: name,
  name,
  since: now - 720_000,
  isConnected: true,
  awaySince: null,
  ports: ports.map((port) => ({ port: 1, right: 'watch', asked: null, isUsing: false, ...port })),
  ...change,
});

const lost = { isConnected: false, awaySince: now - 41_000 };

function tell(guests: readonly ShareGuest[], change: Partial<ShareStatus> = {}): void {
  const status = { state: 'sharing', awaySince: null, why: null, endsAt: now + 3_600_000, guests, ports: [1] } as const;
  act(() => takeStatus({ ...status, ...change }));
}

/** @param widest Widest of the media queries that the window matches. */
function show(widest: 'wide' | 'phone'): void {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: widest === 'wide' }));
  render(
    <>
      <ShareBar />
      <GuestTable />
      <UsedPortStrips />
    </>,
  );
}

const bar = () => screen.getByRole('region', { name: 'Shared bench' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now });
  vi.spyOn(systemClock, 'now').mockImplementation(() => Date.now());
  changeSharing({ ...off, phase: 'on', link: 'https://bench.example/live.html' }, true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  changeSharing(off, true);
  act(() => benchStatus.accept({ ...benchStatus.tick, users: { 1: null, 2: null, 3: null, 4: null } }));
});

it('says of a guest who uses a port that its connection is lost, for how long, and until it is back', () => {
  show('wide');
  tell([guest('Aylin K.', lost, { right: 'use', isUsing: true })]);
  expect(bar().textContent).toContain('uses port 1,connection lost 41 s ago');
  expect(screen.getByRole('rowheader').textContent).toBe('Aylin K.connection lost 41 s ago');
  expect(within(bar()).getByRole('button', { name: 'Take back port 1 from Aylin K.' })).toBeDefined();
  act(() => vi.advanceTimersByTime(20_000));
  expect(bar().textContent).toContain('connection lost 1 min ago');
  tell([guest('Aylin K.', {}, { right: 'use', isUsing: true })]);
  expect(bar().textContent).not.toContain('lost');
  expect(screen.getByRole('rowheader').textContent).toBe('Aylin K.here 12 min');
});

it('says of a guest behind an open connection no more than that there is no answer', () => {
  show('wide');
  tell([guest('Aylin K.', { awaySince: now - 14_000 }, { right: 'use' })]);
  expect(bar().textContent).toContain('no answer for 14 s');
  expect(bar().textContent).not.toContain('lost');
  expect(screen.getByRole('status').textContent).toBe('Aylin K. does not answer.');
});

it('names who is away before others with the same right', () => {
  show('wide');
  const others = ['Ada', 'Bob', 'Cyd', 'Dan'].map((name) => guest(name, {}, { right: 'type' }));
  tell([...others, guest('Aylin K.', lost, { right: 'type' })]);
  expect(bar().textContent).toContain('Aylin K.');
});

it('announces once who may do more than watch and is away, and not each second', () => {
  show('wide');
  tell([guest('Aylin K.', lost, { right: 'use' }), guest('Sam', lost)]);
  const said = screen.getByRole('status').textContent;
  expect(said).toBe('The connection of Aylin K. is lost.');
  act(() => vi.advanceTimersByTime(5_000));
  expect(screen.getByRole('status').textContent).toBe(said);
  tell([guest('Aylin K.', lost, { right: 'use' }), guest('Sam', lost, { right: 'type' })]);
  expect(screen.getByRole('status').textContent).toBe('2 guests do not answer.');
});

it('counts on a phone who is away, and leads to the guests', async () => {
  show('phone');
  tell([guest('Aylin K.', lost, { right: 'use' }), guest('Sam')]);
  vi.useRealTimers();
  await userEvent.click(within(bar()).getByRole('button', { name: '1 away' }));
  expect(sharingNow().dialog).toBe('bar');
});

it('says beside the log whose connection is lost in the place of what would pass', () => {
  show('wide');
  act(() => benchStatus.accept({ ...benchStatus.tick, users: { 1: 'Aylin K.', 2: null, 3: null, 4: null } }));
  tell([guest('Aylin K.', {}, { right: 'use', isUsing: true })]);
  expect(screen.getByText(/Aylin K\. uses port 1/).parentElement?.textContent).toContain('You see what passes.');
  tell([guest('Aylin K.', lost, { right: 'use', isUsing: true })]);
  expect(screen.getByText(/Aylin K\. uses port 1/).parentElement?.textContent).toContain(
    'The connection of this guest is lost.',
  );
});

it('says that its own connection is lost, for how long, and that it is tried again, until it is back', () => {
  show('wide');
  const guests = [guest('Aylin K.', {}, { right: 'use', isUsing: true })];
  tell(guests, { state: 'away', awaySince: now - 3_000 });
  expect(bar().textContent).toContain('Connection lost 3 s agoTrying again. Guests wait.');
  expect(screen.getByRole('status').textContent).toBe('The connection of the shared bench is lost. Trying again.');
  act(() => vi.advanceTimersByTime(4_000));
  expect(bar().textContent).toContain('Connection lost 7 s ago');
  // A port can be taken back without a connection.
  expect(within(bar()).getByRole('button', { name: 'Take back port 1 from Aylin K.' })).toBeDefined();
  tell(guests);
  expect(bar().textContent).toContain('Shared with 1 guest');
  expect(bar().textContent).not.toContain('lost');
  expect(screen.getByRole('status').textContent).toBe('');
});
