/** Failures of an STM32, in addition to those of every family. */
import {
  type CommonFailure,
  commonFailureText,
  type FailureText,
  failureOf,
  familyError,
} from '../core/flash-failure.ts';

export type StmFailure =
  | CommonFailure
  | 'no-answer'
  | 'in-application'
  | 'unknown-part'
  | 'read-protected'
  | 'write-protected'
  | 'refused'
  | 'too-large'
  | 'outside-flash'
  | 'verify-mismatch'
  | 'usb-not-dfu'
  | 'usb-driver';

export const stmFailureText = {
  ...commonFailureText,
  'no-answer': {
    what: 'No bootloader answered on this port.',
    remedy:
      'Set BOOT0 high, reset the board, and try again. Check that TX and RX are crossed, that both sides share a ground, ' +
      'and that the wires go to a UART that the bootloader of this part listens on.',
  },
  'in-application': {
    what: 'The board runs its own program instead of its bootloader.',
    remedy: 'Set BOOT0 high, reset the board, and try again.',
  },
  'unknown-part': {
    what: 'This part is not supported: the layout of its flash is unknown.',
    remedy: 'Erase everything and write with a program that supports this part.',
  },
  'read-protected': {
    what: 'The flash of this board is read-protected: it can be neither read nor written.',
    remedy: 'Remove the read protection first. That erases everything on the board.',
  },
  'write-protected': {
    what: 'The board kept its old contents: these sectors are write-protected.',
    remedy: 'Remove the write protection of these sectors, and write again.',
  },
  refused: {
    what: 'The bootloader refused a command.',
    remedy: 'Reset the board into its bootloader and try again.',
  },
  'too-large': {
    what: 'This is larger than the flash of the board.',
    remedy: 'Choose firmware for this flash size, or a board with more flash.',
  },
  'outside-flash': {
    what: 'This address is not in the flash of the board.',
    remedy: 'Correct the address: flash begins at 0x08000000.',
  },
  'verify-mismatch': {
    what: 'The flash contents do not match what was sent.',
    remedy: 'Try again at a lower baud rate; if it fails at the same place each time, the flash is worn out.',
  },
  'usb-not-dfu': {
    what: 'This USB device offers no flash to write.',
    remedy: 'Set BOOT0 high, reset the board, and pick the device that calls itself "STM32 BOOTLOADER".',
  },
  'usb-driver': {
    what: 'The operating system does not let the browser use this USB device.',
    remedy:
      'On Windows, install the WinUSB driver for the device. On Linux, add a udev rule that lets this account use it. ' +
      'Close other programs that use it.',
  },
} satisfies Record<StmFailure, FailureText>;

/** Error of an STM32. */
export class StmError extends familyError<StmFailure>('StmError', stmFailureText) {}

export const asStmError = failureOf(StmError);
