/**
 * Ends control strings that do not end. A program that is cut off inside one, or noise on the line, would otherwise keep a
 * terminal silent: it takes everything up to the end of the string for its content.
 */

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
