import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../testing/stores.ts';
import { toasts } from '../testing/toasts.ts';
import { toast } from '../ui/toast.ts';
import { sessionStore } from './page-session.ts';
import type { Popup } from './popup.ts';
import { SessionError } from './session-errors.ts';
import { showUntilSignedIn, signIn, signInActivityNow, signOut, startSession } from './sign-in.ts';
import { START, testSession } from './testing.ts';

const provider = vi.hoisted(() => ({ signInAt: vi.fn(), signOutAt: vi.fn(), findSession: vi.fn() }));
vi.mock('./open-id.ts', () => provider);
const keeper = vi.hoisted(() => ({ keepAlive: vi.fn(), pageKeeper: {} }));
vi.mock('./page-keeper.ts', () => keeper);

const popup = { closed: false, close: vi.fn() };

beforeEach(() => {
  vi.resetAllMocks();
  sessionStore.forget();
  resetStores();
  vi.stubGlobal(
    'open',
    vi.fn(() => popup),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('sign-in', () => {
  it('opens a window of 550 x 650 and keeps the session that comes back', async () => {
    provider.signInAt.mockImplementation(async ({ name }: Popup) => {
      expect(open).toHaveBeenCalledWith('', name, expect.stringContaining('width=550,height=650'));
      expect(signInActivityNow()).toBe('signing-in');
      return testSession();
    });
    await signIn();
    expect(sessionStore.current()).toEqual(testSession());
    expect(signInActivityNow()).toBeNull();
  });

  it.each([
    [new SessionError('cancelled'), 'Authentication was cancelled'],
    [new SessionError('no-valid-session'), 'Authentication failed - no valid session found'],
    [
      new SessionError('storage-full'),
      "The browser's storage for this site is full. Delete some of this site's data, and sign in again.",
    ],
    [new SessionError('no-answer'), 'The sign-in server did not answer. Check the connection, then try again.'],
    [new Error('anything else'), 'Authentication failed - no valid session found'],
  ])('says why it failed: %s', async (error, text) => {
    provider.signInAt.mockRejectedValue(error);
    await signIn();
    expect(toasts().current).toMatchObject({ level: 'error', text });
    expect(sessionStore.current()).toBeNull();
  });

  it('says that there is no room for the session', async () => {
    provider.signInAt.mockResolvedValue(testSession());
    vi.spyOn(sessionStore, 'save').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await signIn();
    expect(toasts().current?.text).toContain('storage for this site is full');
    expect(signInActivityNow()).toBeNull();
  });

  it('logs a failure only in the console if the page asks for it', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const error = new SessionError('cancelled');
    provider.signInAt.mockRejectedValue(error);
    await signIn('console');
    expect(toasts().current).toBeNull();
    expect(warn).toHaveBeenCalledWith('The sign-in failed.', error);
  });

  it('without a network says that it needs one, and opens no window', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValueOnce(false);
    await signIn();
    expect(toasts().current?.text).toBe('You are offline, and signing in needs the network. Connect, then try again.');
    expect(open).not.toHaveBeenCalled();
  });

  it('takes away that an earlier one was cancelled when it succeeds', async () => {
    provider.signInAt.mockRejectedValueOnce(new SessionError('cancelled'));
    await signIn();
    toast('Another error', { level: 'error' });
    provider.signInAt.mockResolvedValue(testSession());
    await signIn();
    expect(toasts().current?.text).toBe('Another error');
    expect(toasts().waiting).toEqual([]);
  });

  it('says that the browser blocked its window', async () => {
    vi.stubGlobal(
      'open',
      vi.fn(() => null),
    );
    await signIn();
    expect(toasts().current?.text).toBe('Failed to open popup. Please check your popup blocker settings.');
    expect(provider.signInAt).not.toHaveBeenCalled();
  });

  it('does not start a second time while it runs', async () => {
    provider.signInAt.mockResolvedValue(testSession());
    await Promise.all([signIn(), signIn()]);
    expect(open).toHaveBeenCalledOnce();
  });
});

describe('sign-out', () => {
  it.each([
    ['went well', () => provider.signOutAt.mockResolvedValue(undefined)],
    ['was closed by the person', () => provider.signOutAt.mockRejectedValue(new Error('The window was closed.'))],
  ])('ends the session here when the window %s', async (_how, arrange) => {
    arrange();
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    sessionStore.save(testSession());
    await signOut();
    expect(sessionStore.current()).toBeNull();
    expect(sessionStore.expected).toBe(false);
    expect(toasts().current).toBeNull();
  });

  it('ends the session and says so when the browser blocked the window', async () => {
    vi.stubGlobal(
      'open',
      vi.fn(() => null),
    );
    sessionStore.save(testSession());
    await signOut();
    expect(sessionStore.current()).toBeNull();
    expect(toasts().current?.text).toContain('Failed to open popup');
  });
});

it('the sign-in notice is shown once, until a sign-in', async () => {
  showUntilSignedIn('Session expired. Please refresh the page to re-authenticate.');
  showUntilSignedIn('Please sign in to access jkits');
  expect(toasts()).toMatchObject({ current: { text: 'Please sign in to access jkits' }, waiting: [] });
  provider.signInAt.mockResolvedValue(testSession());
  await signIn();
  expect(toasts().current).toBeNull();
});

describe('a session that ends by itself', () => {
  const expired = 'Session expired. Please refresh the page to re-authenticate.';

  it('says so at the start of a page when none is found in its place, and offers to sign in', async () => {
    sessionStore.save(testSession());
    keeper.keepAlive.mockImplementationOnce(async () => sessionStore.end(expired));
    provider.findSession.mockResolvedValue(null);
    await startSession();
    expect(toasts().current).toMatchObject({
      level: 'error',
      text: expired,
      action: { label: 'Sign in' },
    });
    provider.signInAt.mockResolvedValue(testSession());
    toasts().current?.action?.onAction();
    await vi.waitFor(() => expect(sessionStore.current()).not.toBeNull(), 15_000);
    expect(toasts().current).toBeNull();
  });

  it('is not mentioned when the provider still knows the person', async () => {
    sessionStore.save(testSession());
    keeper.keepAlive.mockImplementationOnce(async () => sessionStore.end(expired));
    provider.findSession.mockResolvedValue(testSession({ accessToken: 'found' }));
    await startSession();
    expect(sessionStore.current()?.accessToken).toBe('found');
    expect(toasts().current).toBeNull();
  });

  it('says so later, and falls silent when another tab signs in', async () => {
    await startSession();
    sessionStore.save(testSession());
    sessionStore.end('Please sign in to access jkits');
    expect(toasts().current).toMatchObject({ level: 'error', text: 'Please sign in to access jkits' });
    sessionStore.save(testSession());
    expect(toasts().current).toBeNull();
  });
});

describe('the start of a page', () => {
  it('asks the provider nothing if there was never a session', async () => {
    await startSession();
    expect(provider.findSession).not.toHaveBeenCalled();
  });

  it('finds a session again that ended without a sign-out', async () => {
    sessionStore.save(testSession());
    sessionStore.clear();
    provider.findSession.mockResolvedValue(testSession({ accessToken: 'found', expiresAt: START }));
    await startSession();
    expect(sessionStore.current()?.accessToken).toBe('found');
  });

  it('asks only once when the provider has no session either', async () => {
    sessionStore.save(testSession());
    sessionStore.clear();
    provider.findSession.mockResolvedValue(null);
    await startSession();
    await startSession();
    expect(provider.findSession).toHaveBeenCalledOnce();
  });
});
