/** ESP32-C6 (esptool, `targets/esp32c6.py`). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_0844;
const LP_WATCHDOG = 0x600b_1c00;

const flashText: Readonly<Record<number, string>> = { 1: 'embedded flash 4 MB', 2: 'embedded flash 8 MB' };

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  const flash = bits(await read(BLOCK1 + 16), 0, 3);
  const small = bits(word3, 24, 3) === 1;
  return {
    model: small && flash === 1 ? 'ESP32-C6FH4' : small && flash === 2 ? 'ESP32-C6FH8' : 'ESP32-C6',
    revision: { major: bits(word3, 22, 2), minor: bits(word3, 18, 4) },
    mac: macText(word1, word0),
    features: [
      'Wi-Fi 6',
      'Bluetooth 5 (LE)',
      'IEEE 802.15.4',
      'single core',
      '160 MHz',
      ...(flash === 0 ? [] : [flashText[flash] ?? 'embedded flash']),
    ],
  };
}

export const esp32c6: Chip = {
  name: 'esp32c6',
  spi: spiMemRegisters(0x6000_3000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32c6.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
