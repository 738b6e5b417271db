/** ESP32-C5 (esptool, `targets/esp32c5.py`). Its crystal has 40 or 48 MHz. */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x600b_4844;
const LP_WATCHDOG = 0x600b_1c00;
/** `PCR_SYSCLK_CONF_REG`: bits 24 to 30 are the crystal frequency that the ROM assumes, in MHz. */
const SYSTEM_CLOCK = 0x6009_6110;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word2 = await read(BLOCK1 + 8);
  return {
    model: 'ESP32-C5',
    revision: { major: bits(word2, 4, 2), minor: bits(word2, 0, 4) },
    mac: macText(word1, word0),
    features: ['Wi-Fi 6 (dual band)', 'Bluetooth 5 (LE)', 'IEEE 802.15.4', 'single core', '240 MHz'],
  };
}

async function romBaudRate(rate: number, crystal: number | null, read: ReadRegister): Promise<number> {
  const expected = bits(await read(SYSTEM_CLOCK), 24, 7);
  const differs = (crystal === 40 && expected === 48) || (crystal === 48 && expected === 40);
  return differs && crystal !== null ? Math.floor((rate * expected) / crystal) : rate;
}

export const esp32c5: Chip = {
  name: 'esp32c5',
  spi: spiMemRegisters(0x6000_3000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'divider', register: 0x6000_0014, factor: 1, usual: [40, 48] },
  identify,
  romBaudRate,
  prepare: withoutWatchdogs(lpWatchdogs(LP_WATCHDOG)),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32c5.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
  fixedRateInSecureDownload: true,
};
