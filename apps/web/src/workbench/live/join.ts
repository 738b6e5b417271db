/** Opening the link, and leaving. */
import { rememberName, tidyName } from './guest-name.ts';
import { getLive, telling } from './live-line.ts';
import { liveStore } from './live-store.ts';

/**
 * @param name as it was typed; nothing happens without one
 * @param shown the bench of this page shows the shared ports
 */
export function join(name: string, shown = true): void {
  const { link } = liveStore.getState();
  const tidy = tidyName(name);
  if (typeof link === 'string' || tidy === '') {
    return;
  }
  rememberName(tidy);
  liveStore.setState({ begun: true });
  void telling(getLive().call('join', link, tidy, shown));
}

export function leave(): void {
  void telling(getLive().call('leave'));
}

/** Tells whoever shares that this page is gone: a connection that is only lost is waited for. */
export function leaveWithPage(): () => void {
  const onHide = (event: PageTransitionEvent) => {
    const { tick } = liveStore.getState();
    if (!event.persisted && tick !== null && tick.state !== 'ended') {
      void getLive().call('leave');
    }
  };
  window.addEventListener('pagehide', onHide);
  return () => window.removeEventListener('pagehide', onHide);
}
