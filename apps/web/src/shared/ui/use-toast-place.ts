import { type RefObject, useEffect } from 'react';

/**
 * Places toasts at the lower right of `area`, clear of content below and beside it. `--toast-area` is the width that
 * they have at most. `--toast-room` is the height that the current toast covers.
 * @param covered Width at the right edge of `area` that other content covers, in px.
 */
export function useToastPlace(area: RefObject<HTMLElement | null>, covered = 0): void {
  useEffect(() => {
    const element = area.current;
    if (element === null) {
      return;
    }
    const { style } = document.documentElement;
    const toasts = document.getElementById('toasts');
    const place = () => {
      const { left, right, bottom } = element.getBoundingClientRect();
      style.setProperty('--bottom-bar', `${Math.max(0, Math.round(innerHeight - bottom))}px`);
      style.setProperty('--side-bar', `${Math.max(0, Math.round(innerWidth - right + covered))}px`);
      style.setProperty('--toast-area', `${Math.max(0, Math.round(right - covered - left))}px`);
      const height = toasts?.offsetHeight ?? 0;
      style.setProperty('--toast-room', height === 0 ? '0px' : `calc(${height}px + 2 * var(--space-4))`);
    };
    // The size of the area changes with the elements around it.
    const observer = new ResizeObserver(place);
    observer.observe(element);
    observer.observe(document.documentElement);
    if (toasts !== null) {
      observer.observe(toasts);
    }
    place();
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
      style.removeProperty('--side-bar');
      style.removeProperty('--toast-area');
      style.removeProperty('--toast-room');
    };
  }, [area, covered]);
}
