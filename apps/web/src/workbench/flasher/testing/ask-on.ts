/** Virtual time for answers that also wait for the machine. */
import type { VirtualClock } from '@wirebench/clock';

/**
 * What the machine gets before virtual time goes on. In a `turn` of the thread messages travel between its ports. With `threads` the machine's
 * other threads have begun what they were given before as well: keys that are made, frames that are sealed, where something on virtual time
 * waits for those.
 */
export type Pace = 'turn' | 'threads';

export interface AskOptions {
  /** Virtual milliseconds between two looks at whether the answer is there. */
  readonly stride: number;
  readonly pace: Pace;
  /** Looks at what happens, once in a stride. */
  readonly meanwhile?: (() => void) | undefined;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One for each of Node's threads (Node.js documentation, "UV_THREADPOOL_SIZE"), which take work in the order in which it comes. */
const hashes = [1, 2, 3, 4];
const hashed = new Uint8Array(1_024);

const passes: Record<Pace, () => Promise<void>> = {
  turn,
  threads: async () => {
    await Promise.all(hashes.map(() => crypto.subtle.digest('SHA-256', hashed)));
    await turn();
  },
};

/** What one stride gives the machine. */
export const pass = (pace: Pace): Promise<void> => passes[pace]();

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
    await pass(pace);
    await clock.advance(stride);
    meanwhile?.();
  }
  return call;
}

/** Lets virtual time pass, in a hundred strides at most. */
export function passOn(clock: VirtualClock, duration: number, pace: Pace): Promise<void> {
  return askOn(clock, clock.sleep(duration), { stride: Math.max(5, duration / 100), pace });
}
