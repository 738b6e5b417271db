/** Lines of a log that are bytes in hex digits, as sniffers and loggers write frames. */
import { isTextByte } from '@wirebench/frames/latin-text';
import { joined } from '@wirebench/port/bytes';

const decoder = new TextDecoder('latin1');

/** Pairs of digits with separators, or four pairs and more without any. */
const pairs = /^\s*(?:0x)?[\da-f]{2}(?:[ ,:-]\s*(?:0x)?[\da-f]{2})*[ ,:-]?\s*$/i;
const unseparated = /^\s*(?:[\da-f]{2}){4,}\s*$/i;
/** Fewer pairs without separators: a line of bytes where the others are. */
const fewUnseparated = /^\s*(?:[\da-f]{2}){1,3}\s*$/i;
/** Pairs of digits that are hardly anything else: three and more with separators, or four and more without any. */
const clearPairs = /^\s*(?:0x)?[\da-f]{2}(?:[ ,:-]\s*(?:0x)?[\da-f]{2}){2,}[ ,:-]?\s*$/i;
/** Longest line that is looked at: a frame of 64 KiB with separators. */
const LONGEST = 1 << 18;

/**
 * Returns the bytes of a line of hex digits: `07 03 00 00`, `0x07, 0x03`, `0703000a`. Null for any other line.
 *
 * @param isHexLog True: the log is one of hex digits, so that two and three pairs need no separators.
 */
function bytesOfHexLine(line: Uint8Array, isHexLog: boolean): Uint8Array<ArrayBuffer> | null {
  if (line.length > LONGEST) {
    return null;
  }
  const text = decoder.decode(line);
  if (!pairs.test(text) && !unseparated.test(text) && !(isHexLog && fewUnseparated.test(text))) {
    return null;
  }
  const digits = text.replaceAll(/0x|[^\da-f]/gi, '');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const LINE_FEED = 0x0a;
/** Bytes by which a log is taken for text. */
const HEAD = 4_096;

/** Decides whether a log is bytes in hex digits: by its lines, so that single ones decide nothing. */
export class HexLineCount {
  #hex = 0;
  #clear = 0;
  #others = 0;

  /** @param bytes Whole lines. */
  add(bytes: Uint8Array): void {
    for (const line of decoder.decode(bytes).split('\n')) {
      if (line.length > LONGEST) {
        this.#others++;
      } else if (pairs.test(line) || unseparated.test(line)) {
        this.#hex++;
        this.#clear += clearPairs.test(line) || unseparated.test(line) ? 1 : 0;
      } else if (line.trim() !== '' && !fewUnseparated.test(line)) {
        this.#others++;
      }
    }
  }

  /** True: most lines are pairs of hex digits, and some are hardly anything else. */
  get isHexLog(): boolean {
    return this.#clear > 0 && this.#hex > this.#others;
  }
}

/** Reads the bytes of an opened log that stand in it as lines of hex digits. Lines may be cut anywhere between two calls. */
export class HexLines {
  #isText: boolean | null = null;
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array();

  /**
   * Returns the bytes of a piece, cut where its lines end. Other lines, and a log that is no text, stay as they are.
   *
   * @param isHexLog What the whole log is, by `HexLineCount`.
   */
  read(piece: Uint8Array<ArrayBuffer>, isHexLog: boolean): readonly Uint8Array<ArrayBuffer>[] {
    this.#isText ??= piece.subarray(0, HEAD).every(isTextByte);
    if (!this.#isText) {
      return [piece];
    }
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const lines: Uint8Array<ArrayBuffer>[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
      lines.push(bytesOf(bytes.subarray(from, end + 1), isHexLog));
      from = end + 1;
    }
    this.#rest = bytes.slice(from);
    if (this.#rest.length > LONGEST) {
      lines.push(this.#rest);
      this.#rest = new Uint8Array();
    }
    return lines;
  }

  /** Returns the bytes of the last line, which has no end, and begins another log. */
  end(isHexLog: boolean): Uint8Array<ArrayBuffer> {
    const last = bytesOf(this.#rest, isHexLog);
    this.#rest = new Uint8Array();
    this.#isText = null;
    return last;
  }
}

const bytesOf = (line: Uint8Array<ArrayBuffer>, isHexLog: boolean) => bytesOfHexLine(line, isHexLog) ?? line;
