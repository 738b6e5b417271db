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
import { FeedbackDialog } from './feedback-dialog.tsx';

const message = 'Keep my port names after a reload, please.';

beforeEach(() => sessionStore.save(testSession()));
afterEach(() => {
  cleanup();
  sessionStore.forget();
});

type Send = (feedback: NewFeedback) => Promise<FeedbackAnswer>;

function Opener({ clock, send }: { clock: VirtualClock; send: Send }) {
  const [open, setOpen] = useState(true);
  const [close] = useState(() => () => setOpen(false));
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open again
      </button>
      <FeedbackDialog open={open} onClose={close} clock={clock} send={send} />
    </>
  );
}

async function openDialog() {
  const clock = new VirtualClock();
  const send = vi.fn<Send>();
  render(<Opener clock={clock} send={send} />);
  await screen.findByRole('dialog', { name: 'Send feedback' });
  return { clock, send };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your feedback' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('feedback modal', () => {
  it.each([
    ['', 'Please enter your feedback'],
    ['   ', 'Please enter your feedback'],
    ['too short', 'Please enter at least 20 characters'],
  ])('refuses %j with its reason, and sends nothing', async (text, reason) => {
    const { send } = await openDialog();
    if (text !== '') {
      await userEvent.type(field(), text);
    }
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

  it('closes by Escape and forgets what was typed', async () => {
    await openDialog();
    await userEvent.type(field(), message);
    await userEvent.keyboard('{Escape}');
    await closed();
    await press('Open again');
    await screen.findByRole('dialog');
    expect(field().value).toBe('');
    await press('Cancel');
    await closed();
  });
});
