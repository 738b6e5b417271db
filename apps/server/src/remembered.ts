/** Asks once what many ask at the same time, and remembers the answer for a while; a failure too. Knows nothing of what is asked. */
import type { Clock } from '@wirebench/clock';

/** @param duration milliseconds that an answer is good for after it came */
export function remembered<Value>(duration: number, clock: Clock, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  /** Never while nobody has answered yet. */
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
