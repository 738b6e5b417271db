/** Failures of the lab: a code for programs, and for people a sentence about the failure and its remedy. */
import { asEspError, EspError, type EspFailure, espFailureText } from '@wirebench/flasher/esp/rom';

/** Reasons for which a board was not opened or was lost. Codes and most texts are the flasher's. */
type BoardFailure = Extract<
  EspFailure,
  | 'port-busy'
  | 'permission-denied'
  | 'port-gone'
  | 'open-failed'
  | 'port-failed'
  | 'came-back-different'
  | 'other-board'
  | 'garbage'
  | 'no-answer'
  | 'nothing-at-all'
  | 'normal-boot'
  | 'boot-loop'
  | 'empty-flash'
  | 'nothing-to-start'
  | 'no-sync-reply'
  | 'brown-out'
  | 'baud-refused'
  | 'stopped-answering'
  | 'cancelled'
>;

export type LabFailureCode =
  | BoardFailure
  | 'refused'
  | 'unsupported-chip'
  | 'stub-runs'
  | 'secure-download'
  | 'unplugged'
  | 'rom-crashed'
  | 'rom-stopped'
  | 'program-stopped'
  | 'restarted'
  | 'printing'
  | 'outcome-unknown'
  | 'left';

export interface LabFailureText {
  /** The failure in one or two sentences. */
  readonly what: string;
  /** Advice for the next step. */
  readonly remedy: string;
}

export const labFailureText = {
  'port-busy': espFailureText['port-busy'],
  'permission-denied': espFailureText['permission-denied'],
  'port-gone': espFailureText['port-gone'],
  'open-failed': espFailureText['open-failed'],
  'port-failed': espFailureText['port-failed'],
  'came-back-different': espFailureText['came-back-different'],
  'other-board': {
    what: 'This is another board than the one that was on the bench.',
    remedy: 'It was reset to find that out. Plug the other one in, or connect this one by choosing its port.',
  },
  garbage: espFailureText.garbage,
  'no-answer': espFailureText['no-answer'],
  'nothing-at-all': espFailureText['nothing-at-all'],
  'normal-boot': espFailureText['normal-boot'],
  'boot-loop': espFailureText['boot-loop'],
  'empty-flash': {
    what: espFailureText['empty-flash'].what,
    remedy: 'Hold BOOT, press EN, release BOOT, and try again. The bench needs no firmware.',
  },
  'nothing-to-start': {
    what: espFailureText['nothing-to-start'].what,
    remedy: 'Hold BOOT, press EN, release BOOT, and try again. The bench needs no firmware.',
  },
  'no-sync-reply': espFailureText['no-sync-reply'],
  'brown-out': espFailureText['brown-out'],
  'baud-refused': espFailureText['baud-refused'],
  'stopped-answering': espFailureText['stopped-answering'],
  cancelled: espFailureText.cancelled,
  refused: {
    what: 'The bench does not do this on this chip.',
    remedy: 'Choose another pin, register or value.',
  },
  'unsupported-chip': {
    what: 'The bench does not know this chip.',
    remedy: 'Use a board with an ESP32 or an ESP32-C3.',
  },
  'stub-runs': {
    what: 'A flashing program is running on this board.',
    remedy: 'Press EN, or unplug the board and plug it back in, and try again.',
  },
  'secure-download': {
    what: 'This board is in Secure Download Mode: its registers cannot be reached.',
    remedy: 'Use another board.',
  },
  unplugged: {
    what: 'The board was unplugged.',
    remedy:
      'Plug it back in and connect again. A board with a supply of its own still drives its pins as they were set: press EN.',
  },
  'rom-crashed': {
    what: "The chip's ROM crashed.",
    remedy: 'Connect again: a reset brings it back, and the flash was not touched.',
  },
  'rom-stopped': {
    what: 'The boot ROM stopped answering.',
    remedy: 'Connect again: it answers after a reset, and the flash was not touched.',
  },
  'program-stopped': {
    what: 'The program in RAM stopped answering.',
    remedy: 'Connect again: a reset brings the boot ROM back, and the flash was not touched.',
  },
  restarted: {
    what: 'The board restarted by itself.',
    remedy: 'Check its power supply and connect again: its pins are as after a reset.',
  },
  printing: {
    what: 'The board prints text where its answers should be.',
    remedy:
      'Connect again: that resets it into its boot ROM. If it prints even then, something else on the board uses the same wire: ' +
      'switch that off, or disconnect it.',
  },
  'outcome-unknown': {
    what: 'The answer to a transfer was lost: it may have taken place or not.',
    remedy: 'Read the device back before you repeat the transfer.',
  },
  left: {
    what: 'The bench has left this board.',
    remedy: 'Connect again.',
  },
} satisfies Record<LabFailureCode, LabFailureText>;

export interface LabErrorOptions extends ErrorOptions {
  /**
   * Details such as the reason of a refusal or the text that the board printed. English, for the screen and the log.
   */
  readonly detail?: string;
}

/** The error of every rejected promise in the lab. Its message is the failure's `what` sentence. */
export class LabError extends Error {
  readonly code: LabFailureCode;
  readonly detail: string | null;

  constructor(code: LabFailureCode, { detail, ...options }: LabErrorOptions = {}) {
    super(labFailureText[code].what, options);
    this.name = 'LabError';
    this.code = code;
    this.detail = detail ?? null;
  }
}

/**
 * Returns a `refused` error.
 *
 * @param reason A sentence for the user: `GPIO 6 is connected to the flash chip.`
 */
export function refused(reason: string): LabError {
  return new LabError('refused', { detail: reason });
}

/**
 * Converts an error of the flasher or the port.
 *
 * @param signal The caller's own signal; its abort becomes `cancelled`.
 * @throws The error itself if it is not a failure of a board.
 */
export function asLabError(error: unknown, signal?: AbortSignal): LabError {
  if (error instanceof LabError) {
    return error;
  }
  const { code, detail } = error instanceof EspError ? error : asEspError(error, signal);
  return new LabError(labFailureOf(code), { cause: error, ...(detail !== null && { detail }) });
}

function labFailureOf(code: EspFailure): LabFailureCode {
  switch (code) {
    case 'unknown-chip':
      return 'unsupported-chip';
    case 'not-in-rom':
      return 'stub-runs';
    default:
      return isLabFailure(code) ? code : 'stopped-answering';
  }
}

function isLabFailure(code: string): code is LabFailureCode {
  return Object.hasOwn(labFailureText, code);
}
