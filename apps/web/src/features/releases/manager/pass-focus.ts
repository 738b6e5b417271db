/**
 * Moves the focus when the focused part of the page is removed, so that the keyboard does not start at the top again.
 */
import { flushSync } from 'react-dom';

/** @param leave Removes the part. A focus elsewhere on the page stays. */
export function passFocus(leave: () => void, next: () => HTMLElement | null): void {
  flushSync(leave);
  if (document.activeElement === null || document.activeElement === document.body) {
    next()?.focus();
  }
}

/** Makes a change, and moves the focus to what it has added. */
export function moveFocus(change: () => void, next: () => HTMLElement | null): void {
  flushSync(change);
  next()?.focus();
}
