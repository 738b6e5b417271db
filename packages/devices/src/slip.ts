/**
 * SLIP (RFC 1055) on the device's side. C0 ends a frame; C0 and DB inside a frame are sent as DB DC and DB DD. Empty
 * frames are dropped. The bootloaders treat malformed input differently: see `SlipRules`.
 */
const end = 0xc0;
const escapeByte = 0xdb;
const escapedEnd = 0xdc;
const escapedEscape = 0xdd;

export interface SlipRules {
  /**
   * The condition that begins a frame. `end-each`: every frame needs a C0 of its own, and bytes between frames are
   * dropped. `end-once`: the C0 of the previous frame is enough, so only bytes before the first C0 are dropped.
   * `anything`: the first byte.
   */
  readonly opens: 'end-each' | 'end-once' | 'anything';
  /** True: an invalid byte after DB discards the frame. False: that byte is taken literally. */
  readonly strict: boolean;
  /** `cut`: a frame above the capacity is truncated. Default: it is discarded. */
  readonly overlong?: 'cut';
}

export class SlipReceiver {
  readonly #rules: SlipRules;
  readonly #buffer: Uint8Array;
  #open: boolean;
  #length = 0;
  #escaping = false;
  /** True while the current frame is too long or broken. It is discarded at its end. */
  #spoiled = false;

  /**
   * @param capacity Longest frame in bytes, without framing.
   * @param rules Treatment of frame starts, invalid escapes and frames above the capacity.
   */
  constructor(capacity: number, rules: SlipRules) {
    this.#buffer = new Uint8Array(capacity);
    this.#rules = rules;
    this.#open = rules.opens === 'anything';
  }

  /** Returns the frames that end in `bytes`, each in its own array. */
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

  /** Ends the current frame. Returns it unless it is empty or spoiled. */
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

/** Returns `payload` escaped, with a C0 only at its end. */
export function slipEnded(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return slipFrame(payload).subarray(1);
}

/** Returns `payload` as one frame with a C0 at both ends. */
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
