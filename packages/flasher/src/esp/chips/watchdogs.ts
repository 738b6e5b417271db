/**
 * Stops the watchdogs that the ROM leaves running after a chip entered its bootloader over its own USB port. They
 * would reset it during a write (esptool, `disable_watchdogs` of each chip). Also resets a chip on USB OTG that its
 * lines cannot restart (esptool 5.4, `hard_reset` and `watchdog_reset` of S2, S3 and P4). None of this has been
 * tested on hardware.
 */
import type { EspLink } from '../esp-info.ts';
import type { Chip, Registers } from './chip.ts';

interface WatchdogRegisters {
  readonly config: number;
  readonly protect: number;
  readonly superConfig: number;
  readonly superProtect: number;
  readonly superKey: number;
  /** Bit of `superConfig` that makes the super watchdog feed itself. */
  readonly autoFeed: number;
}

/** Unlock key (`RTC_CNTL_WDT_WKEY`), the same on all chips. */
const KEY = 0x50d8_3aa1;
/** Watchdog enabled; its first stage resets the whole chip; reset pulses of default length. */
const RESET_NOW = 0xd000_0102;
/** Ticks of the slow clock, about 15 milliseconds, so that the answer to the last request is still sent. */
const RESET_DELAY = 2_000;
/** `GPIO_STRAP_REG`, bit 3: IO0 was high at the last reset. */
const STRAP_HIGH = 1 << 3;

/**
 * Returns the registers of chips with RTC_CNTL.
 *
 * @param config `RTC_CNTL_WDTCONFIG0_REG`
 */
export function rtcWatchdogs(config: number): WatchdogRegisters {
  return { ...registersFrom(config, 0x18), superKey: 0x8f1d_312a, autoFeed: 0x8000_0000 };
}

/**
 * Returns the registers of chips with LP_WDT.
 *
 * @param config `LP_WDT_CONFIG0_REG`
 * @param protect Bytes from there to `LP_WDT_WPROTECT_REG`.
 */
export function lpWatchdogs(config: number, protect = 0x18): WatchdogRegisters {
  return { ...registersFrom(config, protect), superKey: KEY, autoFeed: 0x4_0000 };
}

/** Returns the register addresses. On all chips the registers of the super watchdog follow `protect`. */
function registersFrom(config: number, protect: number) {
  return {
    config,
    protect: config + protect,
    superConfig: config + protect + 4,
    superProtect: config + protect + 8,
  };
}

/** Returns the `prepare` of chips that only need their watchdogs stopped. */
export function withoutWatchdogs(watchdogs: WatchdogRegisters): NonNullable<Chip['prepare']> {
  return async (registers, link) => {
    if (link === 'usb-serial-jtag') {
      await stopWatchdogs(registers, watchdogs);
    }
  };
}

/** Resets the chip in a few milliseconds, without a control line. */
export async function resetByWatchdog({ write }: Registers, watchdogs: WatchdogRegisters): Promise<void> {
  await write(watchdogs.protect, KEY);
  await write(watchdogs.config + 4, RESET_DELAY);
  await write(watchdogs.config, RESET_NOW);
  await write(watchdogs.protect, 0);
}

interface OtgRegisters {
  /** `GPIO_STRAP_REG`. */
  readonly straps: number;
  /** `RTC_CNTL_OPTION1_REG`. Bit 0 forces the bootloader, whatever the level of IO0. */
  readonly option1: number;
  readonly watchdogs: WatchdogRegisters;
}

/**
 * Resets an S2 or S3 on USB OTG by its watchdog if needed. The lines of the port make the ROM restart with the old
 * straps. If a person held BOOT, the chip would stay in its bootloader.
 *
 * @returns True if the chip now resets itself.
 */
export async function leaveUsbOtg(
  registers: Registers,
  link: EspLink,
  { straps, option1, watchdogs }: OtgRegisters,
): Promise<boolean> {
  if (link !== 'usb-otg') {
    return false;
  }
  const isStrapped = ((await registers.read(straps)) & STRAP_HIGH) === 0;
  const isForced = ((await registers.read(option1)) & 1) !== 0;
  const isStuck = isStrapped && !isForced;
  if (isStuck) {
    await resetByWatchdog(registers, watchdogs);
  }
  return isStuck;
}

async function stopWatchdogs({ write }: Registers, watchdogs: WatchdogRegisters): Promise<void> {
  await write(watchdogs.protect, KEY);
  await write(watchdogs.config, 0);
  await write(watchdogs.protect, 0);
  await write(watchdogs.superProtect, watchdogs.superKey);
  await write(watchdogs.superConfig, watchdogs.autoFeed, watchdogs.autoFeed);
  await write(watchdogs.superProtect, 0);
}
