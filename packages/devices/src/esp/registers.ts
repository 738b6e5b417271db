/** A chip's memory after a start: fuses, straps, the UART's divider, the flash controller and the watchdogs. */

import { FuseWords, type SpiLayout } from './chips/chip.ts';
import type { EspIdentity } from './identity.ts';
import { Memory } from './memory.ts';
import { attachWatchdogs, type Watchdog, type WatchdogSurroundings } from './watchdogs.ts';

/** Address of a ROM word that identifies the chip, on all chips ("Serial Protocol", section "Chip Detection"). */
const magicAddress = 0x40001000;
/** ESP32-C5: the crystal that the ROM assumes, in MHz, from bit 24 on (esptool `esp32c5.py`, PCR_SYSCLK_CONF_REG). */
const systemClock = 0x60096110;
/** RTC_CNTL_SW_SYS_RST (Technical Reference Manuals, RTC_CNTL_OPTIONS0_REG). */
const systemResetBit = 2 ** 31;
/** UART clock in MHz after the stub has raised it; before, the crystal's. */
const boostedClock = 80;

export interface Surroundings extends WatchdogSurroundings {
  /** True if the flash's pins are connected. */
  attached(): boolean;
  /** Returns the UART's rate in baud. */
  rate(): number;
  /** True if a stub has raised the UART's clock. */
  boosted(): boolean;
  /** Resets the chip at once, on behalf of a register write. */
  reset(): void;
}

/**
 * The registers of the flash's SPI controller that flashers use: a user-defined command, with the flash's answer in
 * the data registers. Source: ESP32 Technical Reference Manual, chapter "SPI Controller" (SPI_CMD_REG, SPI_USER_REG,
 * SPI_USER2_REG).
 */

/** SPI_CMD_REG: start the command that SPI_USER_REG describes. */
const startUserCommand = 1 << 18;
/** SPI_USER_REG: the command reads. */
const userReads = 1 << 28;
/** JEDEC command "read identification". */
const readId = 0x9f;
/** Read status registers 1, 2 and 3. The answer 0 means ready and unprotected. */
const readStatus = [0x05, 0x35, 0x15];

interface FlashIdentity {
  /** Manufacturer and kind: the two lower bytes of RDID's answer. */
  readonly kind: number;
  /** Size in bytes, a power of two. */
  readonly size: number;
}

/** Returns RDID's answer: the manufacturer in the lowest byte, the capacity as a power of two in the third byte. */
function flashId({ kind, size }: FlashIdentity): number {
  const power = Math.round(Math.log2(size));
  // From 64 MiB on the numbers continue at 0x20 (esptool, `DETECTED_FLASH_SIZES`).
  const capacity = power < 0x1a ? power : power - 0x1a + 0x20;
  return (capacity << 16) | kind;
}

/**
 * Maps the controller's registers.
 * @param attached Returns true if the pins are connected to the flash. Otherwise all bits read as 1.
 */
function attachSpiController(
  memory: Memory,
  layout: SpiLayout,
  identity: FlashIdentity,
  attached: () => boolean,
): void {
  const { base, user, user1, user2, readLength, data } = layout;
  memory.attach(base, {
    write: (value) => {
      if ((value & startUserCommand) === 0) {
        return;
      }
      const command = (memory.read(base + user2) ?? 0) & 0xff;
      const reads = ((memory.read(base + user) ?? 0) & userReads) !== 0;
      // ESP8266: 9 bits from bit 8 of SPI_USER1_REG on.
      const length =
        readLength === null ? ((memory.read(base + user1) ?? 0) >> 8) & 0x1ff : memory.read(base + readLength);
      const bits = (length ?? 0) + 1;
      memory.set(base, 0);
      if (reads) {
        const mask = bits >= 32 ? 0xffffffff : 2 ** bits - 1;
        memory.set(base + data, (answerTo(command, identity, attached()) & mask) >>> 0);
      }
    },
  });
}

function answerTo(command: number, identity: FlashIdentity, attached: boolean): number {
  if (!attached) {
    return 0xffffffff;
  }
  if (command === readId) {
    return flashId(identity);
  }
  return readStatus.includes(command) ? 0 : 0xffffffff;
}

export function buildMemory(
  { calibration, chip, crystal, connection, flash, mac, revision, security }: EspIdentity,
  strap: 'flash' | 'download',
  crystalFuse: 'measured' | 'blank',
  surroundings: Surroundings,
): { readonly memory: Memory; readonly watchdogs: readonly Watchdog[] } {
  const fuses = new FuseWords(chip.fuses({ mac, revision, security, crystalFuse }));
  for (const { address, fields } of calibration === 'none' ? [] : (chip.calibration ?? [])) {
    fuses.addFields(address, fields);
  }
  const fixed = fuses.words;
  fixed.set(magicAddress, chip.magic(revision));
  fixed.set(chip.straps.address, chip.straps[strap]);
  if (chip.portVariable !== null) {
    const [address, usbValue] = chip.portVariable;
    fixed.set(address, connection === 'usb-jtag' ? usbValue : 0);
  }
  if (chip.name === 'esp32c5') {
    fixed.set(systemClock, crystal << 24);
  }
  const memory = new Memory(chip, fixed);
  attachSpiController(memory, chip.spi, flash, () => surroundings.attached());
  memory.attach(chip.uartDivider, { read: () => divider() });
  if (chip.systemReset !== undefined) {
    memory.attach(chip.systemReset, {
      write: (value) => {
        if (value >= systemResetBit) {
          surroundings.reset();
        }
      },
    });
  }
  return { memory, watchdogs: attachWatchdogs(memory, chip, surroundings) };

  /** Returns clock divided by rate: 20 bits of the whole number, then sixteenths from bit 20 on. */
  function divider(): number {
    const boosted = chip.generation === 'esp32' && surroundings.boosted();
    const megahertz = chip.generation === 'esp8266' ? crystal * 2 : boosted ? boostedClock : crystal;
    const sixteenths = Math.floor((megahertz * 16_000_000) / surroundings.rate());
    return ((sixteenths & 15) << 20) | (sixteenths >> 4);
  }
}
