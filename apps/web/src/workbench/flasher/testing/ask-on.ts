/** Virtual time for answers that also wait for the machine. */
import type { VirtualClock } from '@wirebench/clock';

export interface AskOptions {
  /** Virtual milliseconds between two looks at whether the answer is there. */
  readonly stride: number;
  /** Looks at what happens, once in a stride. */
  readonly meanwhile?: (() => void) | undefined;
}

/** Lets virtual time pass until `call` has ended, and gives what it gives. */
export async function askOn<Answer>(
  clock: VirtualClock,
  call: Promise<Answer>,
  { stride, meanwhile }: AskOptions,
): Promise<Answer> {
  let over = false;
  const end = () => {
    over = true;
  };
  call.then(end, end);
  while (!over) {
    // Code is fetched, messages travel and hashes are calculated in real time.
    await new Promise((resolve) => setTimeout(resolve));
    await clock.advance(stride);
    meanwhile?.();
  }
  return call;
}

/** Lets virtual time pass, in a hundred strides at most: each of them takes a real millisecond. */
export function passOn(clock: VirtualClock, duration: number): Promise<void> {
  return askOn(clock, clock.sleep(duration), { stride: Math.max(5, duration / 100) });
}
