/**
 * A line as it is typed at a small shell: echo, backspace, Ctrl+C, and an Enter that may be CR, LF or both.
 * Knows bytes only; what a line means is the shell's.
 */
export interface Typist {
  echo(bytes: Uint8Array): void;
  line(text: string): void;
  /** Ctrl+C. What was typed is gone. */
  interrupt(): void;
}

/** Bytes that a line may have; what is typed beyond is ignored. */
const longestLine = 256;

const ctrlC = 0x03;
const backspace = 0x08;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const del = 0x7f;
/** Back, over, back. */
const rubOut = Uint8Array.of(0x08, 0x20, 0x08);

export class LineEditor {
  readonly #typist: Typist;
  #typed: number[] = [];
  #lastWasReturn = false;

  constructor(typist: Typist) {
    this.#typist = typist;
  }

  /** What has been typed since the last line. */
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

  /** Takes the last character back: one byte, or all bytes of one that UTF-8 writes with several. */
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
