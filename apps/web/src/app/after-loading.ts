/** Adds what a document fetches once it has loaded: Help in the header, and the files for offline use. */

import { basePath } from '@wirebench/boards';
import { takeOverMessage } from '../shared/offline/take-over.ts';
import { headerState } from './header-state.ts';
import { HelpButton } from './help-button.tsx';
import { offerNewVersion } from './newer-version.ts';

/**
 * The page's side of the service worker: registers it, and knows when a newer version of the product waits. It is the person
 * who decides: nothing is reloaded that was not asked for.
 */

const script = `${basePath}/sw.js`;

/** Milliseconds after which a tab that is looked at again asks for a newer version. */
const askAgainAfter = 3_600_000;

/** Keeps the product in the browser from now on, where the browser can. Call once, after the page was loaded. */
export async function keepOffline(
  { serviceWorker }: Navigator = navigator,
  reload: () => void = () => location.reload(),
): Promise<void> {
  // Missing on pages that came over plain http from another machine.
  if (serviceWorker === undefined) {
    return;
  }
  let shownBy = serviceWorker.controller;
  let accepted = false;
  let take: (() => void) | null = null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (accepted) {
      reload();
    } else if (shownBy !== null) {
      // Another tab has taken it. What this one shows still works, from the files of its own version.
      offerNewVersion(take ?? reload);
    }
    shownBy = serviceWorker.controller;
  });
  await serviceWorker.register(script, { updateViaCache: 'none' });
  const registration = await serviceWorker.getRegistration();
  if (registration === undefined) {
    return;
  }
  const offer = () => {
    const { waiting } = registration;
    // At a first visit there is nothing older that it could take the place of.
    if (waiting !== null && serviceWorker.controller !== null) {
      take = () => {
        accepted = true;
        // Another tab was faster: no version waits any more, and only the reload is missing.
        if (registration.waiting === null) {
          reload();
        }
        registration.waiting?.postMessage(takeOverMessage);
      };
      offerNewVersion(take);
    }
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
  offer();
  askAgain(registration);
}

/**
 * Tabs stay open for days, and moving about inside the app asks for nothing. The date also counts the time during
 * which the machine sleeps.
 */
function askAgain(registration: ServiceWorkerRegistration): void {
  let askedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Math.abs(Date.now() - askedAt) > askAgainAfter) {
      askedAt = Date.now();
      registration.update().catch((error: unknown) => console.info('Checking for a newer version failed.', error));
    }
  });
}

export function afterLoading(): void {
  headerState.setState({ Help: HelpButton });
  // While developing what is shown is what was just changed.
  if (import.meta.env.PROD) {
    keepOffline().catch((error: unknown) => console.warn('This browser cannot keep Wirebench for offline use.', error));
  }
}
