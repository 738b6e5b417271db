import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns true while an element is at least `least` px wide. */
export function useWide(element: RefObject<HTMLElement | null>, least: number): boolean {
  const [wide, setWide] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) {
      return;
    }
    const look = () => setWide(current.clientWidth >= least);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, least]);
  return wide;
}
