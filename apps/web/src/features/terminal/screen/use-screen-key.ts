import { useEffect } from 'react';
import { currentScreen, enterScreen } from './screen-settings.ts';

/**
 * Opens the Screen with Ctrl+Shift+Enter from Text, Hex and the message field. An open Screen handles the key itself.
 *
 * @param isOffered False: the console offers no Screen, because no port was opened.
 */
export function useScreenKey(isOffered: boolean): void {
  useEffect(() => {
    if (!isOffered) {
      return;
    }
    const pressed = (event: KeyboardEvent) => {
      const isKey = event.key === 'Enter' && event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey;
      if (isKey && !event.repeat && !event.defaultPrevented && !currentScreen().isShown) {
        event.preventDefault();
        enterScreen();
      }
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [isOffered]);
}
