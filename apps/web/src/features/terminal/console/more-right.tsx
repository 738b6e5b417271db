import { useEffect, useRef, useState } from 'react';
import styles from './console-logs.module.css';

/**
 * Sign at the right edge of the log beside it, while lines go on beyond that edge, where its rows fade. Marks a log that
 * is scrolled sideways, whose times and ports then stay in view.
 */
export function MoreRight() {
  const shade = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  useEffect(() => {
    const log = shade.current?.parentElement?.querySelector<HTMLElement>('[role="log"]');
    if (!log) {
      return;
    }
    const look = () => {
      const goesOn = log.scrollLeft + log.clientWidth < log.scrollWidth - 1;
      setMore(goesOn);
      log.toggleAttribute('data-more-right', goesOn);
      log.toggleAttribute('data-sideways', log.scrollLeft > 0);
    };
    const observer = new ResizeObserver(look);
    observer.observe(log);
    if (log.firstElementChild !== null) {
      observer.observe(log.firstElementChild);
    }
    log.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      log.removeEventListener('scroll', look);
    };
  }, []);
  return <div ref={shade} className={styles['moreRight']} hidden={!more} data-testid="more-right" />;
}
