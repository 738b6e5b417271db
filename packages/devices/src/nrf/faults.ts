/**
 * Faults at the steps of a bootloader's protocol. Faults of the wire (lost, flipped and late bytes, reads of one
 * byte, an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

/** Steps of each protocol, in the order in which a flasher usually reaches them. */
export const nrfSteps = {
  secure: ['ping', 'version', 'receipt', 'mtu', 'select', 'create', 'write', 'crc', 'execute', 'abort', 'restart'],
  adafruit: ['start', 'init', 'data', 'stop', 'restart'],
  mcuboot: ['echo', 'params', 'image-state', 'upload', 'reset', 'restart'],
} as const;
/** `restart` is the transition from the bootloader to the written application. */
export type NrfStep = (typeof nrfSteps)[keyof typeof nrfSteps][number];

/**
 * Kinds of faults. At `error-answer` Adafruit's bootloader restarts instead, because its protocol has no error
 * answer.
 */
export const nrfFaultKinds = stepFaultKinds;
export type NrfFaultKind = (typeof nrfFaultKinds)[number];

/** A fault. At `restart` only `hang` (the board does not come back) and `unplug` have an effect. */
export type NrfFault = StepFault<NrfStep, NrfFaultKind>;

/** `at` is mandatory, because no step exists in all protocols. */
type NrfChoice = SeededChoice<NrfStep, NrfFaultKind> & { readonly at: readonly NrfStep[] };

/** Returns one fault that depends only on `seed` and `choice`. */
export function seededNrfFault(seed: number, choice: NrfChoice): NrfFault {
  return seededFault(seed, 'nordic fault', {
    steps: choice.at,
    kinds: () => choice.kinds ?? nrfFaultKinds,
    otherwise: { at: 'restart', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
