import { type RefObject, useEffect, useState } from 'react';
import { type SectionId, sectionAt, sections } from './sections.ts';

/**
 * Returns the current section while the user scrolls or resizes the window.
 * @param root Contains the sections, each with its id.
 */
export function useCurrentSection(root: RefObject<HTMLElement | null>): SectionId {
  const [current, setCurrent] = useState<SectionId>('start');
  useEffect(() => {
    let asked = 0;
    const look = () => {
      asked = 0;
      const places = sections.flatMap(({ id }) => {
        const rect = root.current?.querySelector(`#${id}`)?.getBoundingClientRect();
        return rect === undefined ? [] : [{ id, top: rect.top }];
      });
      setCurrent(sectionAt(places, window.innerHeight));
    };
    const lookNextFrame = () => {
      asked ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', lookNextFrame, { passive: true });
    addEventListener('resize', lookNextFrame);
    return () => {
      removeEventListener('scroll', lookNextFrame);
      removeEventListener('resize', lookNextFrame);
      cancelAnimationFrame(asked);
    };
  }, [root]);
  return current;
}
