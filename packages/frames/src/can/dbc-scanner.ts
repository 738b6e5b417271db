/** Tokens of a DBC file: words, numbers, texts, punctuation. Linear in the length of the file. */

/** Decodes the bytes of a DBC file: UTF-8 or UTF-16 with a byte order mark, UTF-8 without, or else Windows-1252. */
export function decodeDbcText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return new TextDecoder('utf-16le').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) {
      return new TextDecoder('windows-1252').decode(bytes);
    }
    throw error;
  }
}

export class DbcScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True: only blanks are left. */
  get isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at >= this.#text.length;
  }

  /** Line of the current position, from 1. Slow: for faults. */
  get line(): number {
    let line = 1;
    for (let at = this.#text.indexOf('\n'); at >= 0 && at < this.#at; at = this.#text.indexOf('\n', at + 1)) {
      line++;
    }
    return line;
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= 0x20) {
      this.#at++;
    }
  }

  /** Takes the match of a sticky pattern after blanks. Null: the text does not continue so. */
  take(pattern: RegExp): RegExpExecArray | null {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) {
      this.#at = pattern.lastIndex;
    }
    return match;
  }

  word(): string | null {
    return this.take(/[^\s:;,"|@()[\]]+/y)?.[0] ?? null;
  }

  mark(mark: string): boolean {
    this.#skipBlanks();
    if (!this.#text.startsWith(mark, this.#at)) {
      return false;
    }
    this.#at += mark.length;
    return true;
  }

  /**
   * Takes a text in quotes; it may span lines. `\"` is a quote inside, unless the statement ends behind it: some tools
   * escape quotes, others write a path that ends with a backslash.
   */
  quoted(): string | null {
    if (!this.mark('"')) {
      return null;
    }
    const from = this.#at;
    for (;;) {
      const end = this.#text.indexOf('"', this.#at);
      if (end < 0) {
        this.#at = this.#text.length;
        return null;
      }
      this.#at = end + 1;
      const isEscaped =
        end > from &&
        this.#text[end - 1] === '\\' &&
        !/^[ \t]*(;[ \t]*)?(\r?\n|$)/.test(this.#text.slice(end + 1, end + 20));
      if (!isEscaped) {
        return this.#text.slice(from, end).replaceAll('\\"', '"');
      }
    }
  }

  /** Skips the rest of the line. */
  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** Skips to behind the next semicolon outside of quotes. */
  skipStatement(): void {
    while (!this.isAtEnd && !this.mark(';')) {
      if (this.#text[this.#at] === '"') {
        this.quoted();
      } else if (this.take(/[^\s;"]+/y) === null) {
        this.#at++;
      }
    }
  }
}
