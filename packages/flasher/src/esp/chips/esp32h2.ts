/** ESP32-H2 (esptool, `targets/esp32h2.py`). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_0844;
const LP_WATCHDOG = 0x600b_1c00;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  return {
    model: 'ESP32-H2',
    revision: { major: bits(word3, 21, 2), minor: bits(word3, 18, 3) },
    mac: macText(word1, word0),
    features: ['Bluetooth 5 (LE)', 'IEEE 802.15.4', 'single core', '96 MHz'],
  };
}

export const esp32h2: Chip = {
  name: 'esp32h2',
  spi: spiMemRegisters(0x6000_3000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 32 },
  identify,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG, 0x1c)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32h2.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
