/** SMP packets assembled by hand for the tests of serial recovery, following Zephyr's "SMP Transport Specification". */

/** CRC-16/XMODEM, bit by bit. */
function crcOf(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const out = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (out ? 0x1021 : 0);
    }
  }
  return crc;
}

const big16 = (value: number) => [value >> 8, value & 0xff];

/** Returns lines of at most 127 bytes that carry a packet with this header and body. */
export function smpRequest(op: number, group: number, id: number, body: readonly number[], sequence = 7): Uint8Array {
  const packet = [op, 0, ...big16(body.length), ...big16(group), sequence, id, ...body];
  const digits = Buffer.from([...big16(packet.length + 2), ...packet, ...big16(crcOf(packet))]).toString('base64');
  const lines = digits.match(/.{1,124}/g) ?? [];
  return Buffer.concat(
    lines.map((line, index) => Buffer.from([...(index === 0 ? [6, 9] : [4, 20]), ...Buffer.from(line), 10])),
  );
}

export interface SmpAnswer {
  readonly header: string;
  /** The CBOR body as hex digits. */
  readonly body: string;
}

/** Returns the packets in the received bytes; other lines are ignored. */
export function smpAnswers(bytes: Uint8Array): SmpAnswer[] {
  const answers: SmpAnswer[] = [];
  let packet = Buffer.alloc(0);
  for (const line of Buffer.from(bytes).toString('latin1').split('\n')) {
    const mark = line.slice(0, 2);
    if (mark === '\x06\x09' || mark === '\x04\x14') {
      packet = Buffer.concat([mark === '\x06\x09' ? Buffer.alloc(0) : packet, Buffer.from(line.slice(2), 'base64')]);
      const length = packet.length < 2 ? -1 : packet.readUInt16BE(0);
      if (length === packet.length - 2 && crcOf([...packet.subarray(2)]) === 0) {
        answers.push({ header: packet.toString('hex', 2, 10), body: packet.toString('hex', 10, packet.length - 2) });
      }
    }
  }
  return answers;
}

/** Encodes a key of a map: a short text. */
export function key(text: string): number[] {
  return [0x60 + text.length, ...Buffer.from(text)];
}

/** Encodes bytes as CBOR. */
export function byteString(bytes: Uint8Array): number[] {
  return bytes.length < 24
    ? [0x40 + bytes.length, ...bytes]
    : bytes.length < 256
      ? [0x58, bytes.length, ...bytes]
      : [0x59, ...big16(bytes.length), ...bytes];
}

/** Encodes a number as CBOR, with all four bytes. */
export function number(value: number): number[] {
  return [0x1a, value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
