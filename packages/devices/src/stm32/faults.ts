/**
 * What can be made to go wrong at a step of a protocol. Faults of the wire (lost, flipped and late bytes,
 * reads of one byte, an unplug after n bytes) are the port's: `FaultPlan` in ../wire/faults.ts.
 */
import { type StepFault, seededFault } from '../wire/step-faults.ts';

/** Answers of the UART bootloader at which a fault can be placed: one each time that a host waits for something. */
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

/** Requests of the USB bootloader. `dfu-busy` is the status request that starts what was downloaded. */
export const stmUsbSteps = ['dfu-download', 'dfu-upload', 'dfu-busy', 'dfu-status', 'dfu-leave'] as const;

export type StmUartStep = (typeof stmUartSteps)[number];
export type StmUsbStep = (typeof stmUsbSteps)[number];
export type StmStep = StmUartStep | StmUsbStep;

/**
 * - `drop-answer`: what was asked is done, the answer is lost. `drop-command`: it is as if nothing had arrived.
 * - `damage-answer`: one bit of the answer is wrong. `garbage`: rubbish stands before it. `late-answer`: it takes `delay` ms.
 * - `split-answer`: it comes byte by byte with pauses. `repeat-answer`: it comes twice.
 * - `join-answer`: it is held back and comes in one piece with the next thing that the part sends, at the latest after `delay`.
 * - `error-answer`: nothing is done, the answer is a NACK (on USB a STALL).
 * - `hang`: the part says nothing any more until it is reset.
 * - `unplug`: the cable is pulled in the middle of the step. `brown-out`: the supply breaks down, the part restarts.
 * On USB, where the bus repeats and orders by itself, only `error-answer`, `late-answer`, `hang`, `unplug` and `brown-out` exist.
 */
export const stmFaultKinds = [
  'drop-answer',
  'drop-command',
  'damage-answer',
  'garbage',
  'late-answer',
  'split-answer',
  'join-answer',
  'repeat-answer',
  'error-answer',
  'hang',
  'unplug',
  'brown-out',
] as const;
export type StmFaultKind = (typeof stmFaultKinds)[number];

export const stmUsbFaultKinds = [
  'error-answer',
  'late-answer',
  'hang',
  'unplug',
  'brown-out',
] as const satisfies readonly StmFaultKind[];

export type StmFault = StepFault<StmStep, StmFaultKind>;

export interface SeededStmFaultChoice {
  /** Default: the steps of the UART bootloader. */
  readonly at?: readonly StmStep[];
  /** Default: all; for steps on USB those that exist there. */
  readonly kinds?: readonly StmFaultKind[];
  /** The fault falls on the first to this n-th time of the step. Default 3. */
  readonly latest?: number;
}

/** One fault, decided by `seed` alone: the same seed and choice give the same one. */
export function seededStmFault(seed: number, choice: SeededStmFaultChoice = {}): StmFault {
  return seededFault(seed, 'stm32 fault', {
    steps: choice.at ?? stmUartSteps,
    kinds: (at) => choice.kinds ?? (at.startsWith('dfu-') ? stmUsbFaultKinds : stmFaultKinds),
    otherwise: { at: 'sync', kind: 'late-answer' },
    latest: choice.latest,
  });
}
