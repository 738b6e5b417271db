/** What is done by a second press: the first one only says what the next will do. */
import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

export interface TwoPresses {
  /** The next press acts. */
  readonly armed: boolean;
  readonly press: () => void;
  readonly disarm: () => void;
}

/** @param patience how long the first press waits for the second, in milliseconds; null: until `disarm`, when the button loses the focus */
export function useTwoPresses(action: () => void, patience: number | null = 3_000): TwoPresses {
  const [armed, setArmed] = useState(false);
  useEffect(
    () => (armed && patience !== null ? systemClock.schedule(patience, () => setArmed(false)) : undefined),
    [armed, patience],
  );
  const press = () => {
    if (armed) {
      action();
    }
    setArmed(!armed);
  };
  return { armed, press, disarm: () => setArmed(false) };
}
