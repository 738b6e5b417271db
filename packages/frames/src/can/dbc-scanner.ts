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
  /** No text in quotes that begins before this offset has an end. */
  #noEndBefore = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True: only blanks are left. */
  get isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at >= this.#text.length;
  }

  /** Offset in the text. */
  get position(): number {
    return this.#at;
  }

  /** Line of a position, from 1. Slow: for faults. */
  lineOf(position: number): number {
    let line = 1;
    for (let at = this.#text.indexOf('\n'); at >= 0 && at < position; at = this.#text.indexOf('\n', at + 1)) {
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
      const inside = this.#text.slice(this.#at, end < 0 ? this.#at : end).search(statementInside);
      if (end < 0 || inside >= 0 || from < this.#noEndBefore) {
        // Its end is missing: the next quote is that of another text.
        this.#noEndBefore = Math.max(this.#noEndBefore, end < 0 ? this.#text.length : this.#at + inside);
        this.#at = from;
        this.skipLine();
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

  /** True: a statement begins here, as the first of its line. */
  get #isAtStatement(): boolean {
    this.#skipBlanks();
    let before = this.#at - 1;
    while (this.#text[before] === ' ' || this.#text[before] === '\t') {
      before--;
    }
    statementHere.lastIndex = this.#at;
    return (before < 0 || this.#text[before] === '\n') && statementHere.test(this.#text);
  }

  /** The rest of the line, which is not taken. */
  restOfLine(): string {
    const end = this.#text.indexOf('\n', this.#at);
    return this.#text.slice(this.#at, end < 0 ? this.#text.length : end);
  }

  /** Skips the rest of the line. */
  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /**
   * Skips to behind the next semicolon outside of quotes. Returns false if it is missing: the statement then ends in front
   * of the next one.
   */
  skipStatement(): boolean {
    while (!this.isAtEnd && !this.mark(';')) {
      if (this.#isAtStatement) {
        return false;
      }
      if (this.#text[this.#at] === '"') {
        this.quoted();
      } else if (this.take(/[^\s;"]+/y) === null) {
        this.#at++;
      }
    }
    return this.#text[this.#at - 1] === ';';
  }
}

/** Beginnings of statements that say something about values, as few other texts have them. */
const statement = [
  /BO_\s+\d{1,10}\s+[^\s:]{1,200}\s*:\s*\d/,
  /SG_\s+[^\s:]{1,200}\s*(?:\s(?:M|m\d{1,10}M?)\s*)?:\s*\d/,
  /CM_\s+(?:(?:BO_|SG_|BU_|EV_)\s+[^"\n]{1,300})?"/,
  /VAL_\s+\d{1,10}\s+\S{1,200}\s+[-+]?\d/,
  /VAL_TABLE_\s+\S{1,200}\s+[-+]?\d/,
  /(?:BA_|BA_DEF_|BA_DEF_DEF_)\s+(?:\w{3}\s+)?"/,
  /(?:SIG_VALTYPE_|SG_MUL_VAL_)\s+\d{1,10}\s/,
]
  .map(({ source }) => source)
  .join('|');
const statementHere = new RegExp(statement, 'y');
// The quote that ends a text is not in it: a comment or an attribute ends in front of its own.
const statementInside = new RegExp(`\\n[ \\t]*(?:${statement.replaceAll(')?"', ')?$')})`);
