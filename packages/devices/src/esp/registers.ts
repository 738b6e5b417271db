/** A chip's memory after a start: fuses, straps, the UART's divider, the flash controller and the watchdogs. */

import { FuseWords } from './chips/chip.ts';
import type { EspIdentity } from './identity.ts';
import { Memory } from './memory.ts';
import { attachSpiController } from './spi-controller.ts';
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
