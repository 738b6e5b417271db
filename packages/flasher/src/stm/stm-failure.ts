/** Failures of an STM32, in addition to those of every family. */
import {
  type BoardState,
  type CommonFailure,
  commonFailureText,
  type FailureText,
  FlashError,
  type FlashErrorOptions,
  familyErrorOf,
} from '../core/flash-failure.ts';
import type { FlashRegion } from '../core/region.ts';

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

export interface StmErrorOptions extends FlashErrorOptions {
  readonly unrestored?: readonly FlashRegion[];
}

/** Error of an STM32. Its message is the sentence that says what happened. */
export class StmError extends FlashError<StmFailure> {
  /**
   * Contents that shared a sector with a region, were read to be kept, and could not be written back. They are lost
   * unless the next write includes them in its regions.
   */
  readonly unrestored: readonly FlashRegion[];

  constructor(code: StmFailure, { unrestored = [], ...options }: StmErrorOptions = {}) {
    super(code, stmFailureText[code], options);
    this.name = 'StmError';
    this.unrestored = unrestored;
  }
}

/**
 * Converts a thrown error to an StmError.
 *
 * @param signal The caller's signal; if it has aborted, the failure is `cancelled`.
 * @throws `error` if it is not a failure of a board.
 */
export function asStmError(
  error: unknown,
  signal?: AbortSignal,
  left: { readonly state?: BoardState; readonly unrestored?: readonly FlashRegion[] } = {},
): StmError {
  return familyErrorOf(StmError, error, signal, left);
}
