/**
 * Failures of flashing a board of any family. Each has a code for programs, a sentence about what happened, and a
 * remedy. A family adds its own failures in its folder.
 */
import { PortError, type PortFailure } from '../port-failure.ts';
import type { FlashRegion } from './region.ts';

/** Failures that every family can have. */
export type CommonFailure =
  | PortFailure
  | 'came-back-different'
  | 'garbage'
  | 'stopped-answering'
  | 'size-unusable'
  | 'wrong-chip'
  | 'other-board'
  | 'write-failed'
  | 'read-failed'
  | 'erase-failed'
  | 'cancelled';

export interface FailureText {
  /** Sentence that says what happened. */
  readonly what: string;
  /** Sentence that says what to do next. */
  readonly remedy: string;
}

/** Texts of the common failures. Each family spreads them into its own table. */
export const commonFailureText = {
  'port-busy': {
    what: 'The port could not be opened.',
    remedy: 'Close other programs and tabs that use it, and check that this account may use serial ports.',
  },
  'permission-denied': {
    what: 'The browser does not let this page use the port.',
    remedy: 'Pick the port again and allow it.',
  },
  'port-gone': {
    what: 'The board is not plugged in.',
    remedy: 'Plug it in and pick its port again.',
  },
  'open-failed': {
    what: 'The operating system could not open the port.',
    remedy: 'Unplug the board, plug it back in, and try again.',
  },
  unplugged: {
    what: 'The board was unplugged.',
    remedy: 'Plug it back in: everything written so far is kept.',
  },
  'port-failed': {
    what: 'The operating system reported a port error.',
    remedy: 'Unplug the board, plug it back in, and try again.',
  },
  'came-back-different': {
    what: 'The board restarted and came back as a different port.',
    remedy: 'Pick the board again.',
  },
  garbage: {
    what: 'The data from the board is unreadable.',
    remedy: 'Check the cable and the ground connection, and disconnect anything else wired to TX and RX.',
  },
  'stopped-answering': {
    what: 'The board stopped answering.',
    remedy: 'Try again at a lower baud rate or with a shorter cable.',
  },
  'size-unusable': {
    what: 'The bootloader says that it takes no data: the size that it tells for one transfer is 0 or too small.',
    remedy:
      'Restart the board and its bootloader, and try again. If it says the same, update or repair its bootloader.',
  },
  'wrong-chip': {
    what: 'This firmware was built for another chip.',
    remedy: 'Pick the firmware for this board, or the board for this firmware.',
  },
  'other-board': {
    what: 'This is not the same board as before.',
    remedy: 'Plug in the board that was being written, or start over with this one.',
  },
  'write-failed': {
    what: 'The board could not write its flash.',
    remedy: 'Try again; if it fails at the same place each time, the flash chip is damaged or protected.',
  },
  'read-failed': {
    what: 'The flash could not be read without errors.',
    remedy: 'Try again at a lower baud rate.',
  },
  'erase-failed': {
    what: 'The board could not erase its flash.',
    remedy: 'Try again. If it keeps failing, the flash chip is damaged or protected.',
  },
  cancelled: {
    what: 'Cancelled.',
    remedy: 'Start again when you are ready.',
  },
} satisfies Record<CommonFailure, FailureText>;

/** Final state of a board. `erased`: an erase was begun, finished or not, and no write has followed. */
export type BoardState = 'unchanged' | 'erased' | 'incomplete' | 'damaged' | 'complete' | 'unverified';

export const boardStateText = {
  unchanged: 'Nothing on the board was changed.',
  erased: 'Some or all of its flash may be erased. The board may not start its program until it is written again.',
  incomplete: 'The board is only partly written and will not start its program until it is written again.',
  damaged: 'Everything was written and verified, but other parts of the flash changed.',
  complete: 'Everything that was written is verified.',
  unverified: 'This board cannot confirm what was written.',
} satisfies Record<BoardState, string>;

export interface FlashErrorOptions extends ErrorOptions {
  /** Technical detail for the log: a register, a status, or the board's output. In English. */
  readonly detail?: string;
  readonly state?: BoardState;
  readonly unrestored?: readonly FlashRegion[];
  /** Replaces the sentence of the code that says what happened. */
  readonly what?: string;
}

/** Error that the clients of all families reject with. Its message is the sentence that says what happened. */
export class FlashError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly detail: string | null;
  readonly state: BoardState;
  /**
   * Contents that shared an erase unit with a region, were read to be kept, and could not be written back. They are lost
   * unless the next write includes them in its regions. Empty for families whose writes keep no such contents.
   */
  readonly unrestored: readonly FlashRegion[];

  constructor(code: Code, text: FailureText, options: FlashErrorOptions = {}) {
    const { detail, state = 'unchanged', unrestored = [], what = text.what, ...rest } = options;
    super(what, rest);
    this.name = 'FlashError';
    this.code = code;
    this.detail = detail ?? null;
    this.state = state;
    this.unrestored = unrestored;
  }
}

/** Returns the common failure for an error of a port or a signal; null for other errors. */
function commonFailureOf(error: unknown, signal?: AbortSignal): CommonFailure | null {
  if (error instanceof PortError) {
    return error.code;
  }
  return signal?.aborted || (error instanceof DOMException && error.name === 'AbortError') ? 'cancelled' : null;
}

/** Consequences of an interrupted call. */
type LeftBehind = Pick<FlashErrorOptions, 'state' | 'unrestored'>;

/**
 * Returns the consequences of a failed call that changed nothing itself.
 *
 * @param erased `erased` of `BoardCalls`.
 */
export const leftAfter = (erased: boolean, { state }: FlashError): LeftBehind =>
  erased && state === 'unchanged' ? { state: 'erased' } : {};

/**
 * Returns the class of a family's errors. Their message is the sentence of the code that says what happened.
 *
 * @param name Name of the class, for logs: `AvrError`.
 */
export const familyError = <Code extends string>(name: string, texts: Readonly<Record<Code, FailureText>>) =>
  class extends FlashError<Code> {
    constructor(code: Code, options?: FlashErrorOptions) {
      super(code, texts[code], options);
      this.name = name;
    }
  };

/** Class of a family's errors. Its codes include the common ones. */
type FamilyError<Failure> = new (code: CommonFailure, options?: FlashErrorOptions) => Failure;

/** Converts a thrown error to one of a family. */
export type AsFailure<Failure> = (error: unknown, signal?: AbortSignal, left?: LeftBehind) => Failure;

/**
 * Returns the function that converts a thrown error to an error of `Family`. An error that is one already is kept, unless
 * the consequences of the call add to it. If the signal has aborted, the failure is `cancelled`. The function throws the
 * error if it is not a failure of a board.
 */
export const failureOf =
  <Failure extends FlashError>(Family: FamilyError<Failure>): AsFailure<Failure> =>
  (error, signal, left = {}) => {
    if (error instanceof Family) {
      const { code, detail, state } = error;
      const { state: leftState = state, ...more } = left;
      const saysAll = leftState === state && Object.keys(more).length === 0;
      // The code is one of the class, because the error is.
      const options = { ...(detail !== null && { detail }), ...left, cause: error };
      return saysAll ? error : new Family(code as CommonFailure, options);
    }
    const code = commonFailureOf(error, signal);
    if (code === null) {
      throw error;
    }
    return new Family(code, { ...left, cause: error });
  };
