/** Advances virtual time while a test waits for an answer that also needs real threads. */
import type { VirtualClock } from '@wirebench/clock';

/**
 * Real work that is awaited before each step of virtual time. `turn`: one turn of the event loop, in which messages
 * travel between ports. `threads`: Node's other threads have also begun their earlier work, such as generating keys
 * and encrypting frames. Use it if code on virtual time waits for such work.
 */
export type Pace = 'turn' | 'threads';

export interface AskOptions {
  /** Virtual milliseconds between two checks for the answer. */
  readonly stride: number;
  readonly pace: Pace;
  /** Called once in each stride. */
  readonly meanwhile?: (() => void) | undefined;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * One entry for each of Node's threads (Node.js documentation, "UV_THREADPOOL_SIZE"). The threads take work in the
 * order of its arrival.
 */
const hashes = [1, 2, 3, 4];
const hashed = new Uint8Array(1_024);

const passes: Record<Pace, () => Promise<void>> = {
  turn,
  threads: async () => {
    await Promise.all(hashes.map(() => crypto.subtle.digest('SHA-256', hashed)));
    await turn();
  },
};

/** Waits for the real work of one stride. */
export const pass = (pace: Pace): Promise<void> => passes[pace]();

/** Advances virtual time until `call` settles, and returns its result. */
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

/** Advances virtual time by `duration` milliseconds, in a hundred strides at most. */
export function passOn(clock: VirtualClock, duration: number, pace: Pace): Promise<void> {
  return askOn(clock, clock.sleep(duration), { stride: Math.max(5, duration / 100), pace });
}
