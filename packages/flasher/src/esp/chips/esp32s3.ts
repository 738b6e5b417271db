/** ESP32-S3 (esptool, `targets/esp32s3.py`). */
import { bits, type Chip, macText, type ReadRegister, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { leaveUsbOtg, rtcWatchdogs, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x6000_7044;
const BLOCK2 = 0x6000_705c;
const RTC = 0x6000_8000;
const watchdogs = rtcWatchdogs(RTC + 0x98);
const otg = { straps: 0x6000_4038, option1: RTC + 0x12c, watchdogs };

const flashText: Readonly<Record<number, string>> = { 1: 'embedded flash 8 MB', 2: 'embedded flash 4 MB' };
const psramText: Readonly<Record<number, string>> = {
  1: 'embedded PSRAM 8 MB',
  2: 'embedded PSRAM 2 MB',
  3: 'embedded PSRAM 16 MB',
  4: 'embedded PSRAM 4 MB',
};

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word3 = await read(BLOCK1 + 12);
  const word4 = await read(BLOCK1 + 16);
  const word5 = await read(BLOCK1 + 20);
  const minor = (bits(word5, 23, 1) << 3) | bits(word3, 18, 3);
  // The first chips (block version 1.1) have other data in the revision's bits.
  const blockMajor = bits(await read(BLOCK2 + 16), 0, 2);
  const first = (minor & 7) === 0 && blockMajor === 1 && bits(word3, 24, 3) === 1;
  const flash = bits(word3, 27, 3);
  const psram = (bits(word5, 19, 1) << 2) | bits(word4, 3, 2);
  return {
    model: bits(word3, 21, 3) === 1 ? 'ESP32-S3-PICO-1' : 'ESP32-S3',
    revision: first ? { major: 0, minor: 0 } : { major: bits(word5, 24, 2), minor },
    mac: macText(word1, word0),
    features: [
      'Wi-Fi',
      'Bluetooth 5 (LE)',
      'dual core',
      '240 MHz',
      ...(flash === 0 ? [] : [flashText[flash] ?? 'embedded flash']),
      ...(psram === 0 ? [] : [psramText[psram] ?? 'embedded PSRAM']),
    ],
  };
}

export const esp32s3: Chip = {
  name: 'esp32s3',
  spi: spiMemRegisters(0x6000_2000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  prepare: withoutWatchdogs(watchdogs),
  async leave(registers, link) {
    // Bit 0 forces the bootloader at the next reset, whatever the level of IO0. The ROM leaves it set.
    await registers.write(otg.option1, 0, 1);
    return leaveUsbOtg(registers, link, otg);
  },
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp32s3.json', { with: { type: 'json' } })),
  stubResetsBaudRate: false,
};
