/**
 * What can be made to go wrong at a step of a bootloader's protocol. Faults of the wire (lost, flipped and late bytes, reads of
 * one byte, an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

/** Steps of each protocol, in the order in which a flasher usually reaches them. */
export const nordicSteps = {
  secure: ['ping', 'version', 'receipt', 'mtu', 'select', 'create', 'write', 'crc', 'execute', 'abort', 'restart'],
  adafruit: ['start', 'init', 'data', 'stop', 'restart'],
  mcuboot: ['echo', 'params', 'image-state', 'upload', 'reset', 'restart'],
} as const;
/** `restart` is the way from the bootloader to what was written. */
export type NordicStep = (typeof nordicSteps)[keyof typeof nordicSteps][number];

/** At `error-answer` Adafruit's bootloader, which knows no such answer, starts again instead. */
export const nordicFaultKinds = stepFaultKinds;
export type NordicFaultKind = (typeof nordicFaultKinds)[number];

/** At `restart` only `hang` (nothing comes back) and `unplug` do something. */
export type NordicFault = StepFault<NordicStep, NordicFaultKind>;

/** No step is there in all protocols: the steps are always chosen. */
type NordicChoice = SeededChoice<NordicStep, NordicFaultKind> & { readonly at: readonly NordicStep[] };

/** One fault, decided by `seed` alone: the same seed and choice give the same one. */
export function seededNordicFault(seed: number, choice: NordicChoice): NordicFault {
  return seededFault(seed, 'nordic fault', {
    steps: choice.at,
    kinds: () => choice.kinds ?? nordicFaultKinds,
    otherwise: { at: 'restart', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
