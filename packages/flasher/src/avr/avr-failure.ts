/** Failures of an AVR, in addition to those of every family. */
import {
  type CommonFailure,
  commonFailureText,
  type FailureText,
  failureOf,
  familyError,
} from '../core/flash-failure.ts';

export type AvrFailure =
  | CommonFailure
  | 'no-answer'
  | 'no-auto-reset'
  | 'sketch-floods'
  | 'no-bootloader'
  | 'programmer'
  | 'touch-ignored'
  | 'unknown-part'
  | 'refused'
  | 'too-large'
  | 'reaches-bootloader'
  | 'eeprom-unsupported'
  | 'eeprom-too-large'
  | 'verify-mismatch';

export const avrFailureText = {
  ...commonFailureText,
  'no-answer': {
    what: 'No bootloader answered on this port.',
    remedy:
      'Check that this is the port of the board and that nothing is wired to pins 0 and 1. ' +
      'Press the reset button when you are asked to.',
  },
  'no-auto-reset': {
    what: 'This board does not reset when the port opens, and nobody pressed its reset button in time.',
    remedy:
      'Connect again, and press the reset button as soon as you are asked to. ' +
      'A board without a USB socket needs the wire from DTR to its reset pin.',
  },
  'sketch-floods': {
    what: 'The program on the board sends so much that the answers of its bootloader cannot be told apart.',
    remedy: 'Hold the reset button, start again, and release the button when the board is asked.',
  },
  'no-bootloader': {
    what: 'The board runs its program, and no bootloader answered.',
    remedy:
      'Connect again, and press the reset button when you are asked to. If it never answers, it has no bootloader that ' +
      'this page knows: write one with an ISP programmer. The Nano Every and other boards with UPDI have none.',
  },
  programmer: {
    what: 'This is an ISP programmer, not a board with a bootloader.',
    remedy: 'Pick the port of the board itself. Boards on a programmer are written by other programs.',
  },
  'touch-ignored': {
    what: 'The program on the board did not start the bootloader, and nobody pressed reset in time.',
    remedy: 'Connect again, and press the reset button when you are asked to. Some boards need two quick presses.',
  },
  'unknown-part': {
    what: 'This part is not supported: the layout of its flash is unknown.',
    remedy: 'Write it with a program that supports this part.',
  },
  refused: {
    what: 'The bootloader refused a command.',
    remedy: 'Reset the board and try again.',
  },
  'too-large': {
    what: 'This is larger than the flash that the board has for a program.',
    remedy: 'Choose a smaller program, or a board with more flash.',
  },
  'reaches-bootloader': {
    what: 'This reaches into the flash of the bootloader, which is never written.',
    remedy: 'Choose the file without a bootloader: its name has no "with_bootloader".',
  },
  'eeprom-unsupported': {
    what: 'The bootloader of this board cannot read or write EEPROM.',
    remedy: 'Write EEPROM from the program, or install a bootloader that supports it.',
  },
  'eeprom-too-large': {
    what: 'This is larger than the EEPROM of the board.',
    remedy: 'Choose a smaller EEPROM file.',
  },
  'verify-mismatch': {
    what: 'The contents of the board do not match what was sent.',
    remedy:
      'Try again with a shorter cable; if it fails at the same place each time, the chip is worn out or protected.',
  },
} satisfies Record<AvrFailure, FailureText>;

/** Error of an AVR. */
export class AvrError extends familyError<AvrFailure>('AvrError', avrFailureText) {}

export const asAvrError = failureOf(AvrError);
