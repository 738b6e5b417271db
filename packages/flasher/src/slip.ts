/**
 * SLIP framing (RFC 1055) with a delimiter before and after each frame, as in Espressif's "Serial Protocol", section
 * "Low Level Protocol".
 */
const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;

/** Longest frame in bytes. Anything longer is treated as noise. */
const LONGEST_FRAME = 0x1_2000;

/** Encodes `parts` as one frame with delimiters. Its length is at most twice theirs and 2 bytes. */
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
   * Receives a frame without delimiters. The bytes are valid during the call only. Return false if this is not a
   * frame: its bytes then go to `text`, and its last delimiter may start the next frame.
   */
  frame(bytes: Uint8Array): boolean;
  /** Receives bytes outside of frames, such as a chip's boot messages. They are valid during the call only. */
  text(bytes: Uint8Array): void;
}

/** Decodes frames from chunks of any size. */
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

  /** Discards a started frame; its bytes go to `text`. */
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

  /** Reads up to the next delimiter or the end of `bytes`. Returns the position after it. */
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
      // Invalid escape, so this is not a frame. A delimiter here starts the next frame.
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
      // Two delimiters in a row: the end of one frame and the start of the next. Bytes between them may have been
      // lost.
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
