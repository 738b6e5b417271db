/**
 * Actions of the sign-in and sign-out buttons, and the checks that run beside every page. Kept small, because the
 * entry contains it. Larger parts are loaded on demand.
 */
import { pageStore } from '../page-store.ts';
import { isStorageFull } from '../storage/browser-storage.ts';
import { dismissToast, toast } from '../ui/toast.ts';
import { sessionStore } from './page-session.ts';
import { openPopup } from './popup.ts';
import { SessionError, sessionErrorText } from './session-errors.ts';
import type { SessionKeeper } from './session-keeper.ts';

/** Current activity. `looking`: silently asking the provider whether it has a session of this browser. */
export type SignInActivity = 'signing-in' | 'signing-out' | 'looking' | null;

const signInActivity = pageStore<{ readonly activity: SignInActivity }>({ activity: null });

export const signInActivityNow = () => signInActivity.getState().activity;

export const { subscribe: onSignInActivityChange } = signInActivity;

const loadOpenId = () => import('./open-id.ts');

/** Returns the session keeper of this page. */
export async function sessionKeeper(): Promise<SessionKeeper> {
  return (await import('./page-keeper.ts')).pageKeeper;
}

/** Place of the report about a failed sign-in or sign-out: a toast for the user, or the console only. */
export type FailureReport = 'toast' | 'console';

/** Asks the user to sign in. Must be called directly in a click. */
export async function signIn(report: FailureReport = 'toast'): Promise<void> {
  await during('signing-in', report, async () => {
    if (!navigator.onLine) {
      throw new SessionError('offline');
    }
    const popup = openPopup('sign-in');
    const session = await loadOpenId().then(
      ({ signInAt }) => signInAt(popup),
      (error: unknown) => {
        popup.window.close();
        throw error;
      },
    );
    sessionStore.save(session);
    dismissSessionToasts();
    await keepSession();
  });
}

/**
 * Signs out at the provider and in all tabs. Must be called directly in a click. The session ends here even if the
 * provider's sign-out fails.
 */
export async function signOut(report: FailureReport = 'toast'): Promise<void> {
  const session = sessionStore.current();
  if (session === null) {
    return;
  }
  await during('signing-out', report, async () => {
    try {
      const popup = openPopup('sign-out');
      const { signOutAt } = await loadOpenId();
      await signOutAt(popup, session);
    } finally {
      sessionStore.forget();
    }
  });
}

/**
 * Runs at the start of a page: keeps the stored session alive, or looks for one that ended without a sign-out.
 * Reports the end of a session only if no other was found.
 */
export async function startSession(): Promise<void> {
  let endText: string | null = null;
  const stopWaiting = sessionStore.onEnd((text) => {
    endText = text;
  });
  if (sessionStore.current() !== null) {
    await keepSession();
  }
  if (sessionStore.expected) {
    await during('looking', 'toast', async () => {
      const { findSession } = await loadOpenId();
      const found = await findSession();
      if (found === null) {
        sessionStore.forget();
      } else {
        sessionStore.save(found);
        await keepSession();
      }
    });
  }
  stopWaiting();
  sessionStore.onEnd(showUntilSignedIn);
  if (endText !== null && sessionStore.current() === null) {
    showUntilSignedIn(endText);
  }
  // A sign-in in another tab applies to this one.
  sessionStore.subscribe(() => {
    if (sessionStore.current() !== null) {
      dismissSessionToasts();
      void keepSession();
    }
  });
}

/**
 * Starts the page's keeper once, and lets it check the token. If it cannot be loaded, calls still renew their tokens.
 */
async function keepSession(): Promise<void> {
  try {
    const { keepAlive } = await import('./page-keeper.ts');
    await keepAlive();
  } catch (error) {
    console.warn('This page does not renew the session automatically.', error);
  }
}

async function during(
  activity: Exclude<SignInActivity, null>,
  report: FailureReport,
  task: () => Promise<void>,
): Promise<void> {
  if (signInActivityNow() !== null) {
    return;
  }
  signInActivity.setState({ activity });
  try {
    await task();
  } catch (error) {
    reportFailure(activity, report, error);
  } finally {
    signInActivity.setState({ activity: null });
  }
}

const failureNotes = {
  'signing-in': 'The sign-in failed.',
  'signing-out': 'The sign-out was not completed.',
  looking: 'No session was found.',
} satisfies Record<Exclude<SignInActivity, null>, string>;

/**
 * The user did not ask for a silent check, and a sign-out has happened anyway. Only a blocked window is reported for
 * these.
 */
function reportFailure(activity: Exclude<SignInActivity, null>, report: FailureReport, error: unknown): void {
  const blocked = error instanceof SessionError && error.code === 'popup-blocked';
  if (report === 'console' || (activity !== 'signing-in' && !blocked)) {
    console.warn(failureNotes[activity], error);
    return;
  }
  const text = sessionErrorText[isStorageFull(error) ? 'storage-full' : 'no-valid-session'];
  sessionToasts.push(toast(error instanceof SessionError ? error.message : text, { level: 'error' }));
}

/** Ids of messages about the session that a sign-in dismisses. */
const sessionToasts: number[] = [];

/** Shows a message about the session in place of the previous one. It disappears when a user signs in. */
export function showUntilSignedIn(text: string): void {
  // Only the newest message about the end of the session is shown.
  dismissSessionToasts();
  sessionToasts.push(toast(text, { level: 'error', action: { label: 'Sign in', onAction: () => void signIn() } }));
}

function dismissSessionToasts(): void {
  for (const id of sessionToasts.splice(0)) {
    dismissToast(id);
  }
}
