/** Guesses the family of a board's chip from its USB ids and from what it has printed, for the flasher to open. */
import type { FamilyId } from './families.ts';

/** USB vendor ids of chip makers. Bridges, such as CP210x and CH340, say nothing about the chip. */
const makers: Readonly<Record<number, FamilyId>> = {
  // Espressif
  12346: 'esp',
  // STMicroelectronics: virtual COM ports of ST-Link and of programs
  1155: 'stm',
  // Nordic Semiconductor
  6421: 'nrf',
  // Raspberry Pi: boot ROMs, and programs of the SDK, Arduino-Pico and MicroPython
  11914: 'rp',
};

/** USB vendor ids of makers whose boards have chips of several families: Arduino, Arduino.org, SparkFun. */
const boardMakers: readonly number[] = [0x2341, 0x2a03, 0x1b4f];
/**
 * Their products with an AVR: Uno, Mega 2560, Leonardo, Micro, Esplora, Yún and Pro Micro, the last ones in bootloader
 * and sketch (Arduino AVR core and SparkFun, `boards.txt`).
 */
const avrProducts: ReadonlySet<number> = new Set([
  ...[0x0001, 0x0043, 0x0243, 0x006a],
  ...[0x0010, 0x0042, 0x0210, 0x0242, 0x003f, 0x0044],
  ...[0x0036, 0x8036, 0x0040, 0x8040, 0x0037, 0x8037, 0x0237, 0x8237],
  ...[0x003c, 0x803c, 0x0041, 0x8041],
  ...[0x9203, 0x9204, 0x9205, 0x9206],
]);

/** Text that only the boot loaders, SDKs and programs of a family print. Sorted by certainty. */
const prints: readonly (readonly [FamilyId, RegExp])[] = [
  ['esp', /^ESP-ROM:|^ets [A-Z][a-z]{2} +\d|\brst:0x[\da-f]+ \(|\bboot: ESP-IDF\b|\bcpu_start:|\bESP(?:32|8266)\b/im],
  ['stm', /\bSTM32[A-Z]/i],
  ['nrf', /\bnRF(?:5[1-4]|91)\d|\bnRF Connect SDK\b/i],
  ['rp', /\bRP2(?:040|350)\b/],
];

/**
 * @param info USB ids of the port; null if unknown.
 * @param text Lines that the board has printed.
 * @returns Null if nothing points to a family.
 */
export function guessFamily(info: SerialPortInfo | null, text: string): FamilyId | null {
  const { usbVendorId, usbProductId = 0 } = info ?? {};
  if (usbVendorId !== undefined && boardMakers.includes(usbVendorId) && avrProducts.has(usbProductId)) {
    return 'avr';
  }
  const byMaker = usbVendorId === undefined ? undefined : makers[usbVendorId];
  return byMaker ?? prints.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
