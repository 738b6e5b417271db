/**
 * Detects a board's prompt after a line was sent to it. The echo of the line is not taken for a prompt: it stands
 * behind the prompt that was there before, and the prompt that counts begins a line of its own.
 */
import { lineText, withoutColours } from './line-text.ts';

/** A prompt as it is read on the screen, such as `gw>`, without the space behind it. */
export interface Prompt {
  readonly prompt: string;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
/** Bytes of a line that can belong to a prompt. */
const maxPromptBytes = 512;
const longestPrompt = 60;

/** Prompts that ask for the rest of a command: Python's, and that of POSIX shells (IEEE Std 1003.1, PS2). */
const continuationOf = (prompt: string): string => (prompt === '>>>' ? '...' : '>');

export class PromptWait {
  readonly #prompts: readonly string[];
  /** First bytes of the current line. */
  #line: number[] = [];
  #lineIsLong = false;
  /** True: at least one line has ended since the wait began. */
  #hasNewline = false;

  /** @throws RangeError for an empty prompt. */
  constructor({ prompt }: Prompt) {
    if (prompt.trim() === '') {
      throw new RangeError('A prompt to wait for has at least one character');
    }
    this.#prompts = [prompt.trim(), continuationOf(prompt.trim())];
  }

  /**
   * Takes the next piece of the stream.
   *
   * @returns Offset after the piece if the prompt has come; -1 otherwise.
   */
  take(bytes: Uint8Array): number {
    for (const byte of bytes) {
      if (byte === NEWLINE) {
        if (this.#isPrompt()) {
          return bytes.length;
        }
        this.#line = [];
        this.#lineIsLong = false;
        this.#hasNewline = true;
      } else if (this.#line.length < maxPromptBytes) {
        this.#line.push(byte);
      } else {
        this.#lineIsLong = true;
      }
    }
    return this.#isPrompt() ? bytes.length : -1;
  }

  #isPrompt(): boolean {
    if (this.#line.length === 0 || this.#lineIsLong) {
      return false;
    }
    const isPlain = !this.#line.some((byte) => byte === CARRIAGE_RETURN || byte === ESCAPE);
    if (!(this.#hasNewline || isPlain)) {
      return false;
    }
    const text = withoutColours(lineText(Uint8Array.from(this.#line), { open: true }));
    // A short prompt, as `#`, also begins lines of output. One before the first newline may be an echo.
    return this.#prompts.some((prompt) =>
      this.#hasNewline && prompt.length > 1
        ? text.startsWith(prompt)
        : text.trimEnd() === prompt && (this.#hasNewline || prompt.length > 1),
    );
  }
}

/**
 * Returns the prompt that a port shows, or null.
 *
 * @param lines Texts of the newest received lines, the oldest first.
 * @param isOpen True: the last line has no end yet, as where a board waits for a command.
 */
export function promptIn(lines: readonly string[], isOpen: boolean): string | null {
  const newest = lines.at(-1)?.trimEnd() ?? '';
  if (isOpen && newest.length <= longestPrompt && /^\S.*[>$#%]$|^[>$#%]$/.test(newest)) {
    return newest;
  }
  const seen = lines.map((line) => line.trimEnd());
  return seen.findLast((line) => line.length <= longestPrompt && /^\S*[>$#%]$/.test(line)) ?? null;
}
