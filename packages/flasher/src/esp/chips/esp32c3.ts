/** ESP32-C3, also sold as ESP8685 and ESP8686 (esptool, `targets/esp32c3.py`). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { rtcWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x6000_8844;
const RTC = 0x6000_8000;

const models: Readonly<Record<number, string>> = { 1: 'ESP8685', 2: 'ESP32-C3 AZ', 3: 'ESP8686' };
const flashText: Readonly<Record<number, string>> = {
  1: 'embedded flash 4 MB',
  2: 'embedded flash 2 MB',
  3: 'embedded flash 1 MB',
  4: 'embedded flash 8 MB',
};

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  const word5 = await read(BLOCK1 + 20);
  const flash = bits(word3, 27, 3);
  return {
    model: models[bits(word3, 21, 3)] ?? 'ESP32-C3',
    revision: { major: bits(word5, 24, 2), minor: (bits(word5, 23, 1) << 3) | bits(word3, 18, 3) },
    mac: macText(word1, word0),
    features: [
      'Wi-Fi',
      'Bluetooth 5 (LE)',
      'single core',
      '160 MHz',
      ...(flash === 0 ? [] : [flashText[flash] ?? 'embedded flash']),
    ],
  };
}

export const esp32c3: Chip = {
  name: 'esp32c3',
  spi: spiMemRegisters(0x6000_2000),
  extendedBegin: true,
  richRom: true,
  romInflatesExactly: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  prepare: withoutWatchdogs(rtcWatchdogs(RTC + 0x90)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32c3.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
