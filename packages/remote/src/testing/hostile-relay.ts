/** Faults that an untrusted relay applies to frames, repeatable by seed. */
import { random } from '@wirebench/test-input';
import type { Tamper } from './test-relay.ts';

export const faults = ['drop', 'repeat', 'swap', 'cut', 'change', 'old'] as const;
type Fault = (typeof faults)[number];

/** Returns a function that gives numbers, 0 ≤ n < 1. `seed` tells apart the rounds of a test. */
export const numbersOf = (seed: number): (() => number) => random(`numbers ${seed}`).next;

/** Length of the envelope's header. It stays intact, because the relay itself writes it. */
const headerLength = 5;
/** Number of latest messages from which an old one is drawn. */
const oldKept = 200;

/** Applies one of these faults to each message with this probability. */
export function tamperAt(seed: number, probability: number, kinds: readonly Fault[] = faults): Tamper {
  const next = numbersOf(seed);
  const old: Record<'to host' | 'to guest', Uint8Array[]> = { 'to host': [], 'to guest': [] };
  return (message, way) => {
    const before = old[way];
    before.push(message);
    before.splice(0, before.length - oldKept);
    if (next() >= probability) {
      return [{ message }];
    }
    switch (kinds[Math.floor(next() * kinds.length)]) {
      case 'drop':
        return [];
      case 'repeat':
        return [{ message }, { message, late: next() * 50 }];
      case 'swap':
        return [{ message, late: 1 + next() * 100 }];
      case 'cut':
        return [{ message: message.slice(0, headerLength + Math.floor(next() * (message.length - headerLength))) }];
      case 'change': {
        const changed = message.slice();
        const at = headerLength + Math.floor(next() * (message.length - headerLength));
        changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(next() * 8));
        return [{ message: changed }];
      }
      default: {
        const again = before[Math.floor(next() * before.length)] ?? message;
        return [{ message: again }, { message }];
      }
    }
  };
}
