/** Actions that need a second press. The first press only announces what the next one does. */
import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

export interface TwoPresses {
  /** True: the next press acts. */
  readonly armed: boolean;
  readonly press: () => void;
  readonly disarm: () => void;
}

/**
 * @param timeout Time in milliseconds for the second press. Null: until `disarm`, which the caller calls when the
 *   button loses the focus.
 */
export function useTwoPresses(action: () => void, timeout: number | null = 3_000): TwoPresses {
  const [armed, setArmed] = useState(false);
  useEffect(
    () => (armed && timeout !== null ? systemClock.schedule(timeout, () => setArmed(false)) : undefined),
    [armed, timeout],
  );
  const press = () => {
    if (armed) {
      action();
    }
    setArmed(!armed);
  };
  return { armed, press, disarm: () => setArmed(false) };
}
