/**
 * What a plan for a Nordic board refuses, and what it warns of, in the shape of all plans' findings. What only the board can tell, whose
 * key a signature is of or which hardware version a bootloader was built with, it tells when it is asked, before anything is erased.
 */
import type { FailureText } from '../../flash-failure.ts';

export type NordicRefusal =
  | 'wrong-bootloader'
  | 'wrong-hardware'
  | 'wrong-softdevice'
  | 'too-large'
  | 'unsigned-bootloader'
  | 'not-whole-words'
  | 'demo-firmware';

export type NordicWarning =
  | 'unsigned'
  | 'downgrade'
  | 'same-version'
  | 'already-there'
  | 'hardware-not-known'
  | 'cannot-resume'
  | 'no-proof'
  | 'replaces-bootloader';

/** What the sentences are made of. Each uses what it needs. */
export interface NordicDetail {
  /** Name of the image's file. */
  readonly file: string;
  /** What the package says or needs, in words. */
  readonly wanted: string;
  /** What the board is or has, in words. */
  readonly found: string;
}

const otherFirmware = 'Choose other firmware, or connect the board that it is for.';

export const nordicRefusalText = {
  'wrong-bootloader': ({ wanted, found }) => ({
    what: `This is for ${wanted}. The board has ${found}.`,
    remedy: 'Choose a package for this bootloader, or ask whoever made the firmware for one.',
  }),
  'wrong-hardware': ({ file, wanted, found }) => ({
    what: `"${file}" was built for ${wanted}, not for ${found}.`,
    remedy: otherFirmware,
  }),
  'wrong-softdevice': ({ file, wanted, found }) => ({
    what: `"${file}" runs with SoftDevice ${wanted}. The board has ${found}.`,
    remedy: 'Write the SoftDevice that it needs first, or build for the one on the board.',
  }),
  'too-large': ({ file, wanted, found }) => ({
    what: `"${file}" is ${wanted}, but there is room for only ${found}.`,
    remedy: 'Choose smaller firmware, or build without the parts you do not need.',
  }),
  'unsigned-bootloader': ({ file }) => ({
    what: `"${file}" is not signed, and secure DFU never accepts an unsigned bootloader or SoftDevice with bootloader.`,
    remedy: 'Sign the package with the private key that belongs to the bootloader on the board.',
  }),
  'not-whole-words': ({ file, wanted }) => ({
    what: `"${file}" has ${wanted}: Adafruit's bootloader accepts only multiples of 4.`,
    remedy: 'Make the package again from the .hex file of the build.',
  }),
  'demo-firmware': ({ file }) => ({
    what: `"${file}" is for the demo device only: on a real chip it would do nothing.`,
    remedy: 'Choose the demo device, or firmware for this board.',
  }),
} satisfies Record<NordicRefusal, (detail: NordicDetail) => FailureText>;

export const nordicWarningText = {
  unsigned: ({ file }) => ({
    what: `"${file}" is not signed.`,
    remedy: 'A bootloader that requires a signature refuses it before anything is erased.',
  }),
  downgrade: ({ file, wanted, found }) => ({
    what: `"${file}" is version ${wanted}; the board has ${found}.`,
    remedy: 'A bootloader that does not allow downgrades refuses it before anything is erased.',
  }),
  'same-version': ({ file, wanted }) => ({
    what: `"${file}" is version ${wanted}, which the board already has.`,
    remedy: 'A bootloader that requires a higher version refuses it before anything is erased.',
  }),
  'already-there': ({ file }) => ({
    what: `The board already has exactly "${file}".`,
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
  'no-proof': ({ found }) => ({
    what: 'This bootloader does not report whether the data arrived intact.',
    remedy: found,
  }),
  'replaces-bootloader': ({ file }) => ({
    what: `"${file}" replaces the bootloader itself.`,
    remedy: 'Keep the power on until the board answers again: without a bootloader only a debug probe helps.',
  }),
} satisfies Record<NordicWarning, (detail: NordicDetail) => FailureText>;

export interface NordicRefusalFinding extends FailureText {
  readonly code: NordicRefusal;
  readonly files: readonly string[];
  /** None of them may be typed away: a bootloader refuses them all the same. */
  readonly overridable: false;
}

export interface NordicWarningFinding extends FailureText {
  readonly code: NordicWarning;
  readonly files: readonly string[];
}
