/**
 * Faults at the steps of a protocol. Faults of the wire (lost, flipped and late bytes, reads of one byte, an unplug
 * after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type SeededChoice, type StepFault, seededFault, stepFaultKinds } from '../wire/step-faults.ts';

/** Answers of the UART bootloader at which a fault can occur: one for each time that a host waits. */
export const stmUartSteps = [
  'sync',
  'get',
  'get-version',
  'get-id',
  'read-command',
  'read-address',
  'read-data',
  'write-command',
  'write-address',
  'write-data',
  'erase-command',
  'erase-pages',
  'go-command',
  'go-address',
  'protect-command',
  'protect',
  'checksum-command',
  'checksum',
] as const;

/** Requests of the USB bootloader. `dfu-busy` is the status request that starts the downloaded operation. */
export const stmUsbSteps = ['dfu-download', 'dfu-upload', 'dfu-busy', 'dfu-status', 'dfu-leave'] as const;

export type StmUartStep = (typeof stmUartSteps)[number];
export type StmUsbStep = (typeof stmUsbSteps)[number];
export type StmStep = StmUartStep | StmUsbStep;

/**
 * The kinds of faults. `error-answer` is a NACK, on USB a STALL.
 * - `join-answer`: the answer is sent in one piece with the part's next output, at the latest after `delay`.
 * - `brown-out`: the supply breaks down in the middle of the step, and the part restarts.
 */
export const stmFaultKinds = [...stepFaultKinds, 'join-answer', 'brown-out'] as const;
export type StmFaultKind = (typeof stmFaultKinds)[number];

/** The kinds on USB. The bus itself repeats and orders packets, which excludes the others. */
export const stmUsbFaultKinds = [
  'error-answer',
  'late-answer',
  'hang',
  'unplug',
  'brown-out',
] as const satisfies readonly StmFaultKind[];

export type StmFault = StepFault<StmStep, StmFaultKind>;

/**
 * Returns one fault that depends only on `seed` and `choice`. Default steps: the UART bootloader's. Default kinds:
 * those that exist at the step.
 */
export function seededStmFault(seed: number, choice: SeededChoice<StmStep, StmFaultKind> = {}): StmFault {
  return seededFault(seed, 'stm32 fault', {
    steps: choice.at ?? stmUartSteps,
    kinds: (at) => choice.kinds ?? (at.startsWith('dfu-') ? stmUsbFaultKinds : stmFaultKinds),
    otherwise: { at: 'sync', kind: 'late-answer' },
    latest: choice.latest,
  });
}
