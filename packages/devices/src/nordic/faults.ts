/**
 * What can be made to go wrong at a step of a bootloader's protocol. Faults of the wire (lost, flipped and late bytes, reads of
 * one byte, an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type StepFault, seededFault } from '../wire/step-faults.ts';

/** Steps of each protocol, in the order in which a flasher usually reaches them. */
export const nordicSteps = {
  secure: ['ping', 'version', 'receipt', 'mtu', 'select', 'create', 'write', 'crc', 'execute', 'abort', 'restart'],
  adafruit: ['start', 'init', 'data', 'stop', 'restart'],
  mcuboot: ['echo', 'params', 'image-state', 'upload', 'reset', 'restart'],
} as const;
/** `restart` is the way from the bootloader to what was written. */
export type NordicStep = (typeof nordicSteps)[keyof typeof nordicSteps][number];

/**
 * - `drop-answer`: what was asked is done, the answer is lost. `drop-command`: it is as if nothing had arrived.
 * - `damage-answer`: one bit of the answer is wrong. `garbage`: rubbish stands before it. `late-answer`: it takes `delay` ms.
 * - `split-answer`: it comes byte by byte with pauses. `repeat-answer`: it comes twice.
 * - `error-answer`: nothing is done, the answer is an error; Adafruit's bootloader knows none, and starts again instead.
 * - `hang`: the chip says nothing any more until it is reset.
 * - `unplug`: the cable is pulled in the middle of the step.
 */
export const nordicFaultKinds = [
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
export type NordicFaultKind = (typeof nordicFaultKinds)[number];

/** At `restart` only `hang` (nothing comes back) and `unplug` do something. */
export type NordicFault = StepFault<NordicStep, NordicFaultKind>;

export interface SeededNordicFaultChoice {
  readonly at: readonly NordicStep[];
  readonly kinds?: readonly NordicFaultKind[];
  /** The fault falls on the first to this n-th time of the step. Default 3. */
  readonly latest?: number;
}

/** One fault, decided by `seed` alone: the same seed and choice give the same one. */
export function seededNordicFault(seed: number, choice: SeededNordicFaultChoice): NordicFault {
  return seededFault(seed, 'nordic fault', {
    steps: choice.at,
    kinds: () => choice.kinds ?? nordicFaultKinds,
    otherwise: { at: 'restart', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
