/**
 * SLIP (RFC 1055) on the device's side: C0 ends a frame; C0 and DB inside are DB DC and DB DD. A frame without content is none.
 * What the bootloaders do with all else differs, and is in their rules.
 */
const end = 0xc0;
const escapeByte = 0xdb;
const escapedEnd = 0xdc;
const escapedEscape = 0xdd;

export interface SlipRules {
  /**
   * What begins a frame. `end-each`: a C0 of its own; what is between frames is not received. `end-once`: the C0 of the frame
   * before, so that only what comes before the first C0 is not received. `anything`: what comes first.
   */
  readonly opens: 'end-each' | 'end-once' | 'anything';
  /** A wrong byte after DB spoils the frame; otherwise it counts as itself. */
  readonly strict: boolean;
  /** What becomes of a frame that is longer than the capacity: nothing, unless it is `cut` there. */
  readonly overlong?: 'cut';
}

export class SlipReceiver {
  readonly #rules: SlipRules;
  readonly #buffer: Uint8Array;
  #open: boolean;
  #length = 0;
  #escaping = false;
  /** The frame at hand is too long or broken: it is passed over. */
  #spoiled = false;

  /** @param capacity longest frame in bytes, without framing; longer ones are not received. */
  constructor(capacity: number, rules: SlipRules) {
    this.#buffer = new Uint8Array(capacity);
    this.#rules = rules;
    this.#open = rules.opens === 'anything';
  }

  /** The frames that end in `bytes`, each in an array of its own. */
  receive(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
    const frames: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(end, at);
      const upTo = found === -1 ? bytes.length : found;
      if (this.#open) {
        this.#take(bytes.subarray(at, upTo));
      }
      if (found !== -1) {
        frames.push(...this.#delimiter());
      }
      at = upTo + 1;
    }
    return frames;
  }

  /** The frame that ends here, if it is one. */
  #delimiter(): Uint8Array<ArrayBuffer>[] {
    const some = this.#length > 0 || this.#spoiled;
    const frames = some && !this.#spoiled ? [this.#buffer.slice(0, this.#length)] : [];
    // Two delimiters in a row: the second one begins the next frame.
    this.#open = !some || this.#rules.opens !== 'end-each';
    this.#length = 0;
    this.#escaping = false;
    this.#spoiled = false;
    return frames;
  }

  #take(bytes: Uint8Array): void {
    if (!this.#escaping && !bytes.includes(escapeByte)) {
      this.#keep(bytes);
      return;
    }
    const plain = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (this.#escaping) {
        this.#escaping = false;
        const known = byte === escapedEnd || byte === escapedEscape;
        this.#spoiled ||= !known && this.#rules.strict;
        plain[length++] = !known ? byte : byte === escapedEnd ? end : escapeByte;
      } else if (byte === escapeByte) {
        this.#escaping = true;
      } else {
        plain[length++] = byte;
      }
    }
    this.#keep(plain.subarray(0, length));
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#buffer.length - this.#length;
    if (bytes.length > room && this.#rules.overlong === 'cut') {
      this.#keep(bytes.subarray(0, room));
    } else if (bytes.length > room) {
      this.#spoiled = true;
    } else {
      this.#buffer.set(bytes, this.#length);
      this.#length += bytes.length;
    }
  }
}

/** `payload` with the C0 that ends it. */
export function slipEnded(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return slipFrame(payload).subarray(1);
}

/** One frame around `payload`, a C0 at both its ends. */
export function slipFrame(payload: Uint8Array): Uint8Array<ArrayBuffer> {
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
