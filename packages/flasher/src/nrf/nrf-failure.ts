/**
 * Failures of a Nordic board, in addition to those of every family. Each answer of a bootloader has its own sentence.
 */
import {
  type CommonFailure,
  commonFailureText,
  type FailureText,
  failureOf,
  familyError,
} from '../core/flash-failure.ts';

export type NrfFailure =
  | CommonFailure
  | 'nothing-at-all'
  | 'no-bootloader'
  | 'wrong-bootloader'
  | 'request-unknown'
  | 'request-invalid'
  | 'no-room'
  | 'object-invalid'
  | 'wrong-key'
  | 'type-unsupported'
  | 'not-permitted'
  | 'operation-failed'
  | 'command-format'
  | 'command-unknown'
  | 'init-packet-invalid'
  | 'version-too-low'
  | 'wrong-hardware'
  | 'wrong-softdevice'
  | 'signature-missing'
  | 'hash-type'
  | 'hash-failed'
  | 'signature-type'
  | 'image-damaged'
  | 'already-there'
  | 'refused'
  | 'image-not-accepted'
  | 'cannot-activate'
  | 'cannot-restart';

const tryAgain = 'Try again; if it fails each time, restart the board and its bootloader first.';
const intoBootloader =
  'Start the bootloader: press reset twice within half a second (Adafruit), hold the DFU button while you press reset ' +
  '(Nordic boards), or the recovery button (MCUboot).';
const otherPackage = 'Choose a package for this bootloader, or ask whoever made the firmware for one.';

export const nrfFailureText = {
  ...commonFailureText,
  'nothing-at-all': {
    what: 'Nothing was received from this port.',
    remedy: `Check that this is the right port, that the cable carries data, and that the board has power. ${intoBootloader}`,
  },
  'no-bootloader': {
    what: 'The board printed something, but no bootloader answered: it runs its own program.',
    remedy: intoBootloader,
  },
  'wrong-bootloader': {
    what: 'This package is for a different bootloader from the one on the board.',
    remedy: otherPackage,
  },
  'request-unknown': {
    what: 'The bootloader does not know a request that this needs.',
    remedy: 'Update the bootloader of the board, or use the tool that came with it.',
  },
  'request-invalid': { what: 'The bootloader rejected a request as malformed.', remedy: tryAgain },
  'no-room': {
    what: 'There is not enough room on the board for this firmware.',
    remedy: 'Choose smaller firmware, or build without the parts you do not need.',
  },
  'object-invalid': { what: 'The bootloader could not use what was sent.', remedy: tryAgain },
  'wrong-key': {
    what: 'The package is not signed with the key that this board trusts.',
    remedy: 'Sign the firmware with the private key that belongs to the bootloader on the board.',
  },
  'type-unsupported': {
    what: 'The bootloader does not accept this kind of image.',
    remedy: otherPackage,
  },
  'not-permitted': {
    what: 'The bootloader does not allow this step now.',
    remedy: 'Restart the board and its bootloader, and try again.',
  },
  'operation-failed': {
    what: 'The bootloader could not do what it was asked to.',
    remedy: tryAgain,
  },
  'command-format': { what: 'The bootloader could not read the format of a request.', remedy: tryAgain },
  'command-unknown': {
    what: 'The bootloader understood a request, but does not support it.',
    remedy: 'Update the bootloader of the board.',
  },
  'init-packet-invalid': {
    what: 'The init packet is not valid: its kind is wrong, or a size is missing.',
    remedy: 'Make the package again, with all versions and sizes.',
  },
  'version-too-low': {
    what: 'The version of this firmware is lower than the one on the board, or the same where it has to be higher.',
    remedy: 'Build with a higher version number: this bootloader does not allow downgrades.',
  },
  'wrong-hardware': {
    what: 'This firmware was built for another hardware version.',
    remedy: 'Choose the firmware for this board, or the board for this firmware.',
  },
  'wrong-softdevice': {
    what: 'This firmware does not run with the SoftDevice on the board.',
    remedy: 'Write the SoftDevice that it needs first, or build for the one on the board.',
  },
  'signature-missing': {
    what: 'This bootloader accepts only signed packages, and this one is not signed.',
    remedy: 'Sign the package with the private key that belongs to the bootloader on the board.',
  },
  'hash-type': {
    what: 'The bootloader does not support the hash type in the init packet.',
    remedy: 'Make the package with SHA-256, the default of nrfutil.',
  },
  'hash-failed': { what: 'The bootloader could not calculate the hash of the image.', remedy: tryAgain },
  'signature-type': {
    what: 'The bootloader does not support the signature type of this package.',
    remedy: 'Sign the package with ECDSA P-256, the default of nrfutil.',
  },
  'image-damaged': {
    what: 'What arrived on the board is not what the package promised.',
    remedy: 'Try again at a lower baud rate or with a shorter cable; if it fails each time, make the package again.',
  },
  'already-there': {
    what: 'The board already has exactly this firmware.',
    remedy: 'There is nothing to do. To write it anyway, raise its version number.',
  },
  refused: {
    what: 'The bootloader refused.',
    remedy: 'The details say why. Restart the board and its bootloader, and try again.',
  },
  'image-not-accepted': {
    what: 'Everything was sent, but the bootloader did not accept the image.',
    remedy:
      'Check that the firmware was signed with the key of this board and built for it. ' +
      'The board stays in its bootloader until it gets an image that it accepts.',
  },
  'cannot-activate': {
    what: 'The image is on the board, but the bootloader did not mark it for starting.',
    remedy: 'Restart the board: some builds then start a new image on their own.',
  },
  'cannot-restart': {
    what: 'This bootloader cannot be told to start the application.',
    remedy: 'Press reset on the board once.',
  },
} satisfies Record<NrfFailure, FailureText>;

/** Error of a Nordic board. */
export class NrfError extends familyError<NrfFailure>('NrfError', nrfFailureText) {}

export const asNrfError = failureOf(NrfError);
