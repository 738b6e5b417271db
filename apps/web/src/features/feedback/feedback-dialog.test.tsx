import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { VirtualClock } from '@wirebench/clock';
import type { FeedbackAnswer, NewFeedback } from '@wirebench/contract';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../shared/api/api-error.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { SessionError } from '../../shared/session/session-errors.ts';
import { testSession } from '../../shared/session/testing.ts';
import { serveConfig, testConfig } from '../../shared/testing/server-config.ts';
import { resetStores } from '../../shared/testing/stores.ts';
import { toasts } from '../../shared/testing/toasts.ts';
import { FeedbackDialog } from './feedback-dialog.tsx';

const message = 'Keep my port names after a reload, please.';

beforeEach(() => {
  resetStores();
  serveConfig();
  sessionStore.save(testSession());
});
afterEach(() => {
  cleanup();
  sessionStore.forget();
  vi.unstubAllGlobals();
});

type Send = (feedback: NewFeedback) => Promise<FeedbackAnswer>;

function Opener({ clock, send, issuesUrl }: { clock: VirtualClock; send: Send; issuesUrl: string | undefined }) {
  const [load] = useState(() => async () => (issuesUrl === undefined ? testConfig : { ...testConfig, issuesUrl }));
  const [state, setState] = useState({ open: true, text: '' });
  const [close] = useState(() => () => setState({ open: false, text: '' }));
  return (
    <>
      <button type="button" onClick={() => setState({ open: true, text: '' })}>
        Open again
      </button>
      <FeedbackDialog
        {...state}
        onClose={close}
        onReopen={(text) => setState({ open: true, text })}
        clock={clock}
        send={send}
        config={load}
      />
    </>
  );
}

async function openDialog(issuesUrl?: string) {
  const clock = new VirtualClock();
  const send = vi.fn<Send>();
  render(<Opener clock={clock} send={send} issuesUrl={issuesUrl} />);
  await screen.findByRole('dialog', { name: 'Send feedback' });
  return { clock, send };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your feedback' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('feedback modal', () => {
  it.each([
    ['', 'Please enter your feedback', '20 characters still needed'],
    ['   ', 'Please enter your feedback', '20 characters still needed'],
    ['too short', 'Please enter at least 20 characters', '11 characters still needed'],
  ])('refuses %j with its reason, and sends nothing', async (text, reason, missing) => {
    const { send } = await openDialog();
    if (text !== '') {
      await userEvent.type(field(), text);
    }
    expect(screen.getByText(missing)).toBeTruthy();
    await press('Send');
    expect(screen.getByText(reason)).toBeTruthy();
    expect(send).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(field());
  });

  it('takes no more than 140 characters', async () => {
    await openDialog();
    await userEvent.click(field());
    await userEvent.paste('x'.repeat(150));
    expect(field().value).toHaveLength(140);
    expect(screen.getByText('0 characters left')).toBeTruthy();
  });

  it.each([
    [testSession().user, 'mira@wirebench.example'],
    [{ ...testSession().user, email: null }, 'mira.k'],
    [{ ...testSession().user, email: null, name: '' }, 'anonymous@wirebench.invalid'],
  ])('sends as the address, else the name, else anonymous (%#)', async (user, email) => {
    sessionStore.save(testSession({ user }));
    const { send } = await openDialog();
    send.mockReturnValue(new Promise(() => undefined));
    await userEvent.type(field(), message);
    await press('Send');
    expect(send.mock.lastCall?.[0]).toEqual({ message, email });
    expect(screen.getByRole('button', { name: 'Sending…' }).getAttribute('aria-busy')).toBe('true');
  });

  it('says that it was sent, closes 2 s later, and is empty when it opens again', async () => {
    const { clock, send } = await openDialog();
    send.mockResolvedValue({ data: { _id: 'x', email: 'x', message, createdAt: 'x' } });
    await userEvent.type(field(), message);
    await press('Send');
    await screen.findByText('Feedback sent.');
    await act(() => clock.advance(1_999));
    expect(screen.getByRole('dialog')).toBeTruthy();
    await act(() => clock.advance(1));
    await closed();
    await press('Open again');
    await screen.findByRole('dialog');
    expect(field().value).toBe('');
  });

  it.each([
    [
      new ApiError('HTTP 500', { status: 500, statusText: '', body: null }),
      'Failed to submit feedback. Please try again.',
    ],
    [
      new ApiError('Later', { status: 429, statusText: '', body: { error: 'Too many requests.', message: 'Later' } }),
      'Too many requests.',
    ],
    [new SessionError('expired'), 'Session expired. Please refresh the page to re-authenticate.'],
    [new TypeError('anything'), 'Failed to submit feedback. Please try again.'],
  ])('says why it failed and keeps what was typed (%#)', async (error, text) => {
    const { send } = await openDialog();
    send.mockRejectedValue(error);
    await userEvent.type(field(), message);
    await press('Send');
    await screen.findByText(text);
    expect(field().value).toBe(message);
  });

  it('closes by Escape and forgets what was typed, unless it is wanted back', async () => {
    await openDialog();
    await userEvent.type(field(), message);
    await userEvent.keyboard('{Escape}');
    await closed();
    const { current } = toasts();
    expect([current?.text, current?.action?.label]).toEqual(['Feedback discarded', 'Undo']);
    act(() => current?.action?.onAction());
    await screen.findByRole('dialog');
    expect(field().value).toBe(message);
    await userEvent.keyboard('{Escape}');
    await closed();
    await press('Open again');
    await screen.findByRole('dialog');
    expect(field().value).toBe('');
    const before = toasts().current;
    await press('Cancel');
    await closed();
    expect(toasts().current).toBe(before);
  });

  it.each([
    [null, 'Feedback sent.', undefined],
    [new TypeError('anything'), 'Failed to submit feedback. Please try again.', 'Open again'],
  ])(
    'says how a send ended that it was closed during, and keeps the text of one that failed (%#)',
    async (error, text, label) => {
      const { send } = await openDialog();
      let end: () => void = () => undefined;
      send.mockImplementation(
        () =>
          new Promise((resolve, reject) => {
            end = () =>
              error === null ? resolve({ data: { _id: 'x', email: 'x', message, createdAt: 'x' } }) : reject(error);
          }),
      );
      await userEvent.type(field(), message);
      await press('Send');
      await userEvent.keyboard('{Escape}');
      await closed();
      expect(toasts().current).toBeNull();
      end();
      await waitFor(() => expect(toasts().current).not.toBeNull());
      const said = toasts().current;
      expect([said?.text, said?.action?.label]).toEqual([text, label]);
      if (said?.action) {
        const { onAction } = said.action;
        act(() => onAction());
        await screen.findByRole('dialog');
        expect(field().value).toBe(message);
      }
    },
  );

  it('keeps the text when the session ends, and sends it after a new sign-in', async () => {
    const { send } = await openDialog();
    await userEvent.type(field(), message);
    act(() => sessionStore.forget());
    await screen.findByText('You are signed out.');
    await press('Send');
    expect(send).not.toHaveBeenCalled();
    const open = vi.fn(() => ({ closed: false, close: () => undefined }));
    vi.stubGlobal('open', open);
    await press('Sign in');
    expect(open).toHaveBeenNthCalledWith(1, '', expect.stringMatching(/^wirebench-sign-in-/), expect.anything());
    act(() => sessionStore.save(testSession()));
    await waitFor(() => expect(screen.queryByText('You are signed out.')).toBeNull());
    expect(field().value).toBe(message);
    send.mockReturnValue(new Promise(() => undefined));
    await press('Send');
    expect(send.mock.lastCall?.[0]).toMatchObject({ message });
  });
});

describe('a fault that needs more than 140 characters', () => {
  it.each([
    ['https://git.example.org/bench/issues', 'Report it at git.example.org', '_blank'],
    ['mailto:help@example.org', 'Write to help@example.org', null],
  ])('has the way to %s beside the counter', async (address, text, target) => {
    await openDialog(address);
    const link = await screen.findByRole('link', { name: text });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([address, target]);
  });

  it('has no link where the operator named no place', async () => {
    await openDialog();
    await act(async () => undefined);
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByText(/more room/)).toBeNull();
  });
});
