import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';

/** How long the first press waits for the second, in milliseconds (specification, section 9). */
const patience = 3_000;

export interface SecondPress {
  /** The next press acts. */
  readonly armed: boolean;
  readonly press: () => void;
  readonly disarm: () => void;
}

/** Asks for a second press before `act`; after a while the first one is forgotten. */
export function useSecondPress(act: () => void): SecondPress {
  const [armed, setArmed] = useState(false);
  useEffect(() => (armed ? systemClock.schedule(patience, () => setArmed(false)) : undefined), [armed]);
  const press = () => {
    if (armed) {
      act();
    }
    setArmed(!armed);
  };
  return { armed, press, disarm: () => setArmed(false) };
}
