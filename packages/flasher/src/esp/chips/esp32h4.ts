/** ESP32-H4 (esptool, `targets/esp32h4.py`; revision as in esptool-js 0.7.0). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_1844;
const LP_WATCHDOG = 0x600b_5400;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  return {
    model: 'ESP32-H4',
    revision: { major: bits(word3, 22, 2), minor: bits(word3, 18, 4) },
    mac: macText(word1, word0),
    features: ['Bluetooth 5 (LE)', 'IEEE 802.15.4', 'dual core', '96 MHz'],
  };
}

export const esp32h4: Chip = {
  name: 'esp32h4',
  spi: spiMemRegisters(0x6009_9000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 32 },
  identify,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32h4.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
