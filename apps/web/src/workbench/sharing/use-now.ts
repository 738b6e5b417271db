import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

/**
 * The time, in milliseconds since the Unix epoch.
 * @param every milliseconds after which it is told again; null where nothing that is shown depends on it now
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
