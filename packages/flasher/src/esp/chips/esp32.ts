/** ESP32 (esptool, `targets/esp32.py`; eFuse words: ESP32 Technical Reference Manual, chapter "eFuse Controller"). */
import { bits, type Chip, macText, oddBits, type ReadRegister } from './chip.ts';
import { stubOf } from './stub-file.ts';

const EFUSE = 0x3ff5_a000;
const SPI = 0x3ff4_2000;
/** `APB_CTRL_DATE_REG`: bit 31 is the third bit of the revision. */
const APB_DATE = 0x3ff6_607c;
/** Calibration of the slow clock against the crystal, from which the ROM estimates the crystal frequency. */
const CALIBRATION = 0x3ff5_f06c;

const efuse = (read: ReadRegister, word: number) => read(EFUSE + word * 4);

/** Decodes the major revision from three bits that are set one after the other, as a thermometer code. */
function majorOf(word3: number, word5: number, date: number): number {
  const combined = (bits(date, 31, 1) << 2) | (bits(word5, 20, 1) << 1) | bits(word3, 15, 1);
  return { 0: 0, 1: 1, 3: 2, 7: 3 }[combined] ?? 0;
}

function modelOf(chipPackage: number, major: number, singleCore: boolean): string {
  const v3 = major === 3;
  switch (chipPackage) {
    case 0:
      return singleCore ? 'ESP32-S0WDQ6' : v3 ? 'ESP32-D0WDQ6-V3' : 'ESP32-D0WDQ6';
    case 1:
      return singleCore ? 'ESP32-S0WD' : v3 ? 'ESP32-D0WD-V3' : 'ESP32-D0WD';
    case 2:
      return 'ESP32-D2WD';
    case 4:
      return 'ESP32-U4WDH';
    case 5:
      return v3 ? 'ESP32-PICO-V3' : 'ESP32-PICO-D4';
    case 6:
      return 'ESP32-PICO-V3-02';
    case 7:
      return 'ESP32-D0WDR2-V3';
    default:
      return 'ESP32';
  }
}

async function identify(read: ReadRegister) {
  const word1 = await efuse(read, 1);
  const word2 = await efuse(read, 2);
  const word3 = await efuse(read, 3);
  const word5 = await efuse(read, 5);
  const major = majorOf(word3, word5, await read(APB_DATE));
  const chipPackage = bits(word3, 9, 3) | (bits(word3, 2, 1) << 3);
  const singleCore = bits(word3, 0, 1) === 1;
  const rated = bits(word3, 13, 1) === 1;
  const slow = bits(word3, 12, 1) === 1;
  return {
    model: modelOf(chipPackage, major, singleCore),
    revision: { major, minor: bits(word5, 24, 2) },
    mac: macText(word2, word1),
    features: [
      'Wi-Fi',
      ...(bits(word3, 1, 1) === 0 ? ['Bluetooth'] : []),
      singleCore ? 'single core' : 'dual core',
      ...(rated ? [slow ? '160 MHz' : '240 MHz'] : []),
      ...([2, 4, 5, 6].includes(chipPackage) ? ['embedded flash'] : []),
      ...([6, 7].includes(chipPackage) ? ['embedded PSRAM'] : []),
    ],
  };
}

async function security(read: ReadRegister) {
  const word0 = await efuse(read, 0);
  const word3 = await efuse(read, 3);
  const word5 = await efuse(read, 5);
  const word6 = await efuse(read, 6);
  const v2 = majorOf(word3, word5, await read(APB_DATE)) >= 3 && bits(word6, 5, 1) === 1;
  return {
    secureBoot: bits(word6, 4, 1) === 1 || v2,
    flashEncryption: oddBits(bits(word0, 20, 7)),
  };
}

/**
 * Compensates the ROM's estimate of the crystal, which it measures with its 8 MHz oscillator. A request that is wrong
 * in the same proportion sets the right rate. With a blank eFuse there is no measurement.
 */
async function romBaudRate(rate: number, _crystal: number | null, read: ReadRegister): Promise<number> {
  const calibration = bits(await read(CALIBRATION), 7, 25);
  const oscillator = bits(await efuse(read, 4), 0, 8);
  const measured = (calibration * 15_625 * oscillator) / 40;
  if (measured === 0) {
    return rate;
  }
  return Math.floor((rate * measured) / (measured > 33_000_000 ? 40_000_000 : 26_000_000));
}

export const esp32: Chip = {
  name: 'esp32',
  spi: {
    command: SPI,
    user: SPI + 0x1c,
    user1: SPI + 0x20,
    user2: SPI + 0x24,
    misoLength: SPI + 0x2c,
    data0: SPI + 0x80,
  },
  extendedBegin: false,
  richRom: true,
  crystal: { kind: 'divider', register: 0x3ff4_0014, factor: 1, usual: [26, 40] },
  identify,
  security,
  romBaudRate,
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32.json', { with: { type: 'json' } })),
  stubResetsBaudRate: true,
};
