/** Failures of a board with an RP2040 or RP2350, in addition to those of every family. */
import {
  type CommonFailure,
  commonFailureText,
  type FailureText,
  failureOf,
  familyError,
} from '../core/flash-failure.ts';

export type RpFailure =
  | CommonFailure
  | 'not-in-bootsel'
  | 'button-not-pressed'
  | 'several-boards'
  | 'usb-not-picoboot'
  | 'usb-driver'
  | 'unknown-chip'
  | 'refused'
  | 'out-of-step'
  | 'stuck'
  | 'outside-flash'
  | 'too-large'
  | 'flash-size-unknown'
  | 'verify-mismatch'
  | 'not-the-drive'
  | 'drive-permission'
  | 'drive-copy-failed'
  | 'drive-cannot'
  | 'drive-not-taken';

/** Shown wherever the person has to start the boot ROM. */
export const pressBootsel = 'Hold the BOOTSEL button while you plug the board in, or while you press its reset button.';

export const rpFailureText = {
  ...commonFailureText,
  'stopped-answering': {
    what: 'The board stopped answering.',
    remedy: `Unplug it. ${pressBootsel} Then write again: what is already written is kept.`,
  },
  'read-failed': {
    what: 'The flash could not be read without errors.',
    remedy: 'Try again with a shorter cable, without a hub.',
  },
  'not-in-bootsel': {
    what: 'The board did not start its boot ROM.',
    remedy: pressBootsel,
  },
  'button-not-pressed': {
    what: 'No board in BOOTSEL has appeared.',
    remedy: `${pressBootsel} Then try again.`,
  },
  'several-boards': {
    what: 'Several boards have started BOOTSEL at the same time, and they do not tell which is which.',
    remedy: 'Unplug all but the one that you want to write.',
  },
  'usb-not-picoboot': {
    what: 'This USB device is not a board in BOOTSEL.',
    remedy: `${pressBootsel} Then pick the device that calls itself "RP2 Boot" or "RP2350 Boot".`,
  },
  'usb-driver': {
    what: 'The operating system does not let the browser use interface 1 of "RP2 Boot".',
    remedy:
      'Copy the file to the drive of the board instead: that needs no driver. To write over USB on Windows, install WinUSB for ' +
      'interface 1, never for interface 0, which is the drive. If the drive is gone, remove the driver of interface 0 in the ' +
      'Device Manager, with its files, and plug the board in again. On Linux, add a udev rule that lets this account use the device.',
  },
  'unknown-chip': {
    what: 'The boot ROM is neither that of an RP2040 nor that of an RP2350.',
    remedy: 'Choose the flasher for the chip of this board.',
  },
  refused: {
    what: 'The boot ROM refused a command.',
    remedy: `Unplug the board. ${pressBootsel} Then try again.`,
  },
  'out-of-step': {
    what: 'An answer of the boot ROM does not belong to the request.',
    remedy: `Unplug the board. ${pressBootsel} Then try again.`,
  },
  stuck: {
    what: 'The boot ROM is busy with a command that does not end.',
    remedy: `Unplug the board. ${pressBootsel} Then write again: what is already written is kept.`,
  },
  'outside-flash': {
    what: 'This address is not in the flash of the board.',
    remedy: 'Correct the address: flash begins at 0x10000000.',
  },
  'too-large': {
    what: 'This is larger than the flash of the board.',
    remedy: 'Choose firmware for this flash size, or a board with more flash.',
  },
  'flash-size-unknown': {
    what: 'The size of the flash is not known, because nothing is in it.',
    remedy: 'Write firmware first: the size shows once a part of it is in flash.',
  },
  'verify-mismatch': {
    what: 'The flash contents do not match what was sent.',
    remedy: 'Try again. If it fails at the same place each time, the flash chip is worn out.',
  },
  'not-the-drive': {
    what: 'This folder is not the drive of a board in BOOTSEL: it has no INFO_UF2.TXT. Nothing was copied.',
    remedy: `${pressBootsel} Then choose the drive RPI-RP2 or RP2350. CIRCUITPY takes files for a running program, not firmware.`,
  },
  'drive-permission': {
    what: 'The browser does not let this page write to the drive.',
    remedy: 'Choose the drive again and allow changes.',
  },
  'drive-copy-failed': {
    what: 'The copy to the drive ended before the whole file was written.',
    remedy: `Unplug the board. ${pressBootsel} Then copy again: a second copy beside a broken one is mixed with it.`,
  },
  'drive-cannot': {
    what: 'The drive only takes UF2 files: it can neither be read nor erased.',
    remedy: 'Connect the board over USB instead.',
  },
  'drive-not-taken': {
    what: 'The whole file was copied, but the board has not restarted: it did not take the file.',
    remedy: `Check that the file is for this chip. Unplug the board. ${pressBootsel} Then copy again.`,
  },
} satisfies Record<RpFailure, FailureText>;

/** Error of a board with an RP2040 or RP2350. */
export class RpError extends familyError<RpFailure>('RpError', rpFailureText) {}

export const asRpError = failureOf(RpError);
