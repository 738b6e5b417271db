/**
 * Detects a board's prompt after a line was sent to it. The echo of the line is not taken for a prompt: it stands
 * behind the prompt that was there before, and the prompt that counts begins a line of its own.
 */
import { DrawnLine } from './drawn-line.ts';

/** A prompt as it is read on the screen, such as `gw>`, without the space behind it. */
export interface Prompt {
  readonly prompt: string;
}

const NEWLINE = 0x0a;
/** Drawn bytes of a line that can begin with a prompt. Marks around a prompt, such as those of OSC 3008, are not drawn. */
const maxPromptBytes = 512;
/** Characters of a line that is one prompt. */
const longestPrompt = 60;

/** Prompts that ask for the rest of a command: Python's, and that of POSIX shells (IEEE Std 1003.1, PS2). */
const continuationOf = (prompt: string): string => (prompt === '>>>' ? '...' : '>');

export class PromptWait {
  /** A match begins with the stream. */
  readonly start = 0;
  readonly #prompts: readonly string[];
  readonly #line = new DrawnLine(maxPromptBytes);
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
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#line.take(bytes.subarray(from, end));
      if (this.#isPrompt()) {
        return bytes.length;
      }
      this.#line.end();
      this.#hasNewline = true;
      from = end + 1;
    }
    this.#line.take(bytes.subarray(from));
    return this.#isPrompt() ? bytes.length : -1;
  }

  #isPrompt(): boolean {
    const line = this.#line;
    if (line.isEmpty || line.isLong || !(this.#hasNewline || line.isPlain)) {
      return false;
    }
    const { text } = line;
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
