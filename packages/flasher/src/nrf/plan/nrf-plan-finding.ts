/**
 * Refusals and warnings of a plan for a Nordic board. Some properties are known only to the board, such as the key of
 * a signature or the bootloader's hardware version. It checks those itself before anything is erased.
 */
import { anotherFirmware, Findings, type FindingText, quoted, refusalText } from '../../core/findings.ts';

export type NrfRefusal =
  | 'wrong-bootloader'
  | 'wrong-hardware'
  | 'wrong-softdevice'
  | 'too-large'
  | 'unsigned-bootloader'
  | 'not-whole-words'
  | 'not-firmware'
  | 'demo-firmware'
  | 'guard-model'
  | 'guard-flash'
  | 'parts-left-out';

export type NrfWarning =
  | 'unsigned'
  | 'downgrade'
  | 'same-version'
  | 'already-there'
  | 'hardware-not-known'
  | 'cannot-resume'
  | 'no-proof'
  | 'replaces-bootloader'
  | 'trailer-left-out'
  | 'slot-left-out';

const nrfRefusalText = {
  'wrong-bootloader': ({ wanted, found }) => ({
    what: `This is for ${wanted}. The board has ${found}.`,
    remedy: 'Choose a package for this bootloader, or ask whoever made the firmware for one.',
  }),
  'wrong-hardware': ({ files, wanted, found }) => ({
    what: `${quoted(files)} was built for ${wanted}, not for ${found}.`,
    remedy: anotherFirmware,
  }),
  'wrong-softdevice': ({ files, wanted, found }) => ({
    what: `${quoted(files)} runs with SoftDevice ${wanted}. The board has ${found}.`,
    remedy: 'Write the SoftDevice that it needs first, or build for the one on the board.',
  }),
  'too-large': ({ files, wanted, found }) => ({
    what: `${quoted(files)} is ${wanted}, but there is room for only ${found}.`,
    remedy: 'Choose smaller firmware, or build without the parts you do not need.',
  }),
  'unsigned-bootloader': ({ files }) => ({
    what: `${quoted(files)} is not signed, and secure DFU never accepts an unsigned bootloader or SoftDevice with bootloader.`,
    remedy: 'Sign the package with the private key that belongs to the bootloader on the board.',
  }),
  'not-whole-words': ({ files, wanted }) => ({
    what: `${quoted(files)} has ${wanted}: Adafruit's bootloader accepts only multiples of 4.`,
    remedy: 'Make the package again from the .hex file of the build.',
  }),
  'not-firmware': refusalText['not-firmware'],
  'demo-firmware': ({ files }) => ({
    what: `${quoted(files)} is for the demo board only: on a real chip it would do nothing.`,
    remedy: 'Choose the demo board, or firmware for this board.',
  }),
  'guard-model': refusalText['guard-model'],
  'guard-flash': refusalText['guard-flash'],
  'parts-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} also contains ${wanted}. This bootloader writes the image alone.`,
    remedy: 'If you write anyway, the image is written without the rest. The whole file is for a debug probe.',
  }),
} satisfies Record<NrfRefusal, FindingText>;

const nrfWarningText = {
  unsigned: ({ files }) => ({
    what: `${quoted(files)} is not signed.`,
    remedy: 'A bootloader that requires a signature refuses it before anything is erased.',
  }),
  downgrade: ({ files, wanted, found }) => ({
    what: `${quoted(files)} is version ${wanted}; the board has ${found}.`,
    remedy: 'A bootloader that does not allow downgrades refuses it before anything is erased.',
  }),
  'same-version': ({ files, wanted }) => ({
    what: `${quoted(files)} is version ${wanted}, which the board already has.`,
    remedy: 'A bootloader that requires a higher version refuses it before anything is erased.',
  }),
  'already-there': ({ files }) => ({
    what: `The board already has exactly ${quoted(files)}.`,
    remedy: 'It is not written again.',
  }),
  'hardware-not-known': ({ wanted }) => ({
    what: `The package is for hardware ${wanted}; the board does not say what it is.`,
    remedy: 'Check that it is for this board.',
  }),
  'cannot-resume': () => ({
    what: 'This bootloader erases the old program first and cannot resume after an interruption.',
    remedy: 'Do not touch the cable. After an interruption, write again.',
  }),
  'no-proof': ({ found = '' }) => ({
    what: 'This bootloader does not report whether the data arrived intact.',
    remedy: found,
  }),
  'replaces-bootloader': ({ files }) => ({
    what: `${quoted(files)} replaces the bootloader itself.`,
    remedy: 'Keep the power on until the board answers again: without a bootloader only a debug probe helps.',
  }),
  'trailer-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} was made for a debug probe: ${wanted} is left out.`,
    remedy: 'The bootloader writes its own trailer when it has taken the image.',
  }),
  'slot-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} was built for either slot: ${wanted} is left out.`,
    remedy: 'This bootloader writes the first slot, from which the other file does not start.',
  }),
} satisfies Record<NrfWarning, FindingText>;

/**
 * Refusals that a person may override: claims of a release about the board, and parts of a file that are left out. Those
 * that the bootloader would repeat anyway are not among them.
 */
const overridableNrfRefusals: readonly NrfRefusal[] = ['guard-model', 'guard-flash', 'parts-left-out'];

export type NrfFindings = Findings<NrfRefusal, NrfWarning>;

export const nrfFindings = (): NrfFindings =>
  new Findings({ refusals: nrfRefusalText, warnings: nrfWarningText, overridable: overridableNrfRefusals });
