/** The session keeper of this page, put together with the browser's parts: date, locks, network. */
import { systemClock } from '@wirebench/clock';
import { publicConfig } from '../config/public-config.ts';
import { toast } from '../ui/toast.ts';
import { sessionStore } from './page-session.ts';
import { refreshSession } from './refresh-grant.ts';
import { sessionErrorText } from './session-errors.ts';
import { SessionKeeper } from './session-keeper.ts';

/** Tokens expire by the date, which goes on while the machine sleeps; a clock that counts from the page's start does not. */
const dateClock = { ...systemClock, now: () => Date.now() };

export const pageKeeper = new SessionKeeper({
  store: sessionStore,
  clock: dateClock,
  refresh: async (session) => {
    let oidc: Awaited<ReturnType<typeof publicConfig>>['oidc'];
    try {
      ({ oidc } = await publicConfig());
    } catch (error) {
      console.warn('The session could not be renewed.', error);
      return { kind: 'no-answer' };
    }
    return refreshSession(session, { ...oidc, fetch: (input, init) => fetch(input, init), now: dateClock.now });
  },
  exclusively: (task) => navigator.locks.request('wirebench.renewal', task),
  onExpired: () => toast(sessionErrorText.expired, { level: 'error' }),
});

let started: Promise<unknown> | null = null;

/**
 * The first call looks at the token and goes on doing so; resolves after the first look. That one ends a session without a
 * word: whoever opens the page after a week knows why.
 */
export async function keepAlive(): Promise<void> {
  started ??= begin();
  await started;
}

function begin(): Promise<unknown> {
  pageKeeper.start();
  // Timers stand still while the machine sleeps, and crawl in hidden tabs.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      void pageKeeper.look();
    }
  });
  return pageKeeper.check();
}
