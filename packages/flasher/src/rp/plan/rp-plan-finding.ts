/** Refusals and warnings of a plan for an RP2040 or RP2350: codes for programs, sentences for people. */
import { type ChangeRefusal, changeRefusalText, undoChange } from '../../core/check-changes.ts';
import { demoFirmwareText, Findings, type FindingText, overlapText, quoted, refusalText } from '../../core/findings.ts';
import {
  type RpProgramRefusal,
  type RpProgramWarning,
  rpProgramRefusalText,
  rpProgramWarningText,
} from '../files/index.ts';

/** Findings about files that the write takes. */
export type PutBackWarning =
  | 'puts-files-back'
  | 'less-room'
  | 'files-left-out'
  | 'files-not-put-back'
  | 'settings-lost';

export type RpRefusal =
  | RpProgramRefusal
  | ChangeRefusal
  | 'change-displaced'
  | 'change-before-put-back'
  | 'change-by-drive'
  | 'nothing-to-write'
  | 'overlap'
  | 'only-ram'
  | 'not-firmware'
  | 'demo-firmware'
  | 'guard-model'
  | 'guard-flash'
  | 'drive-one-file'
  | 'drive-loses';

export type RpWarning =
  | RpProgramWarning
  | PutBackWarning
  | 'erases-files'
  | 'moves-files'
  | 'smaller-files'
  | 'files-behind-flash'
  | 'flash-size-not-known'
  | 'rest-is-erased'
  | 'part-left-out'
  | 'by-drive'
  | 'drive-erases'
  | 'drive-knows-no-files';

/**
 * Refusals that a person may override: claims of a release about the board, and data that looks like no firmware. At the
 * start of flash the latter is final.
 */
const overridableRpRefusals: readonly RpRefusal[] = ['guard-model', 'guard-flash', 'not-firmware'];

const rpRefusalText = {
  ...rpProgramRefusalText,
  ...changeRefusalText,
  'change-displaced': ({ files }) => ({
    what: `The new firmware is written over ${quoted(files)}, or keeps its files elsewhere: planned changes cannot be written with it.`,
    remedy: 'Undo the changes, and write the firmware first. Then change the files that it finds.',
  }),
  'change-before-put-back': ({ files }) => ({
    what: `An interrupted write has saved files of this board that are not back yet, so ${quoted(files)} cannot be changed.`,
    remedy: 'Undo the changes, and write the firmware again, which puts the files back. Then change them.',
  }),
  'change-by-drive': ({ files }) => ({
    what: `The drive of the board takes firmware only: changes to ${quoted(files)} cannot be written there.`,
    remedy: `Connect the board over USB. Or: ${undoChange.toLowerCase()}`,
  }),
  'nothing-to-write': refusalText['nothing-to-write'],
  overlap: overlapText('Remove one of them, or correct the addresses.'),
  'only-ram': ({ files }) => ({
    what: `${quoted(files)} holds a program for RAM: nothing of it goes into flash.`,
    remedy: 'Copy it to the drive of the board, which starts it once. Or build it for flash.',
  }),
  'not-firmware': refusalText['not-firmware'],
  'demo-firmware': demoFirmwareText('board'),
  'guard-model': refusalText['guard-model'],
  'guard-flash': refusalText['guard-flash'],
  'drive-one-file': ({ files }) => ({
    what: `The drive takes one file, and restarts the board after it: ${quoted(files)} are too many.`,
    remedy: 'Choose one file, or connect the board over USB.',
  }),
  'drive-loses': ({ files, found }) => ({
    what: `The drive would not keep all of ${quoted(files)}. ${found}`,
    remedy: 'Connect the board over USB, which writes this file correctly.',
  }),
} satisfies Record<RpRefusal, FindingText>;

const rpWarningText = {
  ...rpProgramWarningText,
  'erases-files': ({ found, at, lost }) => ({
    what: `The erase takes ${found}, at ${at}.`,
    remedy: 'Save the files first, and put them back afterwards.',
    plain: `${lost ?? 'Files that the old program stored'} are lost.`,
  }),
  'moves-files': ({ found, at, wanted }) => ({
    what: `The new program keeps its files at ${wanted}. It will not find ${found}, at ${at}.`,
    remedy: 'Save the files first, and put them back afterwards.',
    plain: 'Files that the old program stored are not found by the new one.',
  }),
  'smaller-files': ({ found, wanted }) => ({
    what: `The new program has less room for files: ${wanted} instead of ${found}.`,
    remedy: 'Save the files first. They may not all fit afterwards.',
    plain: 'The new program has less room for files.',
  }),
  'files-behind-flash': ({ wanted, found }) => ({
    what: `The new program keeps its files up to ${wanted}, but the flash ends at ${found}.`,
    remedy:
      'Choose the firmware for this flash size. Behind its end the flash begins again, so that files would go over the program.',
    plain: 'The new program was built for a board with more flash: it keeps its files behind the end of this one.',
  }),
  'puts-files-back': ({ found, at, wanted, lost }) => ({
    what: `The write saves ${found} at ${at}, and puts them back at ${wanted}, where the new program keeps its files: ${lost}.`,
    remedy: 'Leave the board connected until the write is done.',
    plain: 'Files that the old program stored are put back for the new one.',
  }),
  'less-room': ({ found, wanted }) => ({
    what: `The new program has less room for files: ${wanted} instead of ${found}.`,
    remedy: 'Files that do not fit are named.',
    plain: 'The new program has less room for files.',
  }),
  'files-left-out': ({ lost, files }) => ({
    what: `Not put back, for want of room or because they are damaged: ${lost}.`,
    remedy: `All files that can be read are saved in ${quoted(files)} before anything is written: keep it.`,
    plain: 'Some files that the old program stored are not put back. They are saved before the write.',
  }),
  'files-not-put-back': ({ found, at, lost, files }) => ({
    what: `The new program does not find ${found} at ${at}, and they are not put back: ${lost}.`,
    remedy: `They are saved in ${quoted(files)} before anything is written: keep it.`,
    plain: 'Files that the old program stored are not put back. They are saved before the write.',
  }),
  'settings-lost': ({ at, files = [] }) => ({
    what: `Settings of CircuitPython (nvm, 4 KB at ${at}) are not put back.`,
    remedy:
      files.length === 0
        ? 'Save this range first, if a program keeps values there.'
        : `They are saved in ${quoted(files)} before anything is written: keep it.`,
    plain:
      files.length === 0
        ? 'Settings that the old program stored are lost.'
        : 'Settings that the old program stored are not put back. They are saved before the write.',
  }),
  'flash-size-not-known': ({ wanted }) => ({
    what: 'The flash is empty, so its size cannot be found by reading. It is measured once a part is written.',
    remedy: `If the file is larger than the flash, the write ends there.${
      wanted === undefined ? '' : ` The new program and its files need ${wanted}: check that the board has as much.`
    }`,
  }),
  'rest-is-erased': () => ({
    what: 'Everything on the board is erased, including stored data.',
    remedy: 'If you need that data, choose to erase only what is written.',
  }),
  'part-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} also holds ${wanted}: this part is left out.`,
    remedy: 'Only what is for the chip of this board is written.',
  }),
  'by-drive': () => ({
    what: 'The file is copied to the drive of the board, which needs no driver.',
    remedy: 'Nothing can be compared or read back there. That the board restarts is the only sign of success.',
  }),
  'drive-erases': ({ found }) => ({
    what: `The drive erases whole sectors: ${found} beside the file are lost.`,
    remedy: 'Connect the board over USB to keep them.',
  }),
  'drive-knows-no-files': ({ found, at }) => ({
    what: `The new program keeps its files at ${at}, ${found}. The drive does not show whether this board has its files there: the new program does not find others.`,
    remedy:
      'Connect the board over USB: the write then saves them first. Or start its program, and save them with Board files in the terminal.',
    plain: 'Files that the old program stored may be lost.',
  }),
} satisfies Record<RpWarning, FindingText>;

export type RpFindings = Findings<RpRefusal, RpWarning>;

export const rpFindings = (): RpFindings =>
  new Findings({ refusals: rpRefusalText, warnings: rpWarningText, overridable: overridableRpRefusals });
