/** Failures of work on a MicroPython board, each with a code for programs and a sentence for people. */

import { pathText } from './python-text.ts';

export type BoardFailure =
  | 'busy'
  | 'no-answer'
  | 'no-repl'
  | 'reset'
  | 'closed'
  | 'cancelled'
  | 'out-of-step'
  | 'too-much-output'
  | 'interrupted'
  | 'exception'
  | 'no-memory'
  | 'full'
  | 'read-only'
  | 'missing'
  | 'exists'
  | 'not-empty'
  | 'is-folder'
  | 'not-a-folder'
  | 'bad-name'
  | 'too-many-files'
  | 'not-verified';

/** Texts by failure. `{path}` is the path on the board, `{detail}` the board's own words. */
const boardFailureText = {
  busy: 'The board does not answer at its prompt: a program runs on it, or a line is half typed. Interrupt it to reach the files.',
  'no-answer': 'The board stopped answering. Check the cable, reset the board, then try again.',
  'no-repl':
    'The board has no MicroPython prompt: it did not answer to Ctrl+C and Ctrl+A. Check the baud rate, and that MicroPython or CircuitPython is on the board.',
  reset: 'The board restarted in the middle. Wait until it is ready, then try again.',
  closed: 'The port was closed in the middle. Connect again, then repeat it.',
  cancelled: 'Stopped. Files under their own names are whole.',
  'out-of-step': 'The board answered something else than expected. Reset the board, then try again.',
  'too-much-output': 'The board sent much more than expected. Reset the board, then try again.',
  interrupted: 'The work was interrupted on the board by Ctrl+C. Try again.',
  exception: 'The board reports an error: {detail}',
  'no-memory': 'The board has too little free memory for this. Do a soft reset, then try again.',
  full: 'The file system of the board is full, so {path} was not written. Delete files on the board, then try again. The new version needs room beside the old one.',
  'read-only':
    'The file system of the board is read-only. CircuitPython lets only one side write: eject the CIRCUITPY drive on the computer, or call storage.disable_usb_drive() in boot.py, then reset the board.',
  missing: '{path} is not on the board. Reload the tree.',
  exists: '{path} is on the board already. Choose another name.',
  'not-empty': '{path} is not empty. Reload the tree.',
  'is-folder': '{path} is a folder on the board. Choose another name, or delete the folder first.',
  'not-a-folder': 'A part of {path} is a file on the board, not a folder. Choose another place.',
  'bad-name':
    '{path} is not a name that a board can have. Rename it: 1 to 255 bytes, without a slash and control characters.',
  'too-many-files':
    'The board has more than 5,000 files and folders, or folders more than 32 deep. Open a folder below.',
  'not-verified':
    '{path} does not have the right content on the board after writing. The file of that name was not replaced. Check the cable and the flash of the board.',
} satisfies Record<BoardFailure, string>;

interface BoardErrorFacts {
  readonly path?: string | undefined;
  /** Last line of the board's traceback. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

/** A failure on a board. Its message is a whole sentence for people. */
export class BoardError extends Error {
  readonly code: BoardFailure;
  readonly detail: string;

  constructor(code: BoardFailure, { path = 'The file', detail = '', cause }: BoardErrorFacts = {}) {
    const text = boardFailureText[code];
    const filled = text.replace('{path}', () => pathText(path)).replace('{detail}', () => detail);
    super(filled, cause === undefined ? {} : { cause });
    this.name = 'BoardError';
    this.code = code;
    this.detail = detail;
  }
}

/** Longest part of the board's own words in a sentence, in characters. */
const MAX_DETAIL = 200;

/** Error names as MicroPython prints them, and words of CircuitPython's messages (docs.circuitpython.org, "errno"). */
const byWord: readonly (readonly [RegExp, BoardFailure])[] = [
  [/^MemoryError/, 'no-memory'],
  [/^KeyboardInterrupt/, 'interrupted'],
  [/^OSError:.*(?:ENOSPC|No space left)/i, 'full'],
  [/^OSError:.*(?:EROFS|Read-only filesystem)/i, 'read-only'],
  [/^OSError:.*(?:ENOTEMPTY|not empty)/i, 'not-empty'],
  [/^OSError:.*(?:ENOENT|No such file)/i, 'missing'],
  [/^OSError:.*(?:EEXIST|File exists)/i, 'exists'],
  [/^OSError:.*(?:EISDIR|Is a directory)/i, 'is-folder'],
  [/^OSError:.*(?:ENOTDIR|Not a directory)/i, 'not-a-folder'],
];

/** Error numbers of boards (py/mperrno.h). Used only if the board prints no name. */
const byNumber: Readonly<Record<number, BoardFailure>> = {
  2: 'missing',
  17: 'exists',
  20: 'not-a-folder',
  21: 'is-folder',
  28: 'full',
  30: 'read-only',
  39: 'not-empty',
};

/**
 * Returns the failure that a traceback means.
 *
 * @param traceback Text as the board printed it.
 */
export function boardErrorOf(traceback: string, path?: string): BoardError {
  const last = traceback.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? '';
  const printable = last.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  const detail = printable.length > MAX_DETAIL ? `${printable.slice(0, MAX_DETAIL)}…` : printable;
  const number = /^OSError: (?:\[Errno )?(\d+)\]?/.exec(last)?.[1];
  const code =
    byWord.find(([pattern]) => pattern.test(last))?.[1] ??
    (number === undefined ? undefined : byNumber[Number(number)]) ??
    'exception';
  return new BoardError(code, { path, detail });
}
