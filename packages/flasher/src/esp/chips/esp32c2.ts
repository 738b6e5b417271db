/** ESP32-C2, also sold as ESP8684 (esptool, `targets/esp32c2.py`). It has no USB port of its own. */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';

const BLOCK2 = 0x6000_8840;

const flashText: Readonly<Record<number, string>> = {
  1: 'embedded flash 4 MB',
  2: 'embedded flash 2 MB',
  3: 'embedded flash 1 MB',
};

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK2);
  const word1 = await read(BLOCK2 + 4);
  const flash = bits(await read(BLOCK2 + 28), 29, 3);
  return {
    model: bits(word1, 22, 3) === 1 ? 'ESP8684H' : 'ESP32-C2',
    revision: { major: bits(word1, 20, 2), minor: bits(word1, 16, 4) },
    mac: macText(word1, word0),
    features: [
      'Wi-Fi',
      'Bluetooth 5 (LE)',
      'single core',
      '120 MHz',
      ...(flash === 0 ? [] : [flashText[flash] ?? 'embedded flash']),
    ],
  };
}

export const esp32c2: Chip = {
  name: 'esp32c2',
  spi: spiMemRegisters(0x6000_2000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'divider', register: 0x6000_0014, factor: 1, usual: [26, 40] },
  identify,
  // The ROM assumes a crystal of 40 MHz.
  romBaudRate: async (rate, crystal) => (crystal === 26 ? Math.floor((rate * 40) / 26) : rate),
  // The stub does not run on the first revision.
  loadStub: async (revision) =>
    revision?.major === 0 && revision.minor === 0
      ? null
      : stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32c2.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
  fixedRateInSecureDownload: true,
};
