/** Guesses the family of a board's chip from its USB ids and from what it has printed, for the flasher to open. */
import type { FlasherFamily } from '@wirebench/contract/constants';

/** USB vendor ids of chip makers. Bridges, such as CP210x and CH340, say nothing about the chip. */
const makers: Readonly<Record<number, FlasherFamily>> = {
  // Espressif
  12346: 'esp',
  // STMicroelectronics: virtual COM ports of ST-Link and of programs
  1155: 'stm',
  // Nordic Semiconductor
  6421: 'nrf',
};

/** Text that only the boot loaders, SDKs and programs of a family print. Sorted by certainty. */
const prints: readonly (readonly [FlasherFamily, RegExp])[] = [
  ['esp', /^ESP-ROM:|^ets [A-Z][a-z]{2} +\d|\brst:0x[\da-f]+ \(|\bboot: ESP-IDF\b|\bcpu_start:|\bESP(?:32|8266)\b/im],
  ['stm', /\bSTM32[A-Z]/i],
  ['nrf', /\bnRF(?:5[1-4]|91)\d|\bnRF Connect SDK\b/i],
];

/**
 * @param info USB ids of the port; null if unknown.
 * @param text Lines that the board has printed.
 * @returns Null if nothing points to a family.
 */
export function guessFamily(info: SerialPortInfo | null, text: string): FlasherFamily | null {
  const byMaker = info?.usbVendorId === undefined ? undefined : makers[info.usbVendorId];
  return byMaker ?? prints.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
