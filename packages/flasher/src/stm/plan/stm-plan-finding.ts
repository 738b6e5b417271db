/** Refusals and warnings of a plan for an STM32: codes for programs, sentences for people. */
import {
  anotherFirmware,
  demoFirmwareText,
  Findings,
  type FindingText,
  overlapText,
  quoted,
  refusalText,
} from '../../core/findings.ts';

export type StmRefusal =
  | 'nothing-to-write'
  | 'file-empty'
  | 'overlap'
  | 'outside-flash'
  | 'does-not-fit'
  | 'read-protected'
  | 'unknown-part'
  | 'not-firmware'
  | 'not-an-image'
  | 'demo-firmware'
  | 'guard-model'
  | 'guard-flash'
  | 'other-family'
  | 'other-device';

export type StmWarning =
  | 'no-vector-table'
  | 'linked-elsewhere'
  | 'flash-size-not-known'
  | 'rest-is-erased'
  | 'part-left-out'
  | 'family-not-known';

/**
 * Refusals that a person may override: claims about the board, properties and stated targets of files, and parts that
 * are left out. A file that is not firmware may be data. At the start address it is refused for certain.
 */
const overridableStmRefusals: readonly StmRefusal[] = [
  'not-firmware',
  'not-an-image',
  'guard-model',
  'guard-flash',
  'outside-flash',
  'other-family',
  'other-device',
];

const stmRefusalText = {
  'nothing-to-write': refusalText['nothing-to-write'],
  'file-empty': refusalText['file-empty'],
  overlap: overlapText('Remove one of them, or correct the addresses.'),
  'outside-flash': ({ files, at, found, wanted }) => ({
    what:
      found === undefined
        ? `${quoted(files)} contains data for ${at}, which is outside the flash.`
        : `${quoted(files)} contains ${found}`,
    remedy: wanted ?? 'Correct the address: flash begins at 0x08000000. Or choose a file for an STM32.',
  }),
  'does-not-fit': ({ files, wanted, found }) => ({
    what: `${quoted(files)} ends at ${wanted}, but the flash ends at ${found}.`,
    remedy: 'Correct the address, or choose a board with more flash.',
  }),
  'read-protected': () => ({
    what: 'The flash of this board is read-protected: it can be neither read nor written.',
    remedy: 'Remove the read protection first. That erases everything on the board.',
  }),
  'unknown-part': refusalText['unknown-part'],
  'not-firmware': refusalText['not-firmware'],
  'not-an-image': ({ files, at }) => ({
    what: `${quoted(files)} is not a program for an STM32: at ${at} it has no vector table.`,
    remedy: 'Choose the .bin, .hex or .elf file of a build for an STM32.',
  }),
  'demo-firmware': demoFirmwareText('part'),
  'guard-model': refusalText['guard-model'],
  'guard-flash': refusalText['guard-flash'],
  'other-family': ({ files, wanted, found }) => ({
    what: `${quoted(files)} was built for ${wanted}. This board has ${found}.`,
    remedy: anotherFirmware,
  }),
  'other-device': ({ files, wanted, found }) => ({
    what: `${quoted(files)} is for the USB device ${wanted}. The bootloader of ST is ${found}.`,
    remedy: 'Choose a file for this board. One for a bootloader of another maker often begins at another address.',
  }),
} satisfies Record<StmRefusal, FindingText>;

const stmWarningText = {
  'no-vector-table': ({ files, at }) => ({
    what: `${quoted(files)} has no vector table at ${at}: it is data, or a program of another kind.`,
    remedy: 'Check its address.',
  }),
  'linked-elsewhere': ({ files, at, wanted }) => ({
    what: `${quoted(files)} goes to ${at}, but its program begins at ${wanted}, outside the file.`,
    remedy: 'Set the address that it was built for.',
  }),
  'flash-size-not-known': ({ found }) => ({
    what: `The flash size cannot be read. ${found} is assumed, the most that this part can have.`,
    remedy: 'Check the size of the flash of this part.',
  }),
  'rest-is-erased': () => ({
    what: 'Everything on the board is erased, including stored data.',
    remedy: 'If you need that data, choose to erase only what is written.',
  }),
  'part-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} also holds ${wanted}: this part is left out.`,
    remedy: 'Only what is for this kind of chip is written.',
  }),
  'family-not-known': ({ files, wanted }) => ({
    what: `${quoted(files)} is for ${wanted}.`,
    remedy: 'Check that it is for this board.',
  }),
} satisfies Record<StmWarning, FindingText>;

export type StmFindings = Findings<StmRefusal, StmWarning>;

export const stmFindings = (): StmFindings =>
  new Findings({ refusals: stmRefusalText, warnings: stmWarningText, overridable: overridableStmRefusals });
