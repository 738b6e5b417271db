/**
 * SLIP framing on the chip's side: every frame begins and ends with C0; C0 and DB inside are DB DC and DB DD.
 * Source: Espressif, "Serial Protocol", section "Low Level Protocol". What stands outside of frames is not heard.
 */
const end = 0xc0;
const escapeByte = 0xdb;
const escapedEnd = 0xdc;
const escapedEscape = 0xdd;

export class SlipReceiver {
  readonly #onFrame: (frame: Uint8Array) => void;
  readonly #buffer: Uint8Array;
  /** Bytes of the frame at hand; null outside of frames. */
  #length: number | null = null;
  #escaping = false;
  /** The frame at hand is too long or broken: it is passed over. */
  #bad = false;

  /** @param onFrame gets frames without framing, at most `capacity` bytes, in arrays of their own. */
  constructor(capacity: number, onFrame: (frame: Uint8Array) => void) {
    this.#buffer = new Uint8Array(capacity);
    this.#onFrame = onFrame;
  }

  /** Forgets the frame at hand. */
  reset(): void {
    this.#length = null;
    this.#escaping = false;
    this.#bad = false;
  }

  receive(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(end, at);
      const upTo = found === -1 ? bytes.length : found;
      if (this.#length !== null) {
        this.#take(bytes.subarray(at, upTo));
      }
      if (found !== -1) {
        this.#delimiter();
      }
      at = upTo + 1;
    }
  }

  #delimiter(): void {
    const length = this.#length;
    if (length === null || length === 0) {
      // Two delimiters in a row: the second one begins the next frame.
      this.#length = 0;
      return;
    }
    const frame = this.#bad ? null : this.#buffer.slice(0, length);
    this.reset();
    if (frame !== null) {
      this.#onFrame(frame);
    }
  }

  #take(bytes: Uint8Array): void {
    let length = this.#length ?? 0;
    if (length + bytes.length > this.#buffer.length) {
      this.#bad = true;
    }
    if (this.#bad) {
      this.#length = 1;
      return;
    }
    if (!this.#escaping && !bytes.includes(escapeByte)) {
      this.#buffer.set(bytes, length);
      this.#length = length + bytes.length;
      return;
    }
    for (const byte of bytes) {
      if (this.#escaping) {
        this.#escaping = false;
        this.#bad ||= byte !== escapedEnd && byte !== escapedEscape;
        this.#buffer[length++] = byte === escapedEnd ? end : escapeByte;
      } else if (byte === escapeByte) {
        this.#escaping = true;
      } else {
        this.#buffer[length++] = byte;
      }
    }
    // A frame of which only the first half of an escape is here has begun all the same.
    this.#length = length;
  }
}

/** One frame around `payload`, delimiters included. */
export function slipFrame(payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(payload.length * 2 + 2);
  let length = 0;
  frame[length++] = end;
  for (const byte of payload) {
    if (byte === end || byte === escapeByte) {
      frame[length++] = escapeByte;
      frame[length++] = byte === end ? escapedEnd : escapedEscape;
    } else {
      frame[length++] = byte;
    }
  }
  frame[length++] = end;
  return frame.subarray(0, length);
}
