import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveTick } from '../../protocol/live-protocol.ts';
import { resetStores } from '../../shared/testing/stores.ts';
import { liveLine } from '../../workbench/live/live-line.ts';
import { setLink, takeTick } from '../../workbench/live/live-store.ts';
import { joinedTick, watchedPort } from '../../workbench/live/testing/live-tick.ts';
import { FlashMenu } from './flash-menu.tsx';
import { Live } from './live.tsx';
import { LiveBanner } from './live-banner.tsx';
import { HereNow, LinkFacts, PortFacts } from './live-sections.tsx';

const call = vi.fn(async (): Promise<undefined> => undefined);
const link = { origin: 'http://localhost', room: 'room', secret: 'secret' };

const tell = (change: Partial<LiveTick>) => act(() => takeTick({ ...joinedTick, ...change }));

function show(): void {
  render(
    <main id="main" tabIndex={-1}>
      <Live>
        <LiveBanner port={1} />
      </Live>
    </main>,
  );
}

beforeEach(() => {
  localStorage.clear();
  call.mockClear();
  liveLine.replace({ call: call as never });
  resetStores();
  setLink(link);
});
afterEach(() => {
  cleanup();
  liveLine.replace(null);
});

it('the page asks once for a name, then joins automatically', async () => {
  show();
  await userEvent.type(screen.getByRole('textbox', { name: 'Your name' }), '  Grace   H. ');
  await userEvent.click(screen.getByRole('button', { name: 'Watch the bench' }));
  expect(call).toHaveBeenCalledWith('join', link, 'Grace H.', true, expect.any(String));
  expect(screen.getByRole('heading').textContent).toBe('Joining the shared bench…');
  // The form is gone, so the page's main part has the focus.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  cleanup();
  call.mockClear();
  resetStores();
  setLink(link);
  show();
  expect(call).toHaveBeenCalledWith('join', link, 'Grace H.', true, expect.any(String));
});

it('the page explains a faulty link, and asks for nothing', () => {
  setLink('wrong-key');
  show();
  expect(screen.getByRole('heading').textContent).toBe('This link has lost its key');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(call).not.toHaveBeenCalled();
});

it('the banner leads from watching to typing to using, and back', async () => {
  localStorage.setItem('wirebench.guest-name', 'Grace');
  show();
  tell({});
  expect(screen.getByText('You may watch port 1.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Ask to type' }));
  expect(call).toHaveBeenLastCalledWith('ask', 1, 'type');
  tell({ ports: [{ ...watchedPort, asked: 'type' }] });
  expect(screen.getByRole('button', { name: 'Asked to type…' }).getAttribute('aria-disabled')).toBe('true');
  tell({ ports: [{ ...watchedPort, right: 'type' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Ask to use port 1' }));
  expect(call).toHaveBeenLastCalledWith('ask', 1, 'use');
  tell({ ports: [{ ...watchedPort, right: 'use', user: 'Bob' }] });
  expect(screen.getByRole('button', { name: 'Use port 1' }).getAttribute('aria-disabled')).toBe('true');
  tell({ ports: [{ ...watchedPort, right: 'use' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Use port 1' }));
  expect(call.mock.lastCall?.slice(0, 2)).toEqual(['use', 1]);
  tell({ ports: [{ ...watchedPort, right: 'use', isYours: true, user: 'Grace' }], using: [1] });
  await userEvent.click(screen.getByRole('button', { name: 'Give port 1 back' }));
  expect(call).toHaveBeenLastCalledWith('giveBack', 1);
});

it('the banner names the lost connection, and the state of the log when the visit ends', () => {
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

it('an end before the first meeting replaces the bench, and a retry is offered', async () => {
  localStorage.setItem('wirebench.guest-name', 'Grace');
  show();
  tell({ state: 'ended', why: 'too-many', host: '', ports: [] });
  expect(screen.getByRole('heading').textContent).toBe('The shared bench is full');
  call.mockClear();
  await userEvent.click(screen.getByRole('button', { name: 'Open the link again' }));
  expect(call).toHaveBeenCalledWith('join', link, 'Grace', true, expect.any(String));
});

it('an ended visit shows no people, no flash button and no delay', () => {
  render(
    <>
      <FlashMenu port={1} />
      <PortFacts port={1} />
      <LinkFacts />
      <HereNow />
    </>,
  );
  tell({ people: [{ name: 'Grace', isYou: true, rights: [] }] });
  expect(screen.getByText('Grace, you')).toBeTruthy();
  expect(screen.getByText('40 ms')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Flash this board' })).toBeTruthy();
  tell({ people: [{ name: 'Grace', isYou: true, rights: [] }], state: 'ended', why: 'ended' });
  expect(screen.queryByText('Grace, you')).toBeNull();
  expect(screen.queryByText('40 ms')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Flash this board' })).toBeNull();
  expect(screen.queryByText(/can change these/)).toBeNull();
  expect(screen.getByText('Board')).toBeTruthy();
});

it('says that a simulated board has no chip to flash', () => {
  render(<FlashMenu port={1} />);
  const simulated = { ...watchedPort, isSimulated: true };
  tell({ ports: [simulated] });
  expect(screen.queryByRole('button', { name: 'Flash this board' })).toBeNull();
  expect(
    screen.getByText('This board is simulated. To try a flasher, use the demo board on its own page.'),
  ).toBeTruthy();
  tell({ ports: [{ ...simulated, isSimulated: false } as typeof watchedPort] });
  expect(screen.getByRole('button', { name: 'Flash this board' })).toBeTruthy();
});
