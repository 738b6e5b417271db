/** ESP32-P4 (esptool, `targets/esp32p4.py`). Its two generations have different memory, so each has its own stub. */
import { bits, type Chip, macText, type ReadRegister, type Registers, spiMemRegisters } from './chip.ts';
import { stubOf } from './stub-file.ts';
import { lpWatchdogs, resetByWatchdog, withoutWatchdogs } from './watchdogs.ts';

const BLOCK1 = 0x5012_d044;
const LP_WATCHDOG = 0x5011_6000;
const REPEAT_DATA1 = 0x5012_d034;
const PAD_GROUP_POWER = 0x5011_010c;
const FLASH_LDO = 0x5011_51b8;
const FLASH_LDO_ANALOG = 0x5011_51bc;
const PMU_DATE = 0x5011_53fc;
const FLASH_FORCE_ON = 0x3;
const CURRENT_LIMIT = 1 << 27;
const TARGET = 0xff << 23;
const TIE_HIGH = 1 << 7;
/** Settling times of the flash pads and of the flash supply, in milliseconds (esptool, `power_on_flash`). */
const PADS_SETTLE = 10;
const SUPPLY_SETTLE = 2;

async function identify(read: ReadRegister) {
  const word0 = await read(BLOCK1);
  const word1 = await read(BLOCK1 + 4);
  const word2 = await read(BLOCK1 + 8);
  return {
    model: 'ESP32-P4',
    revision: { major: (bits(word2, 23, 1) << 2) | bits(word2, 4, 2), minor: bits(word2, 0, 4) },
    mac: macText(word1, word0),
    features: ['dual core', '400 MHz'],
  };
}

/**
 * Turns on the flash supply, which is off when revisions 3.1 and 3.2 enter the bootloader (esptool,
 * `power_on_flash`).
 */
async function powerFlash({ read, write, pause }: Registers, minor: number): Promise<void> {
  if (minor === 2 && bits(await read(REPEAT_DATA1), 16, 1) === 1) {
    if (bits(await read(PMU_DATE), 0, 2) === FLASH_FORCE_ON) {
      await write(PMU_DATE, 0, FLASH_FORCE_ON);
    }
    return;
  }
  await write(PAD_GROUP_POWER, 1);
  await pause(PADS_SETTLE);
  await write(FLASH_LDO_ANALOG, CURRENT_LIMIT, CURRENT_LIMIT);
  await write(FLASH_LDO, TIE_HIGH, TIE_HIGH);
  // The required 50 µs pass while the next request is sent.
  await write(PMU_DATE, FLASH_FORCE_ON, FLASH_FORCE_ON);
  await write(FLASH_LDO_ANALOG, 0, CURRENT_LIMIT);
  await write(FLASH_LDO, 0, TARGET);
  await write(FLASH_LDO, 0x80, 0x80);
  await write(FLASH_LDO, 0, TIE_HIGH);
  await pause(SUPPLY_SETTLE);
}

const watchdogs = lpWatchdogs(LP_WATCHDOG);
const stopWatchdogs = withoutWatchdogs(watchdogs);

export const esp32p4: Chip = {
  name: 'esp32p4',
  spi: spiMemRegisters(0x5008_d000),
  extendedBegin: true,
  richRom: true,
  crystal: { kind: 'fixed', megahertz: 40 },
  identify,
  async prepare(registers, link, revision) {
    await stopWatchdogs(registers, link, revision);
    if (revision?.major === 3 && (revision.minor === 1 || revision.minor === 2)) {
      await powerFlash(registers, revision.minor);
    }
  },
  /** The control lines of its USB OTG port do not restart the chip. */
  async leave(registers, link) {
    const isOtg = link === 'usb-otg';
    if (isOtg) {
      await resetByWatchdog(registers, watchdogs);
    }
    return isOtg;
  },
  loadStub: async (revision) =>
    stubOf(
      revision !== null && revision.major < 3
        ? await import('esptool-js/lib/targets/stub_flasher/esp32p4-rev1.json', { with: { type: 'json' } })
        : await import('esptool-js/lib/targets/stub_flasher/esp32p4.json', { with: { type: 'json' } }),
    ),
  stubResetsBaudRate: true,
};
