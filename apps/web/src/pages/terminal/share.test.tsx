/** Tests the terminal of a host who shares the bench, with simulated guests. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { parseShareLink, type Right } from '@wirebench/remote';
import { expect, it, vi } from 'vitest';
import { SessionStore } from '../../shared/session/session-store.ts';
import { testSession } from '../../shared/session/testing.ts';
import { says } from '../../workbench/testing/reading.ts';
import { theBench, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { RelayInThread } from '../../worker/live/testing/relay-in-thread.ts';
import { RoomServer } from '../../worker/sharing/testing/room-server.ts';
import { visitorOf } from '../../worker/sharing/testing/visitor.ts';
import { rows } from './testing/log-steps.ts';
import { message, press, prompt, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const utf8 = (text: string) => new TextEncoder().encode(text);

const bar = () => screen.getByRole('region', { name: 'Shared bench' });
const dialog = () => screen.getByRole('dialog', { name: 'Share this bench' });
const barSays = (text: string) => says(() => screen.queryByRole('region', { name: 'Shared bench' }), text);
const pressIn = async (part: HTMLElement, name: string) =>
  userEvent.click(await within(part).findByRole('button', { name }));

/** Signs in, starts a demo board on port 1 and opens the share dialog. */
async function openDialog(): Promise<{ relay: RelayInThread; server: RoomServer }> {
  const server = new RoomServer();
  vi.stubGlobal('fetch', server.fetch);
  new SessionStore(localStorage, window).save(testSession({ expiresAt: Date.now() + 3_600_000 }));
  const relay = new RelayInThread();
  await startDemo();
  await press('Share');
  await screen.findByRole('dialog', { name: 'Share this bench' });
  return { relay, server };
}

/**
 * Makes a link in the open dialog and closes the dialog.
 *
 * @returns Function that lets a guest open the link.
 */
async function makeLink(relay: RelayInThread) {
  await pressIn(dialog(), 'Make a link');
  await barSays('Shared, no guest yet');
  const link = dialog().querySelector('p[title]')?.getAttribute('title') ?? '';
  await closeDialog();
  const { secret } = parseShareLink(link);
  return (name: string) => {
    const visitor = visitorOf({ clock: theBench().clock, dial: relay.dialGuest, secret, name });
    const { guest } = visitor;
    return {
      ...visitor,
      joined: () => waitFor(() => expect(guest.status.state).toBe('joined')),
      hasRight: (right: Right) => waitFor(() => expect(guest.status.ports[0]?.right).toBe(right)),
      ended: (why: string) => waitFor(() => expect(guest.status).toMatchObject({ state: 'ended', why })),
    };
  };
}

async function closeDialog(): Promise<void> {
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Share this bench' })).toBeNull());
}

it('a shared bench is watched, typed into with the right to, and not after its guest was removed', async () => {
  const { relay } = await openDialog();
  const arrive = await makeLink(relay);
  const jonas = arrive('Jonas W.');
  await jonas.joined();
  await barSays('Shared with 1 guest');
  await type('version');
  await waitFor(() => expect(jonas.lane(1, 'received')).toMatch(prompt));
  expect(jonas.lane(1, 'received')).toContain('version');
  await expect(jonas.guest.type(1, utf8('help\r\n'))).rejects.toMatchObject({ name: 'NotAllowedError' });

  message().focus();
  jonas.guest.ask(1, 'type');
  await within(bar()).findByText((_, element) => element?.textContent === 'Jonas W. asks to type on port 1');
  // A guest's request must not move the focus.
  expect(document.activeElement).toBe(message());
  await pressIn(bar(), 'Allow Jonas W.');
  await jonas.hasRight('type');
  await jonas.guest.type(1, utf8('info\r\n'));
  await waitFor(() =>
    expect(rows('[data-author="typed by Jonas W."]').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('info'),
    ]),
  );
  await waitFor(() => expect(jonas.lane(1, 'received')).toContain('115200 8N1'));

  await pressIn(bar(), 'Share');
  await screen.findByRole('dialog', { name: 'Share this bench' });
  await pressIn(dialog(), 'Remove Jonas W.');
  await jonas.ended('expelled');
  await says(dialog, 'Nobody has opened the link yet.');
});

it('a shared bench gives a port to a guest and takes it back, and the link ends with Stop', async () => {
  const { relay } = await openDialog();
  const arrive = await makeLink(relay);
  const aylin = arrive('Aylin K.');
  await aylin.joined();
  await pressIn(bar(), 'Share');
  await screen.findByRole('dialog', { name: 'Share this bench' });
  await userEvent.selectOptions(await within(dialog()).findByRole('combobox', { name: 'Aylin K., port 1' }), 'Use');
  await closeDialog();
  await aylin.hasRight('use');
  const port = await waitFor(() => {
    const given = aylin.guest.serial.portAt(1);
    expect(given).not.toBeNull();
    return given;
  });
  await port?.open({ baudRate: 115_200 });
  await said('Aylin K. uses port 1 from now on. You see what passes.');
  await screen.findByRole('tab', { name: /used by Aylin K\./ });
  await barSays('uses port 1');
  await port?.writable?.getWriter().write(utf8('version\r\n'));
  await waitFor(() =>
    expect(rows('[data-author="Aylin K."]').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('version'),
    ]),
  );
  await pressIn(bar(), 'Take back port 1 from Aylin K.');
  await screen.findByRole('button', { name: 'Disconnect port 1' });
  await aylin.hasRight('type');

  await pressIn(bar(), 'Stop sharing');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Shared bench' })).toBeNull());
  await aylin.ended('ended');
  await arrive('Priya S.').ended('no-such-room');
});

it('the dialog is docked beside the console: it stays while the console is used, and gives the focus back', async () => {
  await openDialog();
  const button = () => screen.getByRole('button', { name: 'Share' });
  expect(dialog().contains(document.activeElement)).toBe(true);
  const terminal = (await screen.findByRole('heading', { name: 'Serial terminal' })).parentElement;
  expect(terminal?.contains(dialog())).toBe(true);
  await type('version');
  await said('version');
  expect(screen.queryByRole('dialog', { name: 'Share this bench' })).not.toBeNull();
  // The dock comes back in its place.
  await press('Panels');
  expect(screen.queryByRole('dialog', { name: 'Share this bench' })).toBeNull();
  await userEvent.click(button());
  await screen.findByRole('dialog', { name: 'Share this bench' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button()));
  await userEvent.click(button());
  await pressIn(await screen.findByRole('dialog', { name: 'Share this bench' }), 'Close');
  expect(document.activeElement).toBe(button());
});

it('the dialog shows why there is no link, and the next attempt makes one', async () => {
  const { server } = await openDialog();
  server.failAt('POST /api/live/rooms', { status: 503, message: 'Sharing is not available right now.' });
  await pressIn(dialog(), 'Make a link');
  await says(() => within(dialog()).queryByRole('alert'), 'Sharing is not available right now.');
  expect(screen.queryByRole('region', { name: 'Shared bench' })).toBeNull();
  server.failAt('POST /api/live/rooms', null);
  await pressIn(dialog(), 'Make a link');
  await barSays('Shared, no guest yet');
});
