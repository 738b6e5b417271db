/**
 * Pastes code at the prompt of MicroPython or CircuitPython by its paste mode: Ctrl+E, the code, Ctrl+D. The board runs
 * it as a file, so empty lines and lines at the margin mean there what they mean in a file. The echo is the flow
 * control: at most `WINDOW` bytes are on their way without one, and code with a byte that was lost never runs.
 *
 * Sources: MicroPython `shared/runtime/pyexec.c` (paste mode since 2015, pull request 1496), CircuitPython's file of the
 * same name (echoes later bytes first when more arrive; issue 9429: loses bytes that come faster than it echoes).
 */
import type { Clock } from '@wirebench/clock';
import { DrawnBytes } from '../drawn-bytes.ts';
import { type ByteLink, LinkReader } from '../transfer/byte-link.ts';

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const CTRL_E = 0x05;
const RETURN = 0x0d;
/** Prompt of paste mode with the newline before it. Translations of CircuitPython have other words there. */
const prompt = '\n=== ';
/** Time for the board to open paste mode, and to echo, in milliseconds. A board may collect garbage first. */
const ANSWER_TIME = 3_000;
/** Silence behind the last echo, in milliseconds, and the longest wait for it. */
const QUIET = 20;
const MAX_QUIET = 500;
/** Bytes on their way without an echo. The smallest buffer of a board's serial port has 64 bytes. */
const WINDOW = 32;

const encoder = new TextEncoder();

/**
 * `no-paste-mode`: the board did not open it, and nothing of the code was sent. `lost`: the echo stopped, and the code
 * was cancelled. `no-answer`: the board did not take Ctrl+D.
 */
export type CodePasteEnd =
  | { readonly kind: 'done' | 'no-paste-mode' | 'no-answer' }
  /** @property line Number of the first line without a whole echo, from 1. */
  | { readonly kind: 'lost'; readonly line: number };

export interface CodePaste {
  readonly link: ByteLink;
  readonly clock: Clock;
  /** Ends the paste. */
  readonly signal: AbortSignal;
  /** Sends what ends paste mode, also after `signal` has aborted. */
  readonly finish: (bytes: Uint8Array) => Promise<void>;
  /** Called with the number of lines that the board has echoed. */
  readonly onLines: (lines: number) => void;
}

/** Returns the number of bytes that a paste of these lines sends. */
export const pastedLength = (lines: readonly string[]): number => codeOf(lines).length + 2;

const codeOf = (lines: readonly string[]) => encoder.encode(lines.map((line) => `${line}\r`).join(''));

/**
 * Pastes the lines, and ends when the board has begun to run them. What it prints comes after that.
 *
 * Rejects when the link is closed, and when the signal aborts; the board is then back at its prompt.
 */
export async function pasteCode(lines: readonly string[], { link, clock, signal, finish, onLines }: CodePaste) {
  const reader = new LinkReader(link, clock, signal);
  const drawn = new DrawnBytes();
  const code = codeOf(lines);
  const echo = new EchoReader(code);
  let heardAt = clock.now();
  /** Waits for the echo. Returns false if it has stopped, also while the board prints something else. */
  const hear = async () => {
    const left = heardAt + ANSWER_TIME - clock.now();
    const before = echo.received;
    if (left > 0 && (await reader.more(left))) {
      echo.take(drawn.take(reader.takeAll()));
    }
    heardAt = echo.received > before ? clock.now() : heardAt;
    return clock.now() < heardAt + ANSWER_TIME;
  };
  /** Ends paste mode: nothing of the code runs. */
  const cancel = () => finish(Uint8Array.of(CTRL_C));
  let isOpen = false;
  try {
    await link.write(Uint8Array.of(CTRL_E));
    isOpen = true;
    while (!echo.hasPrompt) {
      if (!(await hear())) {
        return { kind: 'no-paste-mode' } satisfies CodePasteEnd;
      }
    }
    for (let at = 0; at < code.length || echo.length < code.length; ) {
      const room = WINDOW - (at - echo.length);
      if (at === echo.length) {
        heardAt = clock.now();
      }
      if (at < code.length && room > 0) {
        const piece = code.subarray(at, at + room);
        await link.write(piece);
        at += piece.length;
      } else if (!(await hear())) {
        await cancel();
        return { kind: 'lost', line: echo.lines + 1 } satisfies CodePasteEnd;
      }
      onLines(echo.lines);
    }
    await reader.settle(QUIET, MAX_QUIET);
    reader.takeAll();
    await link.write(Uint8Array.of(CTRL_D));
    isOpen = false;
    // The board goes to a new line before it runs the code.
    return { kind: (await reader.more(ANSWER_TIME)) ? 'done' : 'no-answer' } satisfies CodePasteEnd;
  } catch (error) {
    if (isOpen && signal.aborted) {
      await cancel().catch(() => undefined);
    }
    throw signal.aborted ? signal.reason : error;
  } finally {
    reader.close();
  }
}

/**
 * Follows the echo of code. Each byte of the code has to come, in its order. Other bytes may come between them: output of
 * a timer, or what CircuitPython prints of its state.
 */
class EchoReader {
  readonly #code: Uint8Array;
  /** Received text before the prompt of paste mode, at most its length. */
  #before = '';
  /** Number of bytes of the next prompt that came behind the echo of a line's end; -1 elsewhere. */
  #behindEnd = -1;
  #length = 0;
  #lines = 0;

  constructor(code: Uint8Array) {
    this.#code = code;
  }

  get hasPrompt(): boolean {
    return this.#before === prompt;
  }

  /** Grows with everything that belongs to paste mode. */
  get received(): number {
    return this.#length + (this.hasPrompt ? 1 : 0);
  }

  /** Bytes of the code that were echoed. */
  get length(): number {
    return this.#length;
  }

  /** Lines that were echoed whole. */
  get lines(): number {
    return this.#lines;
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#before !== prompt) {
        this.#before = (this.#before + String.fromCharCode(byte)).slice(-prompt.length);
      } else if (!this.#isNextLine(byte)) {
        this.#echoed(byte);
      }
    }
  }

  /** Returns true for a byte of the prompt of the next line, which stands for no byte of the code. */
  #isNextLine(byte: number): boolean {
    if (this.#behindEnd < 0 || byte !== prompt.charCodeAt(this.#behindEnd)) {
      this.#behindEnd = -1;
      return false;
    }
    this.#behindEnd++;
    return true;
  }

  #echoed(byte: number): void {
    if (byte !== this.#code[this.#length]) {
      return;
    }
    this.#length++;
    if (byte === RETURN) {
      this.#lines++;
      this.#behindEnd = 0;
    }
  }
}
