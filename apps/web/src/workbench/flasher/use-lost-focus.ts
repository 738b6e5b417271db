/** Where the keyboard goes on when the button that was pressed has made room for what it began. */
import { type RefObject, useEffect } from 'react';

/** Takes the focus when nothing has it, once, as soon as `target` is there. */
export function useLostFocus(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      target.current?.focus({ preventScroll: true });
    }
  }, [target]);
}
