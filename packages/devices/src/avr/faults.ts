/**
 * Faults at the steps of a bootloader's protocol. Faults of the wire (lost, flipped and late bytes, reads of one
 * byte, an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

/**
 * Answers of each bootloader at which a fault can occur, in the order in which a flasher usually reaches them. `sync`
 * is the first contact: Get Synchronization, Sign On, or the software identifier.
 */
export const avrSteps = {
  optiboot: ['sync', 'parameter', 'enter', 'signature', 'universal', 'address', 'write', 'read', 'leave'],
  'atmega-boot': [
    'sync',
    'parameter',
    'enter',
    'signature',
    'universal',
    'address',
    'write',
    'read',
    'write-eeprom',
    'read-eeprom',
    'leave',
  ],
  'stk500-v2': [
    'sync',
    'parameter',
    'enter',
    'signature',
    'universal',
    'fuses',
    'erase',
    'address',
    'write',
    'read',
    'write-eeprom',
    'read-eeprom',
    'leave',
  ],
  caterina: [
    'sync',
    'parameter',
    'enter',
    'signature',
    'fuses',
    'erase',
    'address',
    'write',
    'read',
    'write-eeprom',
    'read-eeprom',
    'leave',
  ],
} as const;

export type AvrStep = (typeof avrSteps)[keyof typeof avrSteps][number];

/** The kinds of faults. `error-answer` is FAILED in STK500, `?` in AVR109. */
export const avrFaultKinds = stepFaultKinds;
export type AvrFaultKind = (typeof avrFaultKinds)[number];

export type AvrFault = StepFault<AvrStep, AvrFaultKind>;

/** `at` is mandatory, because not all bootloaders have the same steps. */
type AvrChoice = SeededChoice<AvrStep, AvrFaultKind> & { readonly at: readonly AvrStep[] };

/** Returns one fault that depends only on `seed` and `choice`. */
export function seededAvrFault(seed: number, choice: AvrChoice): AvrFault {
  return seededFault(seed, 'avr fault', {
    steps: choice.at,
    kinds: () => choice.kinds ?? avrFaultKinds,
    otherwise: { at: 'sync', kind: 'late-answer' },
    latest: choice.latest,
  });
}
