/**
 * Faults at steps of PICOBOOT and of the drive. A flash of another size is the option `flashSize`, cells that do not
 * take are the option `worn`, and a missing driver is the option `isHeld`.
 */
import { type SeededChoice, type StepFault, seededFault } from '../wire/step-faults.ts';

/** Commands of PICOBOOT, its two requests, and the two directions of the drive. */
export const rpSteps = [
  'exclusive-access',
  'reboot',
  'flash-erase',
  'read',
  'write',
  'exit-xip',
  'exec',
  'get-info',
  'get-command-status',
  'interface-reset',
  'drive-read',
  'drive-write',
] as const;
export type RpStep = (typeof rpSteps)[number];

/**
 * - `lost-acknowledgement`: the command is done, its acknowledgement never comes. `late-acknowledgement`: `delay` ms
 *   late.
 * - `stall-command`: both endpoints halt at the command. `stall-data`: its endpoint halts after the first packet of
 *   data. `stall-acknowledgement`: it halts in the place of the acknowledgement.
 * - `lost-command`: the packet is taken, and nothing follows. `late-command`: it is taken `delay` ms late.
 * - `damaged-data`: one bit of the first packet of data is wrong. `short-data`: the data ends after its first packet.
 * - `lost-data`: data is taken or given up to the first packet, then nothing moves. `late-data`: `delay` ms late.
 * - `silent-end`: the last packet of data is taken, OUT halts, no acknowledgement comes.
 * - `hang`: nothing is answered until the next power-on. `brown-out`: the supply breaks down, the board restarts.
 * - `unplug`: the cable is pulled at the command. `unplug-in-data`: after the first packet of data.
 * - `unplug-at-end`: in the place of the acknowledgement.
 * - `stall-request`: a control request is stalled. `lost-request`: it never ends.
 * - `write-error`: the drive reports an error.
 */
export const rpFaultKinds = [
  'lost-acknowledgement',
  'late-acknowledgement',
  'stall-acknowledgement',
  'stall-command',
  'stall-data',
  'lost-command',
  'late-command',
  'damaged-data',
  'short-data',
  'lost-data',
  'late-data',
  'silent-end',
  'hang',
  'brown-out',
  'unplug',
  'unplug-in-data',
  'unplug-at-end',
  'stall-request',
  'lost-request',
  'write-error',
] as const;
export type RpFaultKind = (typeof rpFaultKinds)[number];

export type RpFault = StepFault<RpStep, RpFaultKind>;

/** Returns one fault that depends only on `seed` and `choice`. Default kinds: those that exist at the step. */
export function seededRpFault(seed: number, choice: SeededChoice<RpStep, RpFaultKind> = {}): RpFault {
  return seededFault(seed, 'rp fault', {
    steps: choice.at ?? rpSteps,
    kinds: (at) => choice.kinds ?? kindsAt(at),
    otherwise: { at: 'read', kind: 'late-data' },
    latest: choice.latest,
  });
}

/** Returns the kinds that have an effect at a step. */
export function kindsAt(at: RpStep): readonly RpFaultKind[] {
  if (at === 'get-command-status' || at === 'interface-reset') {
    return ['stall-request', 'lost-request', 'hang', 'brown-out', 'unplug'];
  }
  const whole = ['stall-command', 'lost-command', 'late-command', 'hang', 'brown-out', 'unplug'] as const;
  const data = ['stall-data', 'damaged-data', 'lost-data', 'late-data', 'unplug-in-data'] as const;
  const end = ['lost-acknowledgement', 'late-acknowledgement', 'stall-acknowledgement', 'unplug-at-end'] as const;
  switch (at) {
    case 'read':
      return [...whole, ...data, 'short-data'];
    case 'write':
      return [...whole, ...data, ...end, 'silent-end'];
    case 'get-info':
      return [...whole, ...data];
    case 'drive-read':
    case 'drive-write':
      return ['hang', 'brown-out', 'unplug', 'unplug-in-data', 'write-error'];
    default:
      return [...whole, ...end];
  }
}
