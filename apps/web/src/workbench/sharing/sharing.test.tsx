/** The host's dialog and bar. The test simulates the worker. */

import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ShareGuest, ShareStatus } from '../../protocol/share-protocol.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { toasts } from '../../shared/testing/toasts.ts';
import { RoomServer } from '../../worker/sharing/testing/room-server.ts';
import { fakeBench } from '../testing/fake-bench.ts';
import { shareLine, takeStatus } from './share-actions.ts';
import { ShareBar } from './share-bar.tsx';
import { ShareButton } from './share-button.tsx';
import { changeSharing, sharedBenches, sharingNow } from './sharing-store.ts';

const secret = 'k'.repeat(43);
const link = `https://bench.example/live.html?id=${'A'.repeat(22)}#${secret}`;
const off = sharingNow();

fakeBench(async () => []);

type Port = ShareGuest['ports'][number];
const port = (change: Partial<Port> = {}): Port => ({
  port: 1,
  right: 'watch',
  asked: null,
  isUsing: false,
  ...change,
});
const guest = (name: string, ...ports: Port[]): ShareGuest => ({
  id: name.toLowerCase(),
  name,
  since: Date.now() - 41_000,
  isConnected: true,
  awaySince: null,
  ports: ports.length === 0 ? [port()] : ports,
});
const status = (...guests: ShareGuest[]): ShareStatus => ({
  state: 'sharing',
  why: null,
  awaySince: null,
  endsAt: new Date(2026, 10, 22, 22, 4).getTime(),
  guests,
  ports: [1],
});

const calls: unknown[][] = [];
let server: RoomServer;
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const tell = (now: ShareStatus) => act(() => takeStatus(now));

beforeEach(() => {
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
  calls.length = 0;
  server = new RoomServer();
  vi.stubGlobal('fetch', server.fetch);
  // A wide window.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  changeSharing(off, true);
  shareLine.replace({
    call: async (...call: unknown[]) => {
      calls.push(call);
      return call[0] === 'start' ? link : undefined;
    },
  } as Parameters<typeof shareLine.replace>[0]);
});
afterEach(() => {
  sessionStore.forget();
  vi.useRealTimers();
  cleanup();
  vi.unstubAllGlobals();
  shareLine.replace(null);
});

async function openDialog() {
  await press('Share');
  return screen.findByRole('dialog', { name: 'Share this bench' });
}

async function share() {
  render(
    <>
      <ShareBar />
      <ShareButton place="toolbar" />
    </>,
  );
  changeSharing({ dialog: 'toolbar' });
  await screen.findByRole('dialog', { name: 'Share this bench' });
  await press('Make a link');
  await screen.findByRole('button', { name: 'Copy link' });
}

describe('the dialog', () => {
  it('offers to disconnect a board here that is kept from a guest who may use it', async () => {
    const releasePort = vi.fn(async () => true);
    changeSharing({ phase: 'on', link, releasePort });
    render(<ShareBar />);
    tell(status(guest('Aylin K.', port({ right: 'use', asked: 'use' }))));
    await press('Disconnect port 1 here for Aylin K.');
    expect(releasePort).toHaveBeenCalledWith(1);
    await waitFor(() => expect(calls).toContainEqual(['setRight', 'aylin k.', 1, 'use']));
    releasePort.mockResolvedValue(false);
    calls.length = 0;
    await press('Disconnect port 1 here for Aylin K.');
    expect(calls).toEqual([]);
  });

  it('makes a link after the time that was chosen, with its key apart', async () => {
    render(<ShareButton place="toolbar" />);
    const dialog = await openDialog();
    await userEvent.click(within(dialog).getByRole('radio', { name: '4 h' }));
    await press('Make a link');
    await screen.findByRole('button', { name: 'Copy link' });
    expect(calls[0]).toMatchObject([
      'start',
      { room: 'A'.repeat(22), hostToken: 'token', origin: location.origin, relay: location.origin, hours: 4 },
    ]);
    expect(within(dialog).getByText(`#${secret}`).tagName).toBe('EM');
    expect(within(dialog).getByRole('img', { name: 'QR code of the link' })).toBeDefined();
    await userEvent.click(within(dialog).getByRole('radio', { name: '1 h' }));
    expect(calls.at(-1)).toEqual(['endAfter', 1]);
  });

  it('shows guests the last lines until that is switched off, and remembers the choice', async () => {
    render(<ShareButton place="toolbar" />);
    const dialog = await openDialog();
    const shows = () => within(dialog).getByRole<HTMLInputElement>('switch', { name: 'Guests see the last 500 lines' });
    expect(shows().checked).toBe(true);
    expect(document.getElementById(shows().getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
      /newest 500 lines of every port, 64 KB at most/,
    );
    expect(localStorage.getItem('wirebench.share-earlier-lines')).toBeNull();
    await press('Make a link');
    await screen.findByRole('button', { name: 'Copy link' });
    expect(calls[0]).toMatchObject(['start', { showsEarlier: true }]);
    await userEvent.click(shows());
    expect(calls.at(-1)).toEqual(['showEarlier', false]);
    expect(localStorage.getItem('wirebench.share-earlier-lines')).toBe('off');
    await userEvent.click(shows());
    expect(calls.at(-1)).toEqual(['showEarlier', true]);
    expect(localStorage.getItem('wirebench.share-earlier-lines')).toBe('on');
  });

  it('keeps the last lines from guests when they are switched off before there is a link', async () => {
    render(<ShareButton place="toolbar" />);
    const dialog = await openDialog();
    await userEvent.click(within(dialog).getByRole('switch', { name: 'Guests see the last 500 lines' }));
    await press('Make a link');
    await screen.findByRole('button', { name: 'Copy link' });
    expect(calls[0]).toMatchObject(['start', { showsEarlier: false }]);
  });

  it.each([
    [422, 'You are already sharing 3 benches. Stop sharing one of them first.'],
    [503, 'Sharing is not available right now. Please try again in a moment.'],
    [429, 'Too many requests. Please wait a moment and try again.'],
  ])('says why there is no link, and takes another try (%i)', async (code, message) => {
    server.failAt('POST /api/live/rooms', { status: code, message });
    render(<ShareButton place="toolbar" />);
    const dialog = await openDialog();
    await press('Make a link');
    expect((await within(dialog).findByRole('alert')).textContent).toContain(message);
    expect(calls).toEqual([]);
    expect(sharedBenches.count()).toBe(0);
  });

  it('gives each guest its right at each port, and removes a guest', async () => {
    await share();
    tell({ ...status(guest('Jonas W.', port(), port({ port: 2, right: 'use' }))), ports: [1, 2] });
    const dialog = screen.getByRole('dialog', { name: 'Share this bench' });
    expect(within(dialog).getByText(/^here 4\d s$/)).toBeDefined();
    const second: HTMLSelectElement = within(dialog).getByRole('combobox', { name: 'Jonas W., port 2' });
    expect(second.value).toBe('use');
    await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: 'Jonas W., port 1' }), 'Type');
    expect(calls.at(-1)).toEqual(['setRight', 'jonas w.', 1, 'type']);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove Jonas W.' }));
    expect(calls.at(-1)).toEqual(['remove', 'jonas w.']);
  });

  it('shows who asks for what, to be allowed or not now', async () => {
    await share();
    tell(status(guest('Priya S.', port({ asked: 'type' })), guest('Jonas W.', port({ asked: 'use' }))));
    const dialog = screen.getByRole('dialog', { name: 'Share this bench' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Allow Priya S.' }));
    expect(calls.at(-1)).toEqual(['setRight', 'priya s.', 1, 'type']);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Not now, Jonas W.' }));
    expect(calls.at(-1)).toEqual(['refuse', 'jonas w.', 1]);
  });
});

describe('a class of guests', () => {
  const seats = (...ports: Port[]) =>
    Array.from({ length: 30 }, (_, seat) => ({ ...guest(`Seat ${seat + 1}`, ...ports), id: `seat-${seat + 1}` }));
  const dialog = () => screen.getByRole('dialog', { name: 'Share this bench' });

  it('is searched by name, and a lone guest is not', async () => {
    await share();
    tell(status(guest('Jonas W.')));
    expect(within(dialog()).queryByRole('searchbox')).toBeNull();
    tell(status(...seats()));
    await userEvent.type(within(dialog()).getByRole('searchbox', { name: 'Find a guest' }), 'seat 7');
    expect(
      within(dialog())
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('Seat 7')]);
    await userEvent.type(within(dialog()).getByRole('searchbox', { name: 'Find a guest' }), ' b');
    expect(dialog().textContent).toContain('No guest matches.');
  });

  it('is lowered at once, or by two presses if a guest would lose a port', async () => {
    await share();
    tell(status(...seats()));
    expect(within(dialog()).queryByRole('button', { name: 'Set everyone to Watch' })).toBeNull();
    tell(status(...seats(port({ right: 'type' }))));
    expect(dialog().textContent).toContain('30 guests of 30 may do more than watch');
    await press('Set everyone to Watch');
    expect(calls.at(-1)).toEqual(['lowerAll']);
    calls.length = 0;
    tell(status(...seats(port({ right: 'type' })), guest('Aylin K.', port({ right: 'use', isUsing: true }))));
    await press('Set everyone to Watch');
    expect(calls).toEqual([]);
    await press('Press again: 1 guest loses the port');
    expect(calls).toEqual([['lowerAll']]);
  });

  it('is lowered by two presses again after a port was given back between them', async () => {
    await share();
    const using = (isUsing: boolean) =>
      tell(status(...seats(port({ right: 'type' })), guest('Aylin K.', port({ right: 'use', isUsing }))));
    using(true);
    await press('Set everyone to Watch');
    using(false);
    expect(within(dialog()).getByRole('button', { name: 'Set everyone to Watch' })).toBeDefined();
    using(true);
    await press('Set everyone to Watch');
    expect(calls.filter(([call]) => call === 'lowerAll')).toEqual([]);
    await press('Press again: 1 guest loses the port');
    expect(calls.at(-1)).toEqual(['lowerAll']);
  });

  it('asks all at once without thirty announcements, and is refused at once', async () => {
    await share();
    tell(status(...seats(port({ asked: 'type' }))));
    expect(screen.getByRole('status').textContent).toBe('Seat 1 asks to type on port 1, and 29 others ask.');
    const bar = screen.getByRole('region', { name: 'Shared bench' });
    expect(within(bar).getAllByRole('button').length).toBeLessThan(10);
    await press('Refuse all');
    expect(calls.at(-1)).toEqual(['refuseAll']);
  });

  it('shows a hostile name as text', async () => {
    await share();
    tell(status(guest('<img src=x onerror=alert(1)>', port({ asked: 'use' }))));
    expect(dialog().querySelector('img')).toBeNull();
    expect(within(dialog()).getByRole('rowheader').textContent).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('the bar', () => {
  it('counts guests, names what they may do, and takes a port back', async () => {
    await share();
    tell(status(guest('Priya S.'), guest('Aylin K.', port({ right: 'use', isUsing: true }))));
    const bar = screen.getByRole('region', { name: 'Shared bench' });
    expect(bar.textContent).toContain('Shared with 2 guests');
    expect(bar.textContent).toContain('ends 22:04');
    await userEvent.click(within(bar).getByRole('button', { name: 'Take back port 1 from Aylin K.' }));
    expect(calls.at(-1)).toEqual(['takeBack', 1]);
  });

  it('announces requests politely', async () => {
    await share();
    tell(status(guest('Priya S.', port({ asked: 'type' }))));
    expect(screen.getByRole('status').textContent).toBe('Priya S. asks to type on port 1.');
  });

  it('says that the server is not reached', async () => {
    await share();
    tell({ ...status(), state: 'connecting' });
    expect(screen.getByRole('region', { name: 'Shared bench' }).textContent).toContain('Connecting to the server…');
  });

  it('stops at once, and tells the server itself where the host is not connected', async () => {
    await share();
    tell({ ...status(), state: 'connecting' });
    await press('Stop sharing');
    expect(calls.at(-1)).toEqual(['stop']);
    expect(sharedBenches.count()).toBe(0);
    await waitFor(() => expect(server.calls).toContain(`DELETE /api/live/rooms/${'A'.repeat(22)}`));
    // Later reports of the worker change nothing.
    tell(status(guest('Priya S.')));
    expect(sharingNow()).toMatchObject({ phase: 'off', link: null, status: null });
  });

  it('tells the server of the end again until it answers, when there was no connection at all', async () => {
    await share();
    tell({ ...status(), state: 'connecting' });
    const ending = `DELETE /api/live/rooms/${'A'.repeat(22)}`;
    const tries = () => server.calls.filter((call) => call === ending).length;
    server.failAt('DELETE', 'offline');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.click(screen.getByRole('button', { name: 'Stop sharing' }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tries()).toBeGreaterThan(1);
    server.failAt('DELETE', null);
    await vi.advanceTimersByTimeAsync(10_000);
    const answered = tries();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(tries()).toBe(answered);
  });

  it('shows why sharing has ended by itself', async () => {
    await share();
    tell({ ...status(), state: 'ended', why: 'empty' });
    expect(sharingNow().phase).toBe('off');
    expect(toasts().current?.text).toBe('Sharing has ended: no guest was here for 30 minutes.');
  });

  it('ends with the document, at the server too', async () => {
    await share();
    tell(status());
    window.dispatchEvent(new Event('pagehide'));
    expect(calls.at(-1)).toEqual(['stop']);
    await waitFor(() => expect(server.calls).toContain(`DELETE /api/live/rooms/${'A'.repeat(22)}`));
  });
});
