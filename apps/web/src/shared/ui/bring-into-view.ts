/**
 * Scrolls an answer into view: a result, a failure, or the progress of an action. The card keeps its own live region
 * (`role="status"` or `"alert"`), so a screen reader announces it in any case.
 */
import { type RefObject, useEffect, useRef } from 'react';

/** Milliseconds after the user's last scroll or keystroke in which the page does not scroll by itself. */
export const QUIET_MS = 1_000;

const scrollKeys: readonly string[] = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

/** `performance.now()` of the user's last scroll or keystroke. */
let lastMove = Number.NEGATIVE_INFINITY;
let isWatching = false;

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.selectionStart !== null);

/**
 * Records the user's scrolling and typing by input events. Scroll events also come from layout and from the page
 * itself.
 */
function watchPerson(): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  const moved = () => {
    lastMove = performance.now();
  };
  const passively = { passive: true, capture: true };
  let isSwipe = false;
  document.addEventListener('wheel', moved, passively);
  document.addEventListener(
    'touchstart',
    () => {
      isSwipe = false;
    },
    passively,
  );
  document.addEventListener(
    'touchmove',
    () => {
      isSwipe = true;
      moved();
    },
    passively,
  );
  document.addEventListener(
    'touchend',
    () => {
      // The page keeps moving after a swipe. A tap moves nothing.
      if (isSwipe) {
        moved();
      }
    },
    passively,
  );
  document.addEventListener('keydown', ({ key }) => scrollKeys.includes(key) && moved(), { capture: true });
  document.addEventListener('input', ({ target }) => isTextField(target) && moved(), { capture: true });
}

export interface BringOptions {
  /** True: the element's start goes to the top, because the element grows as it loads. */
  readonly toTop?: boolean;
}

/**
 * Scrolls `element` into view if it is outside. Does nothing within {@link QUIET_MS} of the user's own scrolling or
 * typing. Scrolls without animation if the system asks for reduced motion.
 */
export function bringIntoView(element: HTMLElement | null, { toTop = false }: BringOptions = {}): void {
  if (element === null || performance.now() - lastMove < QUIET_MS || isInView(element)) {
    return;
  }
  const isCalm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
  element.scrollIntoView?.({
    // Shows the top of a card that is higher than the window.
    block: toTop || element.getBoundingClientRect().height > innerHeight ? 'start' : 'nearest',
    behavior: isCalm ? 'auto' : 'smooth',
  });
}

/**
 * Returns true if the whole element is visible below the header. For an element higher than the window, its start
 * must be visible.
 */
function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  const covered = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  return top >= covered && (bottom <= innerHeight || (height > innerHeight - covered && top < innerHeight / 2));
}

/**
 * Scrolls `target` into view whenever `answer` changes.
 * @param answer Content of the element, compared by identity. Null: no answer.
 * @param atMount True: an answer that is present at mount is new. False: it may be an old one, shown again in a tab.
 */
export function useBringIntoView(target: RefObject<HTMLElement | null>, answer: unknown, atMount: boolean): void {
  const seen = useRef(atMount ? null : answer);
  useEffect(() => {
    watchPerson();
  }, []);
  useEffect(() => {
    if (answer !== seen.current) {
      seen.current = answer;
      if (answer !== null && answer !== undefined) {
        bringIntoView(target.current);
      }
    }
  }, [target, answer]);
}
