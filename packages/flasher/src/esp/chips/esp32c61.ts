/** ESP32-C61 (esptool, `targets/esp32c61.py`). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_4844;
const LP_WATCHDOG = 0x600b_1c00;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word2 = await read(BLOCK1 + 8);
  return {
    model: 'ESP32-C61',
    revision: { major: bits(word2, 4, 2), minor: bits(word2, 0, 4) },
    mac: macText(word1, word0),
    features: ['Wi-Fi 6', 'Bluetooth 5 (LE)', 'single core', '160 MHz'],
  };
}

export const esp32c61: Chip = {
  name: 'esp32c61',
  spi: spiMemRegisters(0x6000_3000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32c61.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
