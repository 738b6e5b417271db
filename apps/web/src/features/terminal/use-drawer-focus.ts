import { type RefObject, useEffect } from 'react';

/** Takes the focus into the drawer when it opens, and gives it back to where it was when it closes. */
export function useDrawerFocus(drawer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, [drawer]);
}
