/** The window of the identity provider. It is opened directly in a click, before any code is loaded. */
import { SessionError } from './session-errors.ts';

/** In CSS pixels. */
export const popupSize = { width: 550, height: 650 } as const;

/** Interval between two checks for a closed popup, in milliseconds. No event reports it. */
const CLOSED_CHECK = 250;

/** An open popup. `name` is unique among windows, so that the provider's page loads into this one. */
export interface Popup {
  readonly name: string;
  readonly window: Window;
}

/**
 * Opens an empty window over the middle of this one. Must be called directly in a click or a key press.
 * @throws SessionError `popup-blocked` if the browser blocks it.
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

/** Returns a signal that aborts when the user closes the popup. The check ends when `done` aborts. */
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
