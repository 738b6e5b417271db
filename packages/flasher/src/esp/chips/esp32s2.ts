/** ESP32-S2 (esptool, `targets/esp32s2.py`). Its own USB port is USB OTG; it has no USB Serial/JTAG. */
import { bits, type Chip, macText, oddBits, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { leaveUsbOtg, rtcWatchdogs } from './watchdogs.ts';

const EFUSE = 0x3f41_a000;
const BLOCK1 = EFUSE + 0x44;
const RTC = 0x3f40_8000;

const otg = { straps: 0x3f40_4038, option1: RTC + 0x128, watchdogs: rtcWatchdogs(RTC + 0x94) };

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  const word4 = await read(BLOCK1 + 16);
  const flash = bits(word3, 21, 4);
  const psram = bits(word3, 28, 4);
  const models: Readonly<Record<string, string>> = {
    '0/0': 'ESP32-S2',
    '1/0': 'ESP32-S2FH2',
    '2/0': 'ESP32-S2FH4',
    '2/1': 'ESP32-S2FNR2',
    '0/1': 'ESP32-S2R2',
  };
  return {
    model: models[`${flash}/${psram}`] ?? 'ESP32-S2',
    revision: { major: bits(word3, 18, 2), minor: (bits(word3, 20, 1) << 3) | bits(word4, 4, 3) },
    mac: macText(word1, word0),
    features: [
      'Wi-Fi',
      'single core',
      '240 MHz',
      ...(flash === 0 ? [] : [flash > 2 ? 'embedded flash' : `embedded flash ${flash * 2} MB`]),
      ...(psram === 0 ? [] : [psram > 2 ? 'embedded PSRAM' : `embedded PSRAM ${psram * 2} MB`]),
    ],
  };
}

/** Reads the security state of early ROMs, which do not know GET_SECURITY_INFO. */
async function security(read: ReadRegister) {
  return {
    secureBoot: bits(await read(EFUSE + 0x38), 20, 1) === 1,
    flashEncryption: oddBits(bits(await read(EFUSE + 0x34), 18, 3)),
  };
}

export const esp32s2: Chip = {
  name: 'esp32s2',
  spi: spiMemRegisters(0x3f40_2000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  security,
  leave: (registers, link) => leaveUsbOtg(registers, link, otg),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32s2.json', { with: { type: 'json' } })),
  stubResetsBaudRate: true,
};
