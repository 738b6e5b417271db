/**
 * SLIP framing (RFC 1055) with a delimiter before and after each frame, as the Espressif serial protocol has it ("Serial
 * Protocol", section "Low Level Protocol"). Knows bytes only: no ports, no commands, no time.
 */
const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;

/** Longest frame that is taken for one, in bytes; what is longer is noise. */
const LONGEST_FRAME = 0x1_2000;

/** One frame around `parts`, one after the other, delimiters included; at most twice their length and 2 bytes. */
export function encodeFrame(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0) * 2 + 2);
  let length = 0;
  frame[length++] = END;
  for (const part of parts) {
    for (const byte of part) {
      if (byte === END) {
        frame[length++] = ESC;
        frame[length++] = ESC_END;
      } else if (byte === ESC) {
        frame[length++] = ESC;
        frame[length++] = ESC_ESC;
      } else {
        frame[length++] = byte;
      }
    }
  }
  frame[length++] = END;
  return frame.subarray(0, length);
}

export interface FrameSink {
  /**
   * A frame, without its delimiters; the bytes are good until the call ends. False when it is none: then its last delimiter
   * may have been the first one of the next frame, and what was in it goes to `text`.
   */
  frame(bytes: Uint8Array): boolean;
  /** What is outside of frames: a chip that boots talks there. Good until the call ends. */
  text(bytes: Uint8Array): void;
}

/** Takes bytes in any split. */
export class FrameDecoder {
  readonly #sink: FrameSink;
  #frame = new Uint8Array(8_192);
  #length = 0;
  #inFrame = false;
  #escaped = false;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at = this.#inFrame ? this.#takeFrame(bytes, at) : this.#takeText(bytes, at);
    }
  }

  /** Forgets a frame that has begun; its bytes go to `text`. */
  reset(): void {
    this.#leaveFrame();
    this.#inFrame = false;
  }

  #takeText(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(END, from);
    const to = end < 0 ? bytes.length : end;
    if (to > from) {
      this.#sink.text(bytes.subarray(from, to));
    }
    this.#inFrame = end >= 0;
    return end < 0 ? to : to + 1;
  }

  /** Up to the next delimiter or the end of `bytes`. */
  #takeFrame(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const start = at;
      let byte = 0;
      while (at < bytes.length && !this.#escaped) {
        byte = bytes[at] ?? 0;
        if (byte === END || byte === ESC) {
          break;
        }
        at++;
      }
      this.#append(bytes, start, at);
      if (at === bytes.length) {
        break;
      }
      if (this.#escaped) {
        this.#unescape(bytes[at++] ?? 0);
      } else if (byte === END) {
        this.#endFrame();
        return at + 1;
      } else {
        this.#escaped = true;
        at++;
      }
      if (!this.#inFrame) {
        return at;
      }
    }
    return at;
  }

  #unescape(byte: number): void {
    this.#escaped = false;
    if (byte === ESC_END) {
      this.#append(ESCAPED_END, 0, 1);
    } else if (byte === ESC_ESC) {
      this.#append(ESCAPED_ESC, 0, 1);
    } else {
      // No frame has this; a delimiter here is the one of the next frame.
      this.#leaveFrame();
      this.#inFrame = byte === END;
    }
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    const count = to - from;
    if (count === 0) {
      return;
    }
    if (this.#length + count > LONGEST_FRAME) {
      this.reset();
      return;
    }
    if (this.#length + count > this.#frame.length) {
      const larger = new Uint8Array(Math.max(this.#frame.length * 2, this.#length + count));
      larger.set(this.#frame.subarray(0, this.#length));
      this.#frame = larger;
    }
    this.#frame.set(count === bytes.length ? bytes : bytes.subarray(from, to), this.#length);
    this.#length += count;
  }

  #endFrame(): void {
    if (this.#length === 0) {
      // Two delimiters in a row: the end of one frame and the start of the next, however much was lost between.
      return;
    }
    const frame = this.#frame.subarray(0, this.#length);
    if (this.#sink.frame(frame)) {
      this.#length = 0;
      this.#inFrame = false;
    } else {
      this.#leaveFrame();
    }
  }

  #leaveFrame(): void {
    if (this.#length > 0) {
      this.#sink.text(this.#frame.subarray(0, this.#length));
    }
    this.#length = 0;
    this.#escaped = false;
  }
}

const ESCAPED_END = Uint8Array.of(END);
const ESCAPED_ESC = Uint8Array.of(ESC);
