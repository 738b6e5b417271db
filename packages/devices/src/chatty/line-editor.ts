/**
 * The line editor of a small shell: echo, backspace and Ctrl+C. Enter may be CR, LF or both. The shell interprets the
 * lines.
 */
export interface Typist {
  echo(bytes: Uint8Array): void;
  line(text: string): void;
  /** Called on Ctrl+C, after the typed line has been discarded. */
  interrupt(): void;
}

/** Longest line in bytes. Further input is ignored. */
const longestLine = 256;

const ctrlC = 0x03;
const backspace = 0x08;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const del = 0x7f;
/** Cursor back, blank over the character, cursor back. */
const rubOut = Uint8Array.of(0x08, 0x20, 0x08);

export class LineEditor {
  readonly #typist: Typist;
  #typed: number[] = [];
  #lastWasReturn = false;

  constructor(typist: Typist) {
    this.#typist = typist;
  }

  /** The bytes typed since the last Enter. */
  get typed(): Uint8Array {
    return Uint8Array.from(this.#typed);
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const endsReturn = byte === lineFeed && this.#lastWasReturn;
      this.#lastWasReturn = byte === carriageReturn;
      if (!endsReturn) {
        this.#type(byte);
      }
    }
  }

  #type(byte: number): void {
    if (byte === carriageReturn || byte === lineFeed) {
      const text = new TextDecoder().decode(this.typed);
      this.#typed = [];
      this.#typist.line(text);
    } else if (byte === ctrlC) {
      this.#typed = [];
      this.#typist.interrupt();
    } else if (byte === backspace || byte === del) {
      this.#rubOut();
    } else if (byte >= 0x20 && this.#typed.length < longestLine) {
      this.#typed.push(byte);
      this.#typist.echo(Uint8Array.of(byte));
    }
  }

  /** Deletes the last character, with all bytes of its UTF-8 sequence. */
  #rubOut(): void {
    let last = this.#typed.pop();
    if (last === undefined) {
      return;
    }
    while (last !== undefined && (last & 0xc0) === 0x80) {
      last = this.#typed.pop();
    }
    this.#typist.echo(rubOut);
  }
}
