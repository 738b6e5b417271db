/**
 * Packets of Improv Wi-Fi over a serial port, and how they are taken out of the text that a board prints around them.
 *
 * Source: improv-wifi.com, "Improv via Serial", section "Packet format". It names no rule for the checksum: that of
 * the Bluetooth document is used, the sum of all bytes before it, modulo 256.
 */
import { joined } from '@wirebench/port/bytes';

export interface Packet {
  /** One of `packetType`, or a type that this version does not know. */
  readonly type: number;
  /** At most 255 bytes. */
  readonly data: Uint8Array;
}

/** Content of a piece of a stream. */
interface StreamPart {
  /** Bytes that belong to no packet, in order. */
  readonly text: Uint8Array;
  readonly packets: readonly Packet[];
}

export const packetType = { state: 1, error: 2, command: 3, result: 4 } as const;

const VERSION = 1;
const header = new TextEncoder().encode('IMPROV');
/** Bytes before the data: header, version, type, length. */
const HEAD_BYTES = header.length + 3;
const TYPE_AT = header.length + 1;
const LENGTH_AT = header.length + 2;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const nothing = new Uint8Array();

/**
 * Encodes a packet, and a line feed behind it. The document has no line feed, and programs that follow it skip one.
 * Tasmota handles a packet when the byte behind it arrives (tasmota/tasmota_xdrv_driver/xdrv_62_improv.ino).
 *
 * @throws RangeError for more than 255 bytes of data.
 */
export function encodePacket({ type, data }: Packet): Uint8Array<ArrayBuffer> {
  if (data.length > 0xff) {
    throw new RangeError(`A packet has at most 255 bytes of data, not ${data.length}`);
  }
  const head = joined(header, Uint8Array.of(VERSION, type, data.length), data);
  return joined(head, Uint8Array.of(checksumOf(head), NEWLINE));
}

/**
 * Takes packets out of a stream that is cut in any way. A packet with a wrong checksum is text, unless it is a command:
 * the echo of one may hold a password, so it is dropped. A line ending directly behind a packet belongs to it.
 */
export class PacketStream {
  /** Bytes that may begin a packet. */
  #held: Uint8Array = nothing;
  /** True: the last byte that was taken ended a packet, or is the return behind it. */
  #skipsLineEnd = false;

  /** True: bytes are held back because a packet may begin with them. */
  get isWaiting(): boolean {
    return this.#held.length > 0;
  }

  take(bytes: Uint8Array): StreamPart {
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    this.#held = nothing;
    const text: Uint8Array[] = [];
    const packets: Packet[] = [];
    let at = 0;
    while (at < all.length) {
      at = this.#skipLineEnd(all, at);
      const start = nextStart(all, at);
      if (start > at) {
        text.push(all.slice(at, start));
      }
      const end = packetEnd(all, start);
      if (end > all.length) {
        this.#held = all.slice(start);
        break;
      }
      at = this.#takePacket(all, start, end, { text, packets });
    }
    return { text: text.length === 1 ? (text[0] ?? nothing) : joined(...text), packets };
  }

  /** Gives up the packet whose rest does not come. Packets that begin inside of it are found. */
  rest(): StreamPart {
    const text: Uint8Array[] = [];
    const packets: Packet[] = [];
    while (this.#held.length > 0) {
      const held = this.#held;
      const next = nextStart(held, 1);
      if (!isCommand(held)) {
        text.push(held.slice(0, next));
      }
      this.#held = nothing;
      const part = this.take(held.slice(next));
      text.push(part.text);
      packets.push(...part.packets);
    }
    return { text: joined(...text), packets };
  }

  /** Takes the bytes from `start` to `end` and returns where to go on. */
  #takePacket(
    all: Uint8Array,
    start: number,
    end: number,
    { text, packets }: { readonly text: Uint8Array[]; readonly packets: Packet[] },
  ): number {
    const body = all.subarray(start, end - 1);
    if (start === end) {
      return end;
    }
    if (checksumOf(body) === all[end - 1]) {
      this.#skipsLineEnd = true;
      packets.push({ type: all[start + TYPE_AT] ?? 0, data: all.slice(start + HEAD_BYTES, end - 1) });
      return end;
    }
    // Another packet may begin inside, where bytes were lost.
    const next = Math.min(end, nextStart(all, start + 1));
    if (isCommand(body)) {
      this.#skipsLineEnd = true;
      return next;
    }
    text.push(all.slice(start, next));
    return next;
  }

  #skipLineEnd(all: Uint8Array, from: number): number {
    let at = from;
    if (this.#skipsLineEnd && all[at] === RETURN) {
      at++;
    }
    if (this.#skipsLineEnd && at < all.length) {
      this.#skipsLineEnd = false;
      return all[at] === NEWLINE ? at + 1 : at;
    }
    return at;
  }
}

function checksumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

function isCommand(bytes: Uint8Array): boolean {
  return bytes.length > TYPE_AT && bytes[TYPE_AT] === packetType.command;
}

/** Returns where the next packet may begin, which may be cut off by the end; the length without one. */
function nextStart(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(header[0] ?? 0, from); at !== -1; at = bytes.indexOf(header[0] ?? 0, at + 1)) {
    if (header.every((byte, index) => at + index >= bytes.length || bytes[at + index] === byte)) {
      const version = bytes[at + header.length];
      if (version === undefined || version === VERSION) {
        return at;
      }
    }
  }
  return bytes.length;
}

/** Returns the place after a packet's checksum. It is beyond the end of `bytes` if a part is missing. */
function packetEnd(bytes: Uint8Array, start: number): number {
  if (start === bytes.length) {
    return start;
  }
  const length = bytes[start + LENGTH_AT];
  return length === undefined ? Number.POSITIVE_INFINITY : start + HEAD_BYTES + length + 1;
}
