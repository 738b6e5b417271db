import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FeedbackList, FeedbackStats } from '@wirebench/contract';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportName } from '../../features/admin/admin-texts.ts';
import type { FeedbackCalls } from '../../features/admin/feedback-calls.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { SessionError } from '../../shared/session/session-errors.ts';
import { testSession } from '../../shared/session/testing.ts';
import { serveConfig } from '../../shared/testing/server-config.ts';
import { changeStore, resetStores } from '../../shared/testing/stores.ts';
import { toasts } from '../../shared/testing/toasts.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { AdminPage } from './admin-page.tsx';

const stats: FeedbackStats = { totalFeedbacks: 1_284, todayFeedbacks: 3, uniqueEmails: 906 };

function pageOf(count: number, page = 1, total = count): FeedbackList {
  const data = Array.from({ length: count }, (_, index) => ({
    _id: `${page}-${index}`,
    email: `person-${index}@lab.example`,
    message: `Message ${index} of page ${page}`,
    createdAt: '2026-11-20T13:52:00.000Z',
  }));
  return { data, pagination: { page, limit: 10, total, pages: Math.ceil(total / 10) } };
}

const refused = (status: number) => new ApiError('refused', { status, statusText: '', body: null });

function show(changes: Partial<FeedbackCalls> = {}) {
  const calls = {
    list: vi.fn<FeedbackCalls['list']>(async (page) => pageOf(10, page, 25)),
    stats: vi.fn<FeedbackCalls['stats']>(async () => stats),
    file: vi.fn<FeedbackCalls['file']>(async () => new Blob(['a,b'])),
    ...changes,
  };
  render(
    <MemoryRouter>
      <AdminPage calls={calls} />
    </MemoryRouter>,
  );
  return calls;
}

/** Simulates a browser that blocks windows. The page reports failures of a sign-in in the console only. */
function blockedWindows() {
  const open = vi.fn(() => null);
  vi.stubGlobal('open', open);
  return { open, warn: vi.spyOn(console, 'warn').mockReturnValue(undefined) };
}

/** A button that its own press disables keeps the focus, and is `aria-disabled` until it leaves. */
const isDisabled = (one: HTMLButtonElement) => one.disabled || one.getAttribute('aria-disabled') === 'true';
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

beforeEach(() => {
  serveConfig();
  queryClient.clear();
  resetStores();
  changeStore({ activity: null });
  sessionStore.save(testSession());
});
afterEach(() => {
  cleanup();
  sessionStore.forget();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('sign-in on the admin page', () => {
  it('is shown as being checked while it is unknown', () => {
    sessionStore.forget();
    changeStore({ activity: 'looking' });
    show();
    expect(screen.getByText('Loading...')).toBeTruthy();
    expect(screen.getByText('Checking authentication...')).toBeTruthy();
  });

  it('is asked for without a session, without a call to the server', async () => {
    sessionStore.forget();
    const calls = show();
    expect(screen.getByRole('heading', { name: 'Admin Access Required' })).toBeTruthy();
    expect(screen.getByText('Please log in to access the admin dashboard.')).toBeTruthy();
    const { open, warn } = blockedWindows();
    await userEvent.click(button('Login'));
    expect(open).toHaveBeenCalledExactlyOnceWith('', expect.stringMatching(/^wirebench-sign-in-/), expect.anything());
    expect(warn).toHaveBeenCalledExactlyOnceWith('The sign-in failed.', expect.any(SessionError));
    expect(toasts().current).toBeNull();
    expect(calls.list).not.toHaveBeenCalled();
  });

  it('shows the account with a logout and a link home', async () => {
    show();
    expect(screen.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeTruthy();
    expect(screen.getByText('Feedback Management')).toBeTruthy();
    expect(screen.getByText('mira.k')).toBeTruthy();
    expect(screen.getByText('mira@wirebench.example')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Wirebench home' }).getAttribute('href')).toBe('/');
    await screen.findByText('Message 0 of page 1');
    const { open, warn } = blockedWindows();
    await userEvent.click(button('Logout'));
    expect(open).toHaveBeenCalledExactlyOnceWith('', expect.stringMatching(/^wirebench-sign-out-/), expect.anything());
    expect(warn).toHaveBeenCalledExactlyOnceWith('The sign-out was not completed.', expect.any(SessionError));
    expect(toasts().current).toBeNull();
    expect(screen.getByRole('heading', { name: 'Admin Access Required' })).toBeTruthy();
  });
});

describe('deleting from the list', () => {
  it('is offered beside each message only to users who may moderate', async () => {
    show();
    await screen.findByText('Message 0 of page 1');
    expect(screen.queryByRole('button', { name: 'Delete this feedback' })).toBeNull();
    cleanup();
    const { user, ...session } = testSession();
    sessionStore.save({ ...session, user: { ...user, roles: ['admin'] } });
    show();
    const [first] = await screen.findAllByRole('button', { name: 'Delete this feedback' });
    await userEvent.click(first as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Delete this feedback?' });
    expect(dialog.textContent).toContain('The sender’s account stays as it is.');
    expect(screen.queryByRole('link', { name: 'Delete feedback' })).toBeNull();
  });
});

describe('the list', () => {
  it('says that it is loading, then shows address, time and message of each', async () => {
    let answer: (list: FeedbackList) => void = () => undefined;
    show({ list: () => new Promise((resolve) => (answer = resolve)) });
    expect(screen.getByText('Loading feedbacks...')).toBeTruthy();
    await waitFor(() => act(() => answer(pageOf(2))));
    const [first] = within(await screen.findByRole('list', { name: 'Feedbacks' })).getAllByRole('article');
    expect(first?.textContent).toContain('person-0@lab.example');
    expect(first?.textContent).toContain('Message 0 of page 1');
    expect(first?.querySelector('time')?.dateTime).toBe('2026-11-20T13:52:00.000Z');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  });

  it('says that there are none', async () => {
    show({ list: async () => pageOf(0) });
    expect(await screen.findByText('No feedbacks found.')).toBeTruthy();
  });

  it.each([
    [refused(500), 'Failed to fetch feedbacks'],
    [refused(0), 'Failed to fetch feedbacks'],
    [new SessionError('expired'), 'Session expired. Please refresh the page to re-authenticate.'],
  ])('says why it is not there, and tries again (%#)', async (error, text) => {
    const list = vi.fn<FeedbackCalls['list']>().mockRejectedValueOnce(error).mockResolvedValue(pageOf(1));
    show({ list });
    expect((await screen.findByRole('alert')).textContent).toContain(text);
    await userEvent.click(button('Try again'));
    expect(await screen.findByText('Message 0 of page 1')).toBeTruthy();
  });

  it('offers nothing that needs the right to those who lack it', async () => {
    show({ list: () => Promise.reject(refused(403)) });
    expect((await screen.findByRole('alert')).textContent).toContain(
      "Access denied. You don't have permission to view feedback.",
    );
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.queryByPlaceholderText('Enter email to filter...')).toBeNull();
    expect(screen.queryByText('Total Feedbacks')).toBeNull();
    expect(button('Logout')).toBeTruthy();
  });

  it('is turned page by page, within its ends', async () => {
    show();
    expect(await screen.findByText('Page 1 of 3')).toBeTruthy();
    expect(isDisabled(button('Previous page'))).toBe(true);
    await userEvent.click(button('Next page'));
    expect(await screen.findByText('Message 0 of page 2')).toBeTruthy();
    await userEvent.click(button('Next page'));
    await screen.findByText('Message 0 of page 3');
    expect(isDisabled(button('Next page'))).toBe(true);
    await userEvent.click(button('Previous page'));
    expect(await screen.findByText('Page 2 of 3')).toBeTruthy();
  });

  it('under a filter begins at its first page, and without it again', async () => {
    const list = vi.fn<FeedbackCalls['list']>(async (page) => pageOf(10, page, 25));
    show({ list });
    await screen.findByText('Page 1 of 3');
    await userEvent.click(button('Next page'));
    await screen.findByText('Page 2 of 3');
    const field = screen.getByPlaceholderText<HTMLInputElement>('Enter email to filter...');
    expect(field.type).toBe('email');
    await userEvent.type(field, 'jonas@lab.example');
    await userEvent.click(button('Apply filter'));
    await screen.findByText('Page 1 of 3');
    expect(list.mock.lastCall?.slice(0, 2)).toEqual([1, 'jonas@lab.example']);
    await userEvent.click(button('Next page'));
    await screen.findByText('Page 2 of 3');
    await userEvent.click(button('Clear filter'));
    await screen.findByText('Page 1 of 3');
    expect(field.value).toBe('');
    expect(isDisabled(button('Clear filter'))).toBe(true);
    expect(list.mock.calls.some(([page, email]) => page === 2 && email === 'jonas@lab.example')).toBe(true);
  });
});

it('the filter takes a name too, under which feedback of people without an email is', async () => {
  const list = vi.fn<FeedbackCalls['list']>(async (page) => pageOf(10, page, 25));
  show({ list });
  await screen.findByText('Page 1 of 3');
  const field = screen.getByPlaceholderText<HTMLInputElement>('Enter email to filter...');
  await userEvent.type(field, 'mira.k');
  expect(field.checkValidity()).toBe(false);
  await userEvent.click(button('Apply filter'));
  await waitFor(() => expect(list.mock.lastCall?.slice(0, 2)).toEqual([1, 'mira.k']));
});

describe('the counts', () => {
  it('are shown', async () => {
    show();
    const card = (await screen.findByText('Total Feedbacks')).parentElement;
    await waitFor(() => expect(card?.textContent).toMatch(/1.284/));
    expect(screen.getByText("Today's Feedbacks").parentElement?.textContent).toContain('3');
    expect(screen.getByText('Unique Users').parentElement?.textContent).toContain('906');
  });

  it.each([
    [403, 'warn'],
    [500, 'error'],
  ] as const)('answered %i: only the console shows it (%s)', async (status, level) => {
    const log = vi.spyOn(console, level).mockReturnValue(undefined);
    show({ stats: async () => Promise.reject(refused(status)) });
    await waitFor(() => expect(log).toHaveBeenCalled());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(toasts().current).toBeNull();
  });
});

describe('the export', () => {
  it('is named by the day', () => {
    expect(exportName(new Date(2026, 0, 5, 23, 59))).toBe('feedbacks-export-2026-01-05.csv');
  });

  it('honours the filter, and cannot be asked for twice at once', async () => {
    let answer: (file: Blob) => void = () => undefined;
    const { file } = show({ file: vi.fn(() => new Promise<Blob>((resolve) => (answer = resolve))) });
    await userEvent.type(screen.getByPlaceholderText('Enter email to filter...'), 'a@b.example{Enter}');
    await userEvent.click(button('Export CSV'));
    expect(file).toHaveBeenCalledWith('a@b.example');
    expect(isDisabled(button('Exporting…'))).toBe(true);
    const saved = await savedBy(() => act(async () => answer(new Blob(['x']))));
    expect(new TextDecoder().decode(saved.bytes)).toBe('x');
    await waitFor(() => expect(isDisabled(button('Export CSV'))).toBe(false));
  });

  it('shows a failure', async () => {
    show({ file: async () => Promise.reject(refused(500)) });
    await userEvent.click(button('Export CSV'));
    await waitFor(() => expect(toasts().current?.text).toBe('Failed to export feedbacks'));
  });
});
