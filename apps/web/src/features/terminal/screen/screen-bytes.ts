/**
 * Prepares received bytes for the terminal of a Screen: takes out headers of ZMODEM, which are for a program and not for the
 * glass, and finds where the board starts again, so that the modes of a program that is gone end there.
 */
import { isRestartLine } from '@wirebench/serial';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Ends all modes that programs set, and keeps the text: CAN for an unfinished sequence, DECSTR for the cursor, the margins,
 * origin and insert mode, character sets and application keys, then what DECSTR leaves: mouse (9, 1000 to 1016),
 * synchronised output (2026), line feed mode, the cursor's look, colours of characters, G0 to G3, and the palette.
 */
export const modesOff = [
  '\x18\x1b[!p',
  ...[9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026].map((mode) => `\x1b[?${mode}l`),
  '\x1b[20l\x1b[?12l\x1b[0 q\x1b[m\x1b(B\x1b)B\x1b*B\x1b+B\x0f',
  ...[104, 110, 111, 112].map((code) => `\x1b]${code}\x1b\\`),
].join('');

/** Leaves the alternate screen, as the program would have: the text from before it is there again. */
export const alternateOff = '\x1b[?1049l\r\n';

/** Bytes of a line in which a boot text is looked for. The name of a computer stands before `login:`. */
const searchedBytes = 80;

/** A boot text in a chunk. */
interface Boot {
  /** Place in the chunk where its line begins; 0 if it began earlier. */
  readonly at: number;
  /** Beginning of the line that came with earlier chunks. */
  readonly before: Uint8Array<ArrayBuffer>;
}

/** Finds the lines that a board prints when it starts. */
class BootWatch {
  /** Beginning of the current line; null once it is too long to tell. */
  #line: number[] | null = [];

  /** Returns the first boot text that `bytes` complete from `from` on; null without one. */
  find(bytes: Uint8Array, from: number): Boot | null {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === lineFeed || byte === carriageReturn) {
        this.#line = [];
      } else if (this.#line !== null) {
        this.#line.push(byte);
        const line = this.#line;
        if (line.length > searchedBytes) {
          this.#line = null;
        } else if (isBoot(line)) {
          this.#line = null;
          const start = at + 1 - line.length;
          return { at: Math.max(start, 0), before: Uint8Array.from(line.slice(0, Math.max(0, -start))) };
        }
      }
    }
    return null;
  }
}

const colon = 0x3a;

function isBoot(line: readonly number[]): boolean {
  const bytes = Uint8Array.from(line);
  // A computer that asks who is there has no program of a person any more.
  return (
    isRestartLine(bytes, 0, bytes.length) ||
    (line.at(-1) === colon && /^(?!Last )\w[\w.-]* login:$/.test(String.fromCharCode(...line)))
  );
}

const star = 0x2a;
const zdle = 0x18;
const letterB = 0x42;
/** ZDLE, `B`, and 14 digits: what follows the two stars of a hex header. */
const afterStars = 16;
/** CR and LF, with or without bit 7, and XON. */
const headerEnd = new Set([carriageReturn, 0x8d, lineFeed, 0x8a, 0x11]);
const headerEndBytes = 3;
const eraseCharacter = [0x08, 0x20, 0x08];

/**
 * Takes hex headers of ZMODEM out of a stream. Stars are shown at once, because boards print them for passwords, and erased
 * when they turn out to begin a header.
 */
export class HeaderFilter {
  /** Possible header, after its stars. */
  #held: number[] = [];
  /** Stars in a row before the next byte, at most 2. */
  #stars = 0;
  /** Bytes that may still belong to the end of the last header. */
  #ending = 0;

  /** Returns what is left: the same array if nothing was taken out. */
  filter(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (this.#held.length === 0 && this.#ending === 0 && !chunk.includes(zdle)) {
      for (const byte of chunk.subarray(-2)) {
        this.#count(byte);
      }
      return chunk;
    }
    const out: number[] = [];
    for (const byte of chunk) {
      if (this.#held.length > 0) {
        this.#hold(byte, out);
      } else if (byte === zdle && this.#stars === 2) {
        this.#held = [byte];
      } else if (this.#ending > 0 && headerEnd.has(byte)) {
        this.#ending--;
      } else {
        this.#ending = 0;
        this.#count(byte);
        out.push(byte);
      }
    }
    return Uint8Array.from(out);
  }

  #hold(byte: number, out: number[]): void {
    const fits = this.#held.length === 1 ? byte === letterB : isHexDigit(byte);
    this.#held.push(byte);
    if (!fits) {
      out.push(...this.#held);
    } else if (this.#held.length < afterStars) {
      return;
    } else {
      for (let stars = 2; stars > 0; stars--) {
        if (out.at(-1) === star) {
          out.pop();
        } else {
          out.push(...eraseCharacter);
        }
      }
      this.#ending = headerEndBytes;
    }
    this.#held = [];
    this.#stars = 0;
  }

  #count(byte: number): void {
    this.#stars = byte === star ? Math.min(2, this.#stars + 1) : 0;
  }
}

const isHexDigit = (byte: number) => /[0-9a-f]/i.test(String.fromCharCode(byte));

/** A piece for the terminal. `restarts`: the board begins again before it. */
export interface ScreenPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly restarts: boolean;
  /** Bytes of a boot text before this piece, which the terminal already has. */
  readonly before: Uint8Array<ArrayBuffer>;
}

/** Most bytes of a control string. The longest that a Screen understands, DECRQSS, has a few. */
export const longestString = 4_096;

/** CAN ends a sequence at once (ECMA-48, 8.3.6; VT510 reference, chapter 4). */
const cancel = 0x18;
const escapeByte = 0x1b;
const bell = 0x07;
const substitute = 0x1a;
/** First byte of the C1 controls in UTF-8. */
const c1 = 0xc2;

/** Bytes after ESC that begin a string: DCS `P`, SOS `X`, OSC `]`, PM `^`, APC `_`. */
const openers = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);

/**
 * Ends control strings that do not end. A program that is cut off inside one, or noise on the line, would otherwise keep a
 * terminal silent: it takes everything up to the end of the string for its content.
 */
export class SequenceLimit {
  /** `escape` and `c1`: after ESC, and after the first byte of a C1 control. */
  #state: 'ground' | 'escape' | 'c1' | 'string' = 'ground';
  #length = 0;

  /** Returns the bytes with a CAN behind each string that is too long: the same array if there is none. */
  limit(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    let parts: Uint8Array[] | null = null;
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === escapeByte) {
        this.#state = 'escape';
      } else if (this.#state === 'ground') {
        // Nearly every byte.
        if (byte === c1) {
          this.#state = 'c1';
        }
      } else if (this.#state === 'string') {
        if (byte === bell || byte === cancel || byte === substitute) {
          this.#state = 'ground';
        } else if (++this.#length > longestString) {
          parts ??= [];
          parts.push(bytes.subarray(from, at), Uint8Array.of(cancel));
          from = at;
          this.#state = 'ground';
        }
      } else {
        const opens = openers.has(this.#state === 'c1' ? byte - 0x40 : byte);
        this.#state = opens ? 'string' : 'ground';
        this.#length = 0;
      }
    }
    if (parts === null) {
      return bytes;
    }
    parts.push(bytes.subarray(from));
    const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let to = 0;
    for (const part of parts) {
      whole.set(part, to);
      to += part.length;
    }
    return whole;
  }

  /** The stream begins again. */
  reset(): void {
    this.#state = 'ground';
  }
}

/** Prepares received bytes for a terminal, in order. */
export class ScreenStream {
  #headers = new HeaderFilter();
  #boots = new BootWatch();
  readonly #limit = new SequenceLimit();

  /** Returns the pieces of a chunk: one, and one more for each boot text in it. */
  take(chunk: Uint8Array<ArrayBuffer>): readonly ScreenPiece[] {
    const bytes = this.#headers.filter(chunk);
    const pieces: ScreenPiece[] = [];
    let piece = { from: 0, restarts: false, before: new Uint8Array(0) };
    const end = (to: number) => {
      const { from, restarts, before } = piece;
      if (restarts) {
        this.#limit.reset();
      }
      pieces.push({ bytes: this.#limit.limit(bytes.subarray(from, to)), restarts, before });
    };
    for (let searched = 0; ; ) {
      const boot = this.#boots.find(bytes, searched);
      if (boot === null) {
        end(bytes.length);
        return pieces;
      }
      end(boot.at);
      piece = { from: boot.at, restarts: true, before: boot.before };
      searched = nextLine(bytes, boot.at);
    }
  }

  /** The stream begins again. */
  reset(): void {
    this.#headers = new HeaderFilter();
    this.#boots = new BootWatch();
    this.#limit.reset();
  }
}

function nextLine(bytes: Uint8Array, from: number): number {
  const end = bytes.subarray(from).findIndex((byte) => byte === lineFeed || byte === carriageReturn);
  return end === -1 ? bytes.length : from + end;
}
