/**
 * Faults at the steps of a bootloader's protocol, whichever it is: which one is due, and one for a seed. Which steps and kinds there
 * are is the protocol's; faults of the wire itself are in faults.ts.
 */
import { createRandom } from '../random.ts';

/**
 * What can go wrong at a step of any protocol.
 * - `drop-answer`: what was asked is done, the answer is lost. `drop-command`: it is as if nothing had arrived.
 * - `damage-answer`: one bit of the answer is wrong. `garbage`: rubbish comes before it. `late-answer`: it takes `delay` ms.
 * - `split-answer`: it comes byte by byte with pauses. `repeat-answer`: it comes twice.
 * - `error-answer`: nothing is done, the answer is an error.
 * - `hang`: the chip says nothing any more until it is reset. `unplug`: the cable is pulled in the middle of the step.
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
  /** The n-th time that the step is reached since the device was made, from 1. Default 1. */
  readonly nth?: number;
  /** How many times from there on. Default 1; `Infinity` for always. */
  readonly times?: number;
  /** Milliseconds, for the kinds that wait. Default 500. */
  readonly delay?: number;
  /** After `unplug`: the device comes back this many milliseconds later; left out: when somebody plugs it in. */
  readonly replugAfter?: number;
}

/** Milliseconds that a fault that waits takes. */
export function faultDelay({ delay = 500 }: { readonly delay?: number }): number {
  return delay;
}

/** Milliseconds that an answer is late. */
export function lateness(fault: { readonly kind: string; readonly delay?: number } | null): number {
  return fault?.kind === 'late-answer' ? faultDelay(fault) : 0;
}

/** Keeps count of the protocol's steps, and says which fault is due at the one that is reached. */
export class FaultInjector<Fault extends StepFault<string, string>> {
  readonly #faults: readonly Fault[];
  readonly #reached = new Map<Fault['at'], number>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** How often each step was reached. */
  get reached(): ReadonlyMap<Fault['at'], number> {
    return this.#reached;
  }

  /** Counts the step, and gives the first fault of the list that is due; null for none. */
  reach(step: Fault['at']): Fault | null {
    const count = (this.#reached.get(step) ?? 0) + 1;
    this.#reached.set(step, count);
    const due = this.#faults.find(({ at, nth = 1, times = 1 }) => at === step && count >= nth && count < nth + times);
    return due ?? null;
  }
}

/** What one fault is chosen from. */
export interface SeededChoice<Step extends string, Kind extends string> {
  readonly at?: readonly Step[];
  readonly kinds?: readonly Kind[];
  /** The fault falls on the first to this n-th time of the step. Default 3. */
  readonly latest?: number;
}

interface FaultChoice<Step extends string, Kind extends string> {
  readonly steps: readonly Step[];
  readonly kinds: (at: Step) => readonly Kind[];
  /** Where there is nothing to choose from. */
  readonly otherwise: { readonly at: Step; readonly kind: Kind };
  /** As in `SeededChoice`. */
  readonly latest?: number | undefined;
}

/** One fault, decided by `seed` and `name` alone: the same ones and the same choice give the same fault. */
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
