import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

/**
 * Returns the current time, in milliseconds since the Unix epoch, and updates it.
 * @param every Milliseconds between two updates. Null: no updates, because no shown text depends on the time.
 */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(() => systemClock.wallTime());
  useEffect(() => {
    if (every === null) {
      return;
    }
    setNow(systemClock.wallTime());
    const timer = setInterval(() => setNow(systemClock.wallTime()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
