/** Who gets the focus when the part of the page that holds it goes: the keyboard does not start at the top again. */
import { flushSync } from 'react-dom';

/** @param leave takes a part away; whoever works elsewhere on the page meanwhile keeps the focus. */
export function passFocus(leave: () => void, next: () => HTMLElement | null): void {
  flushSync(leave);
  if (document.activeElement === null || document.activeElement === document.body) {
    next()?.focus();
  }
}
