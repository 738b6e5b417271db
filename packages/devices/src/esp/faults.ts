/**
 * What can be made to go wrong at a step of the protocol. Faults of the wire (lost, flipped and late bytes, reads of one byte,
 * an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts. Which command is which step is in steps.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

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
/** `flash-*` stand for the compressed commands too. `stub-start` is the stub's greeting, which answers no request. */
export type EspStep = (typeof espSteps)[number];

/**
 * - `join-answer`: it is held back and comes in one piece with the next thing that the chip sends, at the latest after `delay`.
 * - `ignore-baud`: at `change-baud` the answer is good, and the rate stays as it was.
 * - `brown-out`: the supply breaks down in the middle of the step, the chip restarts.
 */
export const espFaultKinds = [...stepFaultKinds, 'join-answer', 'ignore-baud', 'brown-out'] as const;
export type EspFaultKind = (typeof espFaultKinds)[number];

export type EspFault = StepFault<EspStep, EspFaultKind>;

/** One fault, decided by `seed` alone: the same seed and choice give the same one. */
export function seededEspFault(seed: number, choice: SeededChoice<EspStep, EspFaultKind> = {}): EspFault {
  return seededFault(seed, 'esp fault', {
    steps: choice.at ?? espSteps,
    kinds: () => choice.kinds ?? espFaultKinds,
    otherwise: { at: 'sync', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
