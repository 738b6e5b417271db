/** The window in which the identity provider asks: opened straight from a click, before anything is fetched. */
import { SessionError } from './session-errors.ts';

/** In CSS pixels. */
export const popupSize = { width: 550, height: 650 } as const;

/** Interval between two checks for a closed popup, in milliseconds. No event reports it. */
const CLOSED_CHECK = 250;

/** A name that no other window has, so that the provider's page loads into this one. */
export interface Popup {
  readonly name: string;
  readonly window: Window;
}

/**
 * Opens an empty window over the middle of this one. Must be called straight from a click or a key press.
 * Throws a SessionError `popup-blocked` when the browser does not allow it.
 */
export function openPopup(purpose: 'sign-in' | 'sign-out'): Popup {
  const { width, height } = popupSize;
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const name = `wirebench-${purpose}-${Date.now()}`;
  const opened = window.open('', name, `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (opened === null) {
    throw new SessionError('popup-blocked');
  }
  return { name, window: opened };
}

/** A signal that aborts when the person closes the popup. Ask no longer once `done` aborts. */
export function closedSignal(popup: Popup, done: AbortSignal): AbortSignal {
  const closed = new AbortController();
  const timer = setInterval(() => {
    if (popup.window.closed) {
      clearInterval(timer);
      closed.abort('The window was closed.');
    }
  }, CLOSED_CHECK);
  done.addEventListener('abort', () => clearInterval(timer), { once: true });
  return closed.signal;
}
