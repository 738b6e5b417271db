/**
 * What can be made to go wrong at a step of the protocol. Faults of the wire (lost, flipped and late bytes, reads of one byte,
 * an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts. Which command is which step stands in steps.ts.
 */
import { type StepFault, seededFault } from '../wire/step-faults.ts';

/** Steps of the protocol at which a fault can be placed, in the order in which a flasher usually reaches them. */
export const espSteps = [
  'sync',
  'security-info',
  'read-reg',
  'write-reg',
  'mem-begin',
  'mem-data',
  'mem-end',
  'stub-start',
  'change-baud',
  'spi-attach',
  'spi-set-params',
  'flash-begin',
  'flash-data',
  'flash-end',
  'md5',
  'read-flash',
  'erase-region',
  'erase-flash',
] as const;
/** `flash-*` stand for the compressed commands too. `stub-start` is the stub's greeting, which is nobody's answer. */
export type EspStep = (typeof espSteps)[number];

/**
 * - `drop-answer`: what was asked is done, the answer is lost. `drop-command`: it is as if nothing had arrived.
 * - `damage-answer`: one bit of the answer is wrong. `garbage`: rubbish stands before it. `late-answer`: it takes `delay` ms.
 * - `split-answer`: it comes byte by byte with pauses. `repeat-answer`: it comes twice.
 * - `join-answer`: it is held back and comes in one piece with the next thing that the chip sends, at the latest after `delay`.
 * - `error-answer`: nothing is done, the answer is an error.
 * - `ignore-baud`: at `change-baud` the answer is good, and the rate stays as it was.
 * - `hang`: the chip says nothing any more until it is reset.
 * - `unplug`: the cable is pulled in the middle of the step. `brown-out`: the supply breaks down, the chip restarts.
 */
export const espFaultKinds = [
  'drop-answer',
  'drop-command',
  'damage-answer',
  'garbage',
  'late-answer',
  'split-answer',
  'join-answer',
  'repeat-answer',
  'error-answer',
  'ignore-baud',
  'hang',
  'unplug',
  'brown-out',
] as const;
export type EspFaultKind = (typeof espFaultKinds)[number];

export type EspFault = StepFault<EspStep, EspFaultKind>;

export interface SeededFaultChoice {
  readonly at?: readonly EspStep[];
  readonly kinds?: readonly EspFaultKind[];
  /** The fault falls on the first to this n-th time of the step. Default 3. */
  readonly latest?: number;
}

/** One fault, decided by `seed` alone: the same seed and choice give the same one. */
export function seededEspFault(seed: number, choice: SeededFaultChoice = {}): EspFault {
  return seededFault(seed, 'esp fault', {
    steps: choice.at ?? espSteps,
    kinds: () => choice.kinds ?? espFaultKinds,
    otherwise: { at: 'sync', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
