import { type RefObject, useEffect } from 'react';

/** Messages that pass appear at the lower right of `area`, clear of what is below and beside it. @param covered px at its right edge */
export function useToastPlace(area: RefObject<HTMLElement | null>, covered = 0): void {
  useEffect(() => {
    const element = area.current;
    if (element === null) {
      return;
    }
    const { style } = document.documentElement;
    const place = () => {
      const { right, bottom } = element.getBoundingClientRect();
      style.setProperty('--bottom-bar', `${Math.max(0, Math.round(innerHeight - bottom))}px`);
      style.setProperty('--side-bar', `${Math.max(0, Math.round(innerWidth - right + covered))}px`);
    };
    // Its size changes with whatever stands around it.
    const observer = new ResizeObserver(place);
    observer.observe(element);
    observer.observe(document.documentElement);
    place();
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
      style.removeProperty('--side-bar');
    };
  }, [area, covered]);
}
