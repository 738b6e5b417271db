import { type RefObject, useEffect, useState } from 'react';

/** A heading counts as read from here on, below the header, in px from the top of the window; at least where a link puts it. */
const READING_LINE = 96;
/** Links put a heading at a fraction of a pixel. */
const ROUNDING = 2;

/** The anchor of the last heading above the reading line, followed while one scrolls and sizes the window; null before the first. */
export function useReadHeading(article: RefObject<HTMLElement | null>): string | null {
  const [read, setRead] = useState<string | null>(null);
  useEffect(() => {
    let asked = 0;
    const look = () => {
      asked = 0;
      const headings = [...(article.current?.querySelectorAll<HTMLElement>('section[id], h3[id]') ?? [])];
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const above = headings.filter((heading) => heading.getBoundingClientRect().top <= readingLine(heading));
      // At the end of the page the last section may be too short to come to the top.
      const target = document.getElementById(location.hash.slice(1));
      const last = atEnd && target !== null && headings.includes(target) ? target : above.at(-1);
      setRead((last ?? headings[0])?.id ?? null);
    };
    const lookNextFrame = () => {
      asked ||= requestAnimationFrame(look);
    };
    lookNextFrame();
    addEventListener('scroll', lookNextFrame, { passive: true });
    addEventListener('resize', lookNextFrame);
    addEventListener('hashchange', lookNextFrame);
    return () => {
      removeEventListener('scroll', lookNextFrame);
      removeEventListener('resize', lookNextFrame);
      removeEventListener('hashchange', lookNextFrame);
      cancelAnimationFrame(asked);
    };
  }, [article]);
  return read;
}

function readingLine(heading: HTMLElement): number {
  const margin = Number.parseFloat(getComputedStyle(heading).scrollMarginTop);
  return Math.max(READING_LINE, (Number.isNaN(margin) ? 0 : margin) + ROUNDING);
}
