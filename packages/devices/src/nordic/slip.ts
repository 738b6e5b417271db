/**
 * SLIP (RFC 1055) on the device's side: C0 ends a frame; C0 and DB inside are DB DC and DB DD. A frame without content is none.
 * The nRF5 SDK's `slip.c` drops a frame with any other byte after DB; `hci_slip.c` keeps that byte, and begins with a C0.
 */
const end = 0xc0;
const escapeByte = 0xdb;
const escapedEnd = 0xdc;
const escapedEscape = 0xdd;

export interface SlipRules {
  /** What comes before the first C0 is not heard. */
  readonly waitsForEnd: boolean;
  /** A wrong byte after DB spoils the frame; otherwise it counts as itself. */
  readonly strict: boolean;
}

export class SlipReceiver {
  readonly #rules: SlipRules;
  readonly #buffer: Uint8Array;
  #length = 0;
  #escaping = false;
  #spoiled: boolean;

  /** @param capacity longest frame in bytes, without framing; longer ones are not heard. */
  constructor(capacity: number, rules: SlipRules) {
    this.#buffer = new Uint8Array(capacity);
    this.#rules = rules;
    this.#spoiled = rules.waitsForEnd;
  }

  /** The frames that end in `bytes`, each in an array of its own. */
  receive(bytes: Uint8Array): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (const byte of bytes) {
      if (byte === end) {
        if (this.#length > 0 && !this.#spoiled) {
          frames.push(this.#buffer.slice(0, this.#length));
        }
        this.#length = 0;
        this.#escaping = false;
        this.#spoiled = false;
      } else {
        this.#take(byte);
      }
    }
    return frames;
  }

  #take(byte: number): void {
    if (!this.#escaping && byte === escapeByte) {
      this.#escaping = true;
      return;
    }
    let value = byte;
    if (this.#escaping) {
      this.#escaping = false;
      if (byte === escapedEnd || byte === escapedEscape) {
        value = byte === escapedEnd ? end : escapeByte;
      } else {
        this.#spoiled ||= this.#rules.strict;
      }
    }
    if (this.#length === this.#buffer.length) {
      this.#spoiled = true;
    } else {
      this.#buffer[this.#length++] = value;
    }
  }
}

/** `payload` with what ends it; with `leading` a C0 stands before it too. */
export function slipFrame(payload: Uint8Array, leading: boolean): Uint8Array {
  const frame: number[] = leading ? [end] : [];
  for (const byte of payload) {
    if (byte === end || byte === escapeByte) {
      frame.push(escapeByte, byte === end ? escapedEnd : escapedEscape);
    } else {
      frame.push(byte);
    }
  }
  frame.push(end);
  return Uint8Array.from(frame);
}
