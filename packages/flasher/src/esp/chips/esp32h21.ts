/** ESP32-H21 (esptool, `targets/esp32h21.py`; features from esptool-js 0.7.0). */
import { type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_4044;
const LP_WATCHDOG = 0x600b_1c00;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  return {
    model: 'ESP32-H21',
    // Unknown: ESP-IDF (`esp_efuse_table.csv`) has it in word 3, esptool-js in word 5, and esptool does not read it.
    revision: null,
    mac: macText(word1, word0),
    features: ['Bluetooth 5 (LE)', 'IEEE 802.15.4', 'single core', '96 MHz'],
  };
}

export const esp32h21: Chip = {
  name: 'esp32h21',
  spi: spiMemRegisters(0x6000_3000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 32 },
  identify,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG, 0x1c)),
  // esptool-js 0.7.0 has no stub for this chip.
  loadStub: async () => null,
  stubResetsBaudRate: false,
};
