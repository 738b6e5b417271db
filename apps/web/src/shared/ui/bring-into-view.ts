/**
 * Brings an answer to where the person looks: a result, a failure or the progress of what a press has begun. The card keeps its
 * own live region (`role="status"` or `"alert"`), so a screen reader says it whether or not the page scrolls.
 */
import { type RefObject, useEffect, useRef } from 'react';

/** Milliseconds after a person's last scroll or keystroke during which the page does not scroll by itself. */
export const QUIET_MS = 1_000;

const scrollKeys: readonly string[] = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

/** `performance.now()` of the last time that a person scrolled or typed. */
let lastMove = Number.NEGATIVE_INFINITY;
let isWatching = false;

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.selectionStart !== null);

/** Notes scrolling and typing. Scroll events are no evidence: layout and the page itself cause them too. */
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
      // The page glides on after a swipe. A tap moves nothing.
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
 * Scrolls `element` into view if it is outside. Does nothing within {@link QUIET_MS} of a person's own scrolling or typing. Scrolls at
 * once where the system asks for reduced motion.
 */
export function bringIntoView(element: HTMLElement | null, { toTop = false }: BringOptions = {}): void {
  if (element === null || performance.now() - lastMove < QUIET_MS || isInView(element)) {
    return;
  }
  const isCalm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
  element.scrollIntoView?.({
    // A card that is higher than the window begins with what it says.
    block: toTop || element.getBoundingClientRect().height > innerHeight ? 'start' : 'nearest',
    behavior: isCalm ? 'auto' : 'smooth',
  });
}

/** True: the whole element is visible below the header, or its start is and it is higher than the window. */
function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  const covered = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  return top >= covered && (bottom <= innerHeight || (height > innerHeight - covered && top < innerHeight / 2));
}

/**
 * Brings `target` into view whenever `answer` becomes another value.
 *
 * @param answer What the element says, compared by identity; null while there is no answer.
 * @param atMount True: the answer is new when its element appears. False: it may be an old one, shown again in a tab.
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
