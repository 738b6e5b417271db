/**
 * One-time-programmable words of the ESP8266 and ESP8285: 128 bits from 0x3FF00050 on (esptool, `targets/esp8266.py`,
 * `read_mac`, `get_chip_description`).
 */
import { bits, macOfBytes } from './chip.ts';

/** Address of the first of four words. */
export const OTP = 0x3ff0_0050;

/** The four words, lowest first. */
export type OtpWords = readonly [number, number, number, number];

export interface OtpFacts {
  /** `ESP8266EX`, `ESP8285`, or `ESP8285N08` where the size of its flash is burnt. */
  readonly model: string;
  readonly mac: string;
  readonly hasEmbeddedFlash: boolean;
  /** Size of the embedded flash in bytes; null if it is not burnt. */
  readonly embeddedSize: number | null;
}

export function otpFacts([word0, word1, word2, word3]: OtpWords): OtpFacts {
  // Bit 4 or bit 80 marks an ESP8285.
  const [first, second] = [bits(word0, 4, 1) === 1, bits(word2, 16, 1) === 1];
  const hasEmbeddedFlash = first || second;
  const megabytes = hasEmbeddedFlash ? (sizes[`${first ? 1 : 0} ${bits(word3, 25, 3)}`] ?? null) : null;
  // Bit 5: the variant for 105 or 125 °C.
  const letter = bits(word0, 5, 1) === 1 ? 'H' : 'N';
  const order = megabytes === null ? undefined : { 1: '08', 2: '16' }[megabytes];
  return {
    model: hasEmbeddedFlash ? `ESP8285${order === undefined ? '' : `${letter}${order}`}` : 'ESP8266EX',
    mac: macOf(word0, word1, word3),
    hasEmbeddedFlash,
    embeddedSize: megabytes === null ? null : megabytes * 2 ** 20,
  };
}

/** Bit 4, then bits 121 to 123 as a number → megabytes. */
const sizes: Readonly<Record<string, number>> = { '1 0': 1, '1 2': 2, '0 1': 2, '0 3': 4 };

/**
 * Returns the MAC address. Its first three bytes are one of two of Espressif's prefixes, unless the chip has its own.
 */
function macOf(word0: number, word1: number, word3: number): string {
  const vendor = word3 !== 0 ? word3 & 0xff_ffff : bits(word1, 16, 8) === 0 ? 0x18_fe34 : 0xac_d074;
  return macOfBytes([vendor >>> 16, vendor >>> 8, vendor, word1 >>> 8, word1, word0 >>> 24]);
}
