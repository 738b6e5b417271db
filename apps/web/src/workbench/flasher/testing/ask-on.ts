/** Virtual time for answers that also wait for the machine. */
import type { VirtualClock } from '@wirebench/clock';

/**
 * What the machine gets before virtual time goes on. In a turn of the thread messages travel between its ports; in a millisecond its other
 * threads have made keys and sealed frames as well, where something on virtual time waits for those.
 */
export type Pace = 'turn' | 'millisecond';

export interface AskOptions {
  /** Virtual milliseconds between two looks at whether the answer is there. */
  readonly stride: number;
  readonly pace: Pace;
  /** Looks at what happens, once in a stride. */
  readonly meanwhile?: (() => void) | undefined;
}

const passes: Record<Pace, () => Promise<void>> = {
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  millisecond: () => new Promise((resolve) => setTimeout(resolve)),
};

/** Lets virtual time pass until `call` has ended, and gives what it gives. */
export async function askOn<Answer>(
  clock: VirtualClock,
  call: Promise<Answer>,
  { stride, pace, meanwhile }: AskOptions,
): Promise<Answer> {
  let over = false;
  const end = () => {
    over = true;
  };
  call.then(end, end);
  while (!over) {
    await passes[pace]();
    await clock.advance(stride);
    meanwhile?.();
  }
  return call;
}

/** Lets virtual time pass, in a hundred strides at most. */
export function passOn(clock: VirtualClock, duration: number, pace: Pace): Promise<void> {
  return askOn(clock, clock.sleep(duration), { stride: Math.max(5, duration / 100), pace });
}
