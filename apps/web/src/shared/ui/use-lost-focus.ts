/** Restores the keyboard focus after the pressed button was removed from the page. */
import { type RefObject, useEffect } from 'react';

/** Focuses `target` once, as soon as it exists, if no other element has the focus. */
export function useLostFocus(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      target.current?.focus({ preventScroll: true });
    }
  }, [target]);
}
