/**
 * SMP over a console: lines of text that begin with 06 09 (packet) or 04 14 (continuation) and carry base64. A
 * decoded packet has its length, its body and a CRC, big-endian. Source: Zephyr, "SMP Transport Specification",
 * section "UART/serial and console"; MCUboot, `boot_serial.c` and the line buffers of its Zephyr port,
 * `serial_adapter.c`.
 */
import { joined, viewOf } from '../../byte-fields.ts';
import { crc16 } from '../crc16.ts';

const newline = 0x0a;
const packetStart = [0x06, 0x09] as const;
const continuation = [0x04, 0x14] as const;
/** `BOOT_MAX_LINE_INPUT_LEN`: longer lines are truncated, and so cannot be decoded. */
const longestLine = 128;
/** `BOOT_SERIAL_FRAME_MTU`: base64 digits in a written line. */
const digitsPerLine = 124;

export class SmpConsole {
  readonly #capacity: number;
  #line: number[] = [];
  #packet = new Uint8Array();

  /** @param capacity Most bytes of a packet, including length and CRC (`MCUBOOT_SERIAL_MAX_RECEIVE_SIZE`). */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the bodies of the packets that end in `bytes`. Invalid input is ignored. */
  receive(bytes: Uint8Array): Uint8Array[] {
    const bodies: Uint8Array[] = [];
    for (const byte of bytes) {
      if (byte !== newline) {
        if (this.#line.length < longestLine) {
          this.#line.push(byte);
        }
        continue;
      }
      const body = this.#endLine(Uint8Array.from(this.#line));
      this.#line = [];
      if (body !== null) {
        bodies.push(body);
      }
    }
    return bodies;
  }

  #endLine(line: Uint8Array): Uint8Array | null {
    const begins = startsWith(line, packetStart);
    if (!begins && !startsWith(line, continuation)) {
      return null;
    }
    const decoded = decodeBase64(line.subarray(2));
    if (begins) {
      this.#packet = new Uint8Array();
    }
    if (decoded === null || this.#packet.length + decoded.length > this.#capacity) {
      return null;
    }
    this.#packet = joined(this.#packet, decoded);
    const content = this.#packet.subarray(2);
    if (content.length <= 2 || viewOf(this.#packet).getUint16(0) !== content.length) {
      return null;
    }
    return crc16(content, 0) === 0 ? content.slice(0, -2) : null;
  }
}

/** Returns the lines that carry `body`. */
export function smpLines(body: Uint8Array): Uint8Array {
  const head = new Uint8Array(2);
  viewOf(head).setUint16(0, body.length + 2);
  const tail = new Uint8Array(2);
  viewOf(tail).setUint16(0, crc16(body, 0));
  const digits = btoa(String.fromCharCode(...head, ...body, ...tail));
  const lines: Uint8Array[] = [];
  for (let at = 0; at < digits.length; at += digitsPerLine) {
    const begin = at === 0 ? packetStart : continuation;
    const text = new TextEncoder().encode(digits.slice(at, at + digitsPerLine));
    lines.push(Uint8Array.from([...begin, ...text, newline]));
  }
  return joined(...lines);
}

function startsWith(line: Uint8Array, [first, second]: readonly [number, number]): boolean {
  return line[0] === first && line[1] === second;
}

/** Returns null for invalid base64. Padding is mandatory. */
function decodeBase64(digits: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const text = String.fromCharCode(...digits).replace(/\r$/, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return null;
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
