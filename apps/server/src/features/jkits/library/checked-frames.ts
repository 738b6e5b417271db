/**
 * Builds frames of binary protocols from their payload: adds checksums and terminators. Frames are pairs of hex
 * digits with spaces.
 */

/** Pairs of hex digits, optionally with white space. */
type Hex = string;

/**
 * Returns a Modbus RTU frame: `body` and its CRC-16, low byte first (MODBUS over Serial Line V1.02, section 6.2.2:
 * polynomial 0xA001, initial value 0xFFFF).
 */
export function modbusFrame(body: Hex): Hex {
  const bytes = bytesOf(body);
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
    }
  }
  return hexOf([...bytes, crc & 0xff, crc >>> 8]);
}

/**
 * Returns a UBX frame: two synchronisation bytes, class and id, length, payload, and the 8-bit Fletcher checksum over
 * all but the first two (u-blox 8 / M8 protocol specification, UBX-13003221, sections 32.2 and 32.4). A frame without
 * payload is a poll.
 */
export function ubxFrame(classAndId: Hex, payload: Hex = ''): Hex {
  const data = bytesOf(payload);
  const checked = [...bytesOf(classAndId), data.length & 0xff, data.length >>> 8, ...data];
  let a = 0;
  let b = 0;
  for (const byte of checked) {
    a = (a + byte) & 0xff;
    b = (b + a) & 0xff;
  }
  return hexOf([0xb5, 0x62, ...checked, a, b]);
}

/**
 * Returns an NMEA 0183 sentence: `$`, the body, `*` and the exclusive or of the body's characters. The sender adds
 * the line ending.
 */
export function nmeaSentence(body: string): string {
  const checksum = [...body].reduce((sum, character) => sum ^ character.charCodeAt(0), 0);
  return `$${body}*${pair(checksum)}`;
}

/**
 * Returns an instruction for a Nextion display: its text and three bytes FF (Nextion Instruction Set, section 1, rule
 * 1).
 */
export function nextionInstruction(text: string): Hex {
  return hexOf([...new TextEncoder().encode(text), 0xff, 0xff, 0xff]);
}

function bytesOf(hex: Hex): number[] {
  const digits = hex.replaceAll(/\s/g, '');
  return Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

function hexOf(bytes: readonly number[]): Hex {
  return bytes.map(pair).join(' ');
}

function pair(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
