/**
 * Faults at the steps of any bootloader's protocol: selects the fault that is due, and derives one from a seed. Each
 * protocol defines its own steps and kinds. Faults of the wire itself are in faults.ts.
 */
import { createRandom } from '../random.ts';

/**
 * The faults that are possible in any protocol.
 * - `drop-answer`: the command is executed, the answer is lost. `drop-command`: the command is lost.
 * - `damage-answer`: one bit of the answer is wrong. `garbage`: random bytes precede the answer. `late-answer`: it is
 *   `delay` ms late.
 * - `split-answer`: it comes byte by byte with pauses. `repeat-answer`: it comes twice.
 * - `error-answer`: the command is not executed, the answer is an error.
 * - `hang`: the chip sends nothing until it is reset. `unplug`: the cable is pulled in the middle of the step.
 */
export const stepFaultKinds = [
  'drop-answer',
  'drop-command',
  'damage-answer',
  'garbage',
  'late-answer',
  'split-answer',
  'repeat-answer',
  'error-answer',
  'hang',
  'unplug',
] as const;

export interface StepFault<Step extends string, Kind extends string> {
  readonly at: Step;
  readonly kind: Kind;
  /** First affected occurrence of the step since the device was created, from 1. Default 1. */
  readonly nth?: number;
  /** Number of consecutive occurrences affected. Default 1; `Infinity` for all. */
  readonly times?: number;
  /** Delay in milliseconds, for the kinds that wait. Default 500. */
  readonly delay?: number;
  /** Milliseconds until the device comes back after `unplug`. Default: when the user plugs it in. */
  readonly replugAfter?: number;
}

/** Returns the delay of a fault that waits, in milliseconds. */
export function faultDelay({ delay = 500 }: { readonly delay?: number }): number {
  return delay;
}

/** Returns the delay of an answer in milliseconds: 0 unless the fault is `late-answer`. */
export function lateness(fault: { readonly kind: string; readonly delay?: number } | null): number {
  return fault?.kind === 'late-answer' ? faultDelay(fault) : 0;
}

/** Counts the protocol's steps, and returns the fault that is due at each. */
export class FaultInjector<Fault extends StepFault<string, string>> {
  readonly #faults: readonly Fault[];
  readonly #reached = new Map<Fault['at'], number>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** Number of occurrences of each step. */
  get reached(): ReadonlyMap<Fault['at'], number> {
    return this.#reached;
  }

  /** Counts the step. Returns the first fault of the list that is due, or null. */
  reach(step: Fault['at']): Fault | null {
    const count = (this.#reached.get(step) ?? 0) + 1;
    this.#reached.set(step, count);
    const due = this.#faults.find(({ at, nth = 1, times = 1 }) => at === step && count >= nth && count < nth + times);
    return due ?? null;
  }
}

/** Restricts the choice of a seeded fault. */
export interface SeededChoice<Step extends string, Kind extends string> {
  readonly at?: readonly Step[];
  readonly kinds?: readonly Kind[];
  /** The fault affects one of the first `latest` occurrences of the step. Default 3. */
  readonly latest?: number;
}

interface FaultChoice<Step extends string, Kind extends string> {
  readonly steps: readonly Step[];
  readonly kinds: (at: Step) => readonly Kind[];
  /** The fault if `steps` or `kinds` is empty. */
  readonly otherwise: { readonly at: Step; readonly kind: Kind };
  /** See `SeededChoice`. */
  readonly latest?: number | undefined;
}

/** Returns one fault that depends only on `seed`, `name` and the choice. */
export function seededFault<Step extends string, Kind extends string>(
  seed: number,
  name: string,
  { steps, kinds, otherwise, latest = 3 }: FaultChoice<Step, Kind>,
): StepFault<Step, Kind> {
  const random = createRandom(seed, name);
  const at = steps[random.below(steps.length)] ?? otherwise.at;
  const possible = kinds(at);
  const kind = possible[random.below(possible.length)] ?? otherwise.kind;
  return { at, kind, nth: 1 + random.below(latest), delay: 50 + random.below(950) };
}
