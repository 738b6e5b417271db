/**
 * Faults at the steps of the protocol. Faults of the wire (lost, flipped and late bytes, reads of one byte, an unplug
 * after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts. The step of each command is in steps.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

/** Steps of the protocol at which a fault can occur, in the order in which a flasher usually reaches them. */
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
/** `flash-*` include the compressed commands. `stub-start` is the stub's greeting, which answers no request. */
export type EspStep = (typeof espSteps)[number];

/**
 * The kinds that the ESP protocol adds.
 * - `join-answer`: the answer is sent in one piece with the chip's next output, at the latest after `delay`.
 * - `ignore-baud`: `change-baud` is answered with success, but the rate stays.
 * - `brown-out`: the supply breaks down in the middle of the step, and the chip restarts.
 */
export const espFaultKinds = [...stepFaultKinds, 'join-answer', 'ignore-baud', 'brown-out'] as const;
export type EspFaultKind = (typeof espFaultKinds)[number];

export type EspFault = StepFault<EspStep, EspFaultKind>;

/** Returns one fault that depends only on `seed` and `choice`. */
export function seededEspFault(seed: number, choice: SeededChoice<EspStep, EspFaultKind> = {}): EspFault {
  return seededFault(seed, 'esp fault', {
    steps: choice.at ?? espSteps,
    kinds: () => choice.kinds ?? espFaultKinds,
    otherwise: { at: 'sync', kind: 'drop-answer' },
    latest: choice.latest,
  });
}
