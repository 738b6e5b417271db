/**
 * Captures that Wireshark opens without a setting: pcapng (draft-ietf-opsawg-pcapng), little-endian, times in
 * microseconds. Modbus RTU frames are exported PDUs, which name their dissector; frames of other protocols are bare bytes.
 */
import type { Direction } from './frame-types.ts';

/** Link types (LINKTYPE_WIRESHARK_UPPER_PDU, LINKTYPE_USER0). */
const EXPORTED_PDU = 252;
const USER_0 = 147;

/** Block types (sections 4.1 to 4.3). */
const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const ENHANCED_PACKET = 6;
const BYTE_ORDER = 0x1a2b3c4d;

/** Options (sections 3.5, 4.1, 4.2, 4.3). */
const USER_APPLICATION = 4;
const INTERFACE_NAME = 2;
const PACKET_FLAGS = 2;
const COMMENT = 1;

/** Tag of an exported PDU that names a dissector (Wireshark, wiretap/wtap.h and epan/exported_pdu.h). */
const DISSECTOR_NAME = 12;

const dissectors: ReadonlyMap<string, string> = new Map([['modbus', 'mbrtu']]);

const encoder = new TextEncoder();

const padded = (length: number) => (length + 3) & ~3;

class Block {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  numbers(...values: readonly (readonly [value: number, bytes: 2 | 4])[]): this {
    const part = new Uint8Array(values.reduce((sum, [, bytes]) => sum + bytes, 0));
    const view = new DataView(part.buffer);
    let at = 0;
    for (const [value, bytes] of values) {
      if (bytes === 2) {
        view.setUint16(at, value, true);
      } else {
        view.setUint32(at, value >>> 0, true);
      }
      at += bytes;
    }
    return this.bytes(part);
  }

  /** Adds bytes, and zeros up to a multiple of 4. */
  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes, new Uint8Array(padded(bytes.length) - bytes.length));
    this.#length += padded(bytes.length);
    return this;
  }

  option(code: number, value: Uint8Array): this {
    return this.numbers([code, 2], [value.length, 2]).bytes(value);
  }

  /** Returns the block with its type and its length at both ends. */
  end(type: number): Uint8Array<ArrayBuffer> {
    const length = this.#length + 12;
    const block = new Uint8Array(length);
    const view = new DataView(block.buffer);
    view.setUint32(0, type, true);
    view.setUint32(4, length, true);
    let at = 8;
    for (const part of this.#parts) {
      block.set(part, at);
      at += part.length;
    }
    view.setUint32(at, length, true);
    return block;
  }
}

/** Returns the start of a capture: one interface for each kind of frame. */
export function pcapngStart(program: string): Uint8Array<ArrayBuffer> {
  const section = new Block()
    .numbers([BYTE_ORDER, 4], [1, 2], [0, 2], [0xffff_ffff, 4], [0xffff_ffff, 4])
    .option(USER_APPLICATION, encoder.encode(program))
    .numbers([0, 4])
    .end(SECTION);
  const interfaces = [EXPORTED_PDU, USER_0].map((linkType) =>
    new Block()
      .numbers([linkType, 2], [0, 2], [0, 4])
      .option(INTERFACE_NAME, encoder.encode(linkType === EXPORTED_PDU ? 'frames with a dissector' : 'bare frames'))
      .numbers([0, 4])
      .end(INTERFACE),
  );
  return joined([section, ...interfaces]);
}

export interface CapturedFrame {
  readonly bytes: Uint8Array;
  /** Name of its decoder: `modbus`. Empty for bytes that are no frame. */
  readonly decoder: string;
  readonly direction: Direction;
  /** Time in ms since the Unix epoch. */
  readonly at: number;
  /** Words that the capture keeps beside the frame. */
  readonly comment?: string;
}

/** Longest comment, as its length has 16 bits. */
const MAX_COMMENT = 1_024;

/** Returns one frame of a capture. */
export function pcapngFrame({ bytes, decoder, direction, at, comment }: CapturedFrame): Uint8Array<ArrayBuffer> {
  const dissector = dissectors.get(decoder);
  const data = dissector === undefined ? bytes : joined([exportedPdu(dissector), bytes]);
  const micros = BigInt(Math.round(at * 1_000));
  const flags = new Uint8Array(4);
  flags[0] = direction === 'received' ? 1 : 2;
  const block = new Block()
    .numbers(
      [dissector === undefined ? 1 : 0, 4],
      [Number(micros >> 32n), 4],
      [Number(micros & 0xffff_ffffn), 4],
      [data.length, 4],
      [data.length, 4],
    )
    .bytes(data)
    .option(PACKET_FLAGS, flags);
  if (comment !== undefined && comment !== '') {
    block.option(COMMENT, encoder.encode(comment.slice(0, MAX_COMMENT)));
  }
  return block.numbers([0, 4]).end(ENHANCED_PACKET);
}

/** Tags of an exported PDU, each with a type and a length in big-endian; the last one is empty. */
function exportedPdu(dissector: string): Uint8Array {
  const name = encoder.encode(dissector);
  const length = padded(name.length);
  const tags = new Uint8Array(4 + length + 4);
  tags.set([0, DISSECTOR_NAME, length >> 8, length & 0xff]);
  tags.set(name, 4);
  return tags;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
