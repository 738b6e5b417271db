/** Failures of an Espressif board, in addition to those of every family. */
import {
  type CommonFailure,
  commonFailureText,
  type FailureText,
  failureOf,
  familyError,
} from '../core/flash-failure.ts';

export type EspFailure =
  | CommonFailure
  | 'no-answer'
  | 'nothing-at-all'
  | 'normal-boot'
  | 'boot-loop'
  | 'empty-flash'
  | 'nothing-to-start'
  | 'no-sync-reply'
  | 'unknown-chip'
  | 'brown-out'
  | 'baud-refused'
  | 'stub-failed'
  | 'flash-not-found'
  | 'flash-too-small'
  | 'flash-encryption'
  | 'secure-boot'
  | 'secure-download'
  | 'not-in-rom'
  | 'md5-mismatch'
  | 'neighbour-changed';

export const espFailureText = {
  ...commonFailureText,
  'no-answer': {
    what: 'The board printed something, but did not answer.',
    remedy: 'Hold BOOT, press EN, release BOOT, and try again.',
  },
  'nothing-at-all': {
    what: 'Nothing was received from this port.',
    remedy:
      'Check that this is the right port, that the cable carries data, and that the board has power. ' +
      'Then hold BOOT, press EN, release BOOT, and try again.',
  },
  'normal-boot': {
    what: 'The board started its own program instead of its bootloader.',
    remedy: 'Hold BOOT, press EN, release BOOT, and try again.',
  },
  'boot-loop': {
    what: 'The board restarts again and again.',
    remedy: 'Hold BOOT, press EN, release BOOT, and try again.',
  },
  'empty-flash': {
    what: 'The flash of this board is empty where its bootloader should be.',
    remedy: 'Hold BOOT, press EN, release BOOT, and try again. Then write the complete firmware, bootloader included.',
  },
  'nothing-to-start': {
    what: 'The board finds no program in its flash that it can start.',
    remedy: 'Hold BOOT, press EN, release BOOT, and try again. Then write the complete firmware.',
  },
  'no-sync-reply': {
    what: 'The board is in its bootloader, but does not receive what is sent.',
    remedy: 'Check the wire to its RX pin, and disconnect anything else wired to it.',
  },
  'unknown-chip': {
    what: 'The chip on this board is not supported.',
    remedy: 'Check that this is an Espressif board.',
  },
  'brown-out': {
    what: "The board's supply voltage dropped too low.",
    remedy:
      'Use a shorter cable, another USB port or a powered hub, and disconnect anything that draws a lot of current.',
  },
  'baud-refused': {
    what: 'The board does not work at this baud rate.',
    remedy: 'Choose a lower baud rate.',
  },
  'stub-failed': {
    what: 'The flashing program did not start on the board.',
    remedy: 'Try again. If it keeps failing, connect without the stub.',
  },
  'flash-not-found': {
    what: 'The flash chip of the board does not answer.',
    remedy: 'Check anything wired to the flash pins, and the power supply of the board.',
  },
  'flash-too-small': {
    what: 'The flash chip of this board is too small.',
    remedy: 'Choose firmware for this flash size, or a board with more flash.',
  },
  'flash-encryption': {
    what: 'The flash of this board is encrypted: unencrypted firmware would not start on it.',
    remedy: 'Write only firmware that was encrypted for this board.',
  },
  'secure-boot': {
    what: 'This board starts only signed firmware.',
    remedy: 'Write only firmware that was signed with the key of this board.',
  },
  'secure-download': {
    what: 'This board is in Secure Download Mode: it can be written, but neither read nor checked.',
    remedy: 'Write the whole firmware; reading, erasing and comparing are not possible on this board.',
  },
  'not-in-rom': {
    what: 'The bootloader of this chip cannot do this without the stub.',
    remedy: 'Connect with the stub, if there is one for this chip and revision.',
  },
  'md5-mismatch': {
    what: 'The flash contents do not match what was sent.',
    remedy: 'Try again at a lower baud rate; if it fails at the same place each time, the flash chip is damaged.',
  },
  'neighbour-changed': {
    what: 'Flash next to the written data has changed, although nothing was meant to be written there.',
    remedy:
      'Connect with the stub and write the whole firmware. Settings and files that were stored there may be lost.',
  },
} satisfies Record<EspFailure, FailureText>;

/** Error of an Espressif board. */
export class EspError extends familyError<EspFailure>('EspError', espFailureText) {}

export const asEspError = failureOf(EspError);
