import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './fading-section.module.css';
import type { SectionId } from './sections.ts';

export interface FadingSectionProps {
  readonly id: SectionId;
  /** Id of the section's heading, which names it for screen readers. */
  readonly labelledBy: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A section that fades in when it is first scrolled into view. Without an observer, or with reduced motion, it is
 * visible at once.
 */
export function FadingSection({ id, labelledBy, className, children }: FadingSectionProps) {
  const section = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (section.current === null || typeof IntersectionObserver === 'undefined') {
      setSeen(true);
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setSeen(true);
          observer.disconnect();
        }
      },
      { threshold: 0.15 },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={section}
      id={id}
      aria-labelledby={labelledBy}
      className={classNames(styles['section'], seen && styles['seen'], className)}
    >
      {children}
    </section>
  );
}
