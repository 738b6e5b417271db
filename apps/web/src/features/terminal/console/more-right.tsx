import { useEffect, useRef, useState } from 'react';
import { benchStatus } from '../../../workbench/bench-status.ts';
import styles from './console-logs.module.css';

/**
 * Shade at the right edge of the log beside it, while lines go on beyond that edge. With rules each row fades by itself,
 * in its colour; without them one shade is cheaper. Marks a log that is scrolled sideways, whose times and ports then
 * stay in view.
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
      const hasRules = benchStatus.tick.ruleRevision > 0;
      log.toggleAttribute('data-more-right', goesOn && hasRules);
      shade.current?.toggleAttribute('data-shades', !hasRules);
      log.toggleAttribute('data-sideways', log.scrollLeft > 0);
    };
    const observer = new ResizeObserver(look);
    observer.observe(log);
    if (log.firstElementChild !== null) {
      observer.observe(log.firstElementChild);
    }
    log.addEventListener('scroll', look, { passive: true });
    let hadRules = false;
    const endTicks = benchStatus.onTick(({ ruleRevision }) => {
      if (ruleRevision > 0 && !hadRules) {
        hadRules = true;
        look();
      }
    });
    return () => {
      endTicks();
      observer.disconnect();
      log.removeEventListener('scroll', look);
    };
  }, []);
  return <div ref={shade} className={styles['moreRight']} hidden={!more} data-testid="more-right" />;
}
