/**
 * Guards a button whose action changes in place. A second press within 600 ms after the change does nothing: Write and
 * Stop are the same button.
 */
import { systemClock } from '@wirebench/clock';
import { useLayoutEffect, useRef, useState } from 'react';

/** In milliseconds. */
const steadyTime = 600;

export interface SteadyPress {
  /** True: presses are ignored. */
  readonly settling: boolean;
  readonly press: () => void;
}

/**
 * @param action Name of the current action. A change after a press, or at the end of work that could be stopped, starts
 *   the guard.
 */
export function useSteadyPress(action: string, onPress: () => void): SteadyPress {
  const last = useRef(action);
  const pressed = useRef(Number.NEGATIVE_INFINITY);
  /** Time of the change that started the guard; null without one. */
  const [since, setSince] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (last.current === action) {
      return;
    }
    const wasStop = last.current === 'stop';
    last.current = action;
    const now = systemClock.now();
    if (wasStop || now - pressed.current < steadyTime) {
      setSince(now);
    }
  });
  useLayoutEffect(() => (since === null ? undefined : systemClock.schedule(steadyTime, () => setSince(null))), [since]);
  const settling = since !== null;
  return {
    settling,
    press: () => {
      if (!settling) {
        pressed.current = systemClock.now();
        onPress();
      }
    },
  };
}
