/** Calls a function once for many simultaneous callers and caches its result for a while, failures included. */
import type { Clock } from '@wirebench/clock';

/**
 * Returns a cached version of `ask`.
 *
 * @param duration Milliseconds that a result is valid after it has arrived.
 */
export function remembered<Value>(duration: number, clock: Clock, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  /** Infinite while the first result is pending. */
  let goodUntil = Infinity;
  return () => {
    if (answer === null || clock.now() >= goodUntil) {
      goodUntil = Infinity;
      answer = ask().finally(() => {
        goodUntil = clock.now() + duration;
      });
    }
    return answer;
  };
}
