/**
 * HDLC frames on an asynchronous line (RFC 1662, section 4). 7E ends a frame. 7E and 7D inside it are sent as 7D and
 * the byte with bit 5 inverted; a sender may escape any other byte too. A frame that ends with 7D 7E was aborted by
 * its sender. The last bytes of a frame may be a frame check sequence, least significant byte first (appendix C).
 */
import { crcTable, shiftedIn } from './crc.ts';
import { defineFraming } from './framing-definition.ts';
import type { DecodeFrame, Splitter } from './splitter.ts';

const FLAG = 0x7e;
const ESCAPE = 0x7d;
const INVERTED = 0x20;

type CheckName = 'none' | 'fcs-16' | 'fcs-32';

/** A frame check sequence. Its register shifts to the right; all of its bits are set at the start of a frame. */
interface Check {
  /** Length of the sequence in bytes. */
  readonly bytes: number;
  /** Effect of each byte value on the register. */
  readonly table: Uint32Array;
  readonly start: number;
  /** Value of the register after a frame with the correct sequence. */
  readonly good: number;
  /** Decodes the content of a valid frame, without the sequence. */
  readonly decode: DecodeFrame;
}

const checks: Readonly<Record<CheckName, Check>> = {
  none: { bytes: 0, table: new Uint32Array(256), start: 0, good: 0, decode: (frame) => decodeHdlc(frame, 0) },
  'fcs-16': {
    bytes: 2,
    table: crcTable(0x8408),
    start: 0xffff,
    good: 0xf0b8,
    decode: (frame) => decodeHdlc(frame, 2),
  },
  'fcs-32': {
    bytes: 4,
    table: crcTable(0xedb88320),
    start: 0xffffffff,
    good: 0xdebb20e3,
    decode: (frame) => decodeHdlc(frame, 4),
  },
};

class HdlcSplitter implements Splitter {
  readonly gap = null;
  readonly unfinished = 'incomplete';
  readonly ending = 0;
  readonly decode: DecodeFrame;
  fault: 'invalid' | null = null;
  decodedLength = 0;
  readonly #check: Check;
  #register: number;
  #decoded = 0;
  #escaped = false;

  constructor(check: Check) {
    this.#check = check;
    this.#register = check.start;
    this.decode = check.decode;
  }

  /**
   * Finds the end of the frame. A 7E before a frame belongs to it: the one that ends a frame may begin the next, and
   * many senders put one at both ends.
   */
  next(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte === FLAG) {
        if (this.#decoded > 0 || this.#escaped) {
          this.fault = this.#isGood() ? null : 'invalid';
          this.decodedLength = this.#decoded - this.#check.bytes;
          this.restart();
          return at + 1;
        }
      } else if (this.#escaped) {
        this.#escaped = false;
        this.#take(byte ^ INVERTED);
      } else if (byte === ESCAPE) {
        this.#escaped = true;
      } else {
        this.#take(byte);
      }
    }
    return -1;
  }

  restart(): void {
    this.#register = this.#check.start;
    this.#decoded = 0;
    this.#escaped = false;
  }

  #take(byte: number): void {
    this.#register = shiftedIn(this.#check.table, this.#register, byte);
    this.#decoded++;
  }

  #isGood(): boolean {
    const { bytes, good } = this.#check;
    return !this.#escaped && this.#decoded >= bytes && this.#register === good;
  }
}

/**
 * @param frame A valid frame with its flags.
 * @param checkBytes Length of the frame check sequence, which is left out.
 */
function decodeHdlc(frame: Uint8Array, checkBytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(frame.length);
  let length = 0;
  for (let at = 0; at < frame.length; at++) {
    const byte = frame[at] as number;
    if (byte === ESCAPE) {
      content[length++] = (frame[++at] as number) ^ INVERTED;
    } else if (byte !== FLAG) {
      content[length++] = byte;
    }
  }
  return content.subarray(0, length - checkBytes);
}

export const hdlcFraming = defineFraming<{ readonly check: CheckName }>({
  title: 'HDLC frames',
  use: 'Frames as in RFC 1662 (PPP), each ending with 7E, with or without a check sequence.',
  defaults: { check: 'none' },
  fields: {
    check: {
      kind: 'choice',
      label: 'FCS',
      name: 'Bits of the frame check sequence',
      choices: [
        { value: 'none', label: 'None' },
        { value: 'fcs-16', label: '16' },
        { value: 'fcs-32', label: '32' },
      ],
    },
  },
  splitter: ({ check }) => new HdlcSplitter(checks[check]),
});
