import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

/**
 * Returns the time, in milliseconds since the Unix epoch.
 *
 * @param every Milliseconds between two updates; null if nothing shown depends on the time now.
 */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    if (every === null) {
      return;
    }
    setNow(systemClock.now());
    const timer = setInterval(() => setNow(systemClock.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
