/** Opens the share link, and leaves the visit. */
import { browserKey, rememberName, tidyName } from './guest-name.ts';
import { getLive, toastError } from './live-line.ts';
import { currentVisit, requestJoin } from './live-store.ts';

/**
 * Joins the shared bench. Does nothing without a name.
 * @param name As typed by the guest.
 * @param shown True: this page's bench shows the shared ports.
 */
export function join(name: string, shown = true): void {
  const { link } = currentVisit();
  const tidy = tidyName(name);
  if (typeof link === 'string' || tidy === '') {
    return;
  }
  rememberName(tidy);
  requestJoin();
  void toastError(getLive().call('join', link, tidy, shown, browserKey()));
}

export function leave(): void {
  void toastError(getLive().call('leave'));
}

/**
 * Informs the host that this page has closed. After a lost connection the host would wait for the guest instead.
 * Further calls have no effect.
 */
export function leaveWithPage(): () => void {
  window.addEventListener('pagehide', leaveOnHide);
  return () => window.removeEventListener('pagehide', leaveOnHide);
}

function leaveOnHide({ persisted }: PageTransitionEvent): void {
  const { tick } = currentVisit();
  if (!persisted && tick !== null && tick.state !== 'ended') {
    void getLive().call('leave');
  }
}
