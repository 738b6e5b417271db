/** The session keeper of this page with the browser's clock, locks and network. */
import { systemClock } from '@wirebench/clock';
import { publicConfig } from '../config/public-config.ts';
import { cacheProviderAnswers } from '../provider/cache-answers.ts';
import { sessionStore } from './page-session.ts';
import { refreshSession } from './refresh-grant.ts';
import { SessionKeeper } from './session-keeper.ts';

/**
 * Milliseconds for which the lock is held after a renewal. The new token reaches other tabs by a storage message,
 * which the lock does not wait for. A tab that acquired the lock at once could find the old token and renew it a
 * second time.
 */
const SETTLING = 250;

/** Runs one task at a time across all tabs. The caller gets the result at once. The lock is released a little later. */
function exclusively<Result>(task: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const turn = async () => {
      const result = task();
      result.then(resolve, reject);
      await Promise.allSettled([result]);
      await systemClock.sleep(SETTLING);
    };
    navigator.locks.request('wirebench.renewal', turn).catch(reject);
  });
}

export const pageKeeper = new SessionKeeper({
  store: sessionStore,
  clock: systemClock,
  refresh: async (session) => {
    cacheProviderAnswers();
    let oidc: Awaited<ReturnType<typeof publicConfig>>['oidc'];
    try {
      ({ oidc } = await publicConfig());
    } catch (error) {
      console.warn('The session could not be renewed.', error);
      return { kind: 'no-answer' };
    }
    return refreshSession(session, { ...oidc, fetch: (input, init) => fetch(input, init), now: systemClock.wallTime });
  },
  exclusively,
});

let started: Promise<unknown> | null = null;

/** Starts the regular token checks with the first call. Resolves after the first check. */
export async function keepAlive(): Promise<void> {
  started ??= begin();
  await started;
}

function begin(): Promise<unknown> {
  pageKeeper.start();
  // Timers stop while the machine sleeps, and are slow in hidden tabs.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      void pageKeeper.check();
    }
  });
  return pageKeeper.check();
}
