/**
 * Notices which line ending a board expects: by Python's prompt, and by a line that the board has echoed and not
 * answered. Sources: MicroPython `shared/readline/readline.c` (only CR ends a line, LF is ignored), ITU-T V.250, 5.1
 * (S3, CR by default), and Espressif's AT Command Set (CR LF).
 */
import { DrawnBytes } from './drawn-bytes.ts';
import { DrawnLine } from './drawn-line.ts';

export interface EnterSigns {
  /** True: the prompt of MicroPython or CircuitPython was seen. It takes CR for Enter. */
  readonly isPython: boolean;
  /** Ending that the board seems to expect, after it has not answered the last line; null without a sign. */
  readonly expected: 'cr' | 'crlf' | null;
  /** True: the line was a command for a modem. It goes by CR LF, and it may not be echoed. */
  readonly isModem: boolean;
  /** Ending that was sent with the line; null without one. */
  readonly sent: 'lf' | 'cr' | null;
}

/** Time for the answer of a board after a line, in milliseconds. */
export const enterAnswerTime = 1_200;

const none: EnterSigns = { isPython: false, expected: null, isModem: false, sent: null };
const pythonPrompt = '>>>';
/** Drawn bytes of a line that can hold a prompt and a command, and of an answer. */
const longestLine = 1_024;
const lineFeed = 0x0a;
/** One typed line with its ending. */
const typedLine = /^([^\r\n]*[^\s])[^\S\r\n]*(\r\n|\n|\r)$/;
/** Commands that modems know: `AT`, `ATI`, `AT+CWLAP`. */
const modemCommand = /^AT(?:$|[+&%]|[A-Z]\d?$)/;
const endOfPrompt = /[>#$%:\]?]$/;

interface Unanswered {
  readonly text: string;
  readonly ending: 'lf' | 'cr';
  readonly hadPrompt: boolean;
  readonly isModem: boolean;
  /** The first drawn bytes that came since, up to `longestLine`. A board may send megabytes in the time. */
  readonly answer: number[];
  readonly drawn: DrawnBytes;
  /** True: a newline came since. */
  wentOn: boolean;
}

const latin1 = (bytes: Iterable<number>) => String.fromCharCode(...bytes);

export class EnterWatch {
  #signs = none;
  readonly #line = new DrawnLine(longestLine);
  #waiting: Unanswered | null = null;

  get signs(): EnterSigns {
    return this.#signs;
  }

  /** Takes a chunk as received. */
  received(bytes: Uint8Array): void {
    const end = bytes.lastIndexOf(lineFeed);
    if (this.#waiting !== null) {
      const { answer, drawn } = this.#waiting;
      answer.push(...drawn.take(bytes).subarray(0, longestLine - answer.length));
      this.#waiting.wentOn ||= end !== -1;
    }
    if (end !== -1) {
      this.#line.end();
    }
    this.#line.take(bytes.subarray(end + 1));
    if (end !== -1 && this.#waiting === null && this.#signs.expected !== null) {
      // The board goes on, so it has taken the line.
      this.#signs = { ...none, isPython: this.#signs.isPython };
    }
    if (!this.#signs.isPython && bytes.at(-1) === 0x20 && this.#shown() === pythonPrompt) {
      this.#signs = { ...this.#signs, isPython: true };
    }
  }

  /**
   * Takes sent bytes.
   *
   * @returns True: call `due` after `enterAnswerTime`.
   */
  sent(bytes: Uint8Array): boolean {
    const [, text, ending] = bytes.length <= longestLine ? (typedLine.exec(latin1(bytes)) ?? []) : [];
    if (text === undefined || ending === '\r\n') {
      this.#waiting = null;
      return false;
    }
    this.#waiting = {
      text: text.trimEnd(),
      ending: ending === '\n' ? 'lf' : 'cr',
      hadPrompt: endOfPrompt.test(this.#shown()),
      isModem: modemCommand.test(text),
      answer: [],
      drawn: new DrawnBytes(),
      wentOn: false,
    };
    return true;
  }

  /** Decides about the last sent line. Returns true if the signs have changed. */
  due(): boolean {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) {
      return false;
    }
    const { text, ending, hadPrompt, isModem, answer, wentOn } = waiting;
    const isEchoed = this.#shown().endsWith(text) && !wentOn && answer.length > 0;
    const isSilent = latin1(answer).replace(text, '').trim() === '';
    const before = this.#signs;
    if (isModem && isSilent) {
      this.#signs = { ...before, expected: 'crlf', isModem, sent: ending };
    } else if (!isModem && hadPrompt && isEchoed) {
      this.#signs = { ...before, expected: ending === 'lf' ? 'cr' : 'crlf', isModem, sent: ending };
    } else if (before.expected !== null) {
      this.#signs = { ...none, isPython: before.isPython };
    }
    return this.#signs !== before;
  }

  /** The port was closed: another board may come. */
  reset(): void {
    this.#signs = none;
    this.#line.end();
    this.#waiting = null;
  }

  /** The current line as a terminal shows it, without blanks at its end. */
  #shown(): string {
    return this.#line.text.trimEnd();
  }
}
