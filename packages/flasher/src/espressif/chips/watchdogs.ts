/**
 * Watchdogs that the ROM leaves running when a chip was sent to its bootloader over its own USB port: they would reset it in
 * the middle of a write (esptool, `disable_watchdogs` of each chip). And the reset by a watchdog, for chips on USB OTG that their
 * lines cannot restart (esptool 5.4, `hard_reset` and `watchdog_reset` of S2, S3 and P4). Only hardware could tell whether more is
 * needed: nothing here has been tried on any.
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

/** `RTC_CNTL_WDT_WKEY`, the same on all chips. */
const KEY = 0x50d8_3aa1;
/** Enabled; its first stage resets the whole chip; pulses of usual length. */
const RESET_NOW = 0xd000_0102;
/** Ticks of the slow clock, some 15 milliseconds: the answer to the last request still gets out. */
const RESET_DELAY = 2_000;
/** `GPIO_STRAP_REG`, bit 3: IO0 was high at the last reset. */
const STRAP_HIGH = 1 << 3;

/** Of the chips with RTC_CNTL. @param config `RTC_CNTL_WDTCONFIG0_REG` */
export function rtcWatchdogs(config: number): WatchdogRegisters {
  return { ...registersFrom(config, 0x18), superKey: 0x8f1d_312a, autoFeed: 0x8000_0000 };
}

/**
 * Of the chips with LP_WDT.
 * @param config `LP_WDT_CONFIG0_REG`
 * @param protect bytes from there to `LP_WDT_WPROTECT_REG`
 */
export function lpWatchdogs(config: number, protect = 0x18): WatchdogRegisters {
  return { ...registersFrom(config, protect), superKey: KEY, autoFeed: 0x4_0000 };
}

/** The registers of the super watchdog follow the first one's protection, on all chips. */
function registersFrom(config: number, protect: number) {
  return {
    config,
    protect: config + protect,
    superConfig: config + protect + 4,
    superProtect: config + protect + 8,
  };
}

/** What a chip has to be prepared with that needs nothing else. */
export function withoutWatchdogs(watchdogs: WatchdogRegisters): NonNullable<Chip['prepare']> {
  return async (registers, link) => {
    if (link === 'usb-serial-jtag') {
      await stopWatchdogs(registers, watchdogs);
    }
  };
}

/** Starts the chip anew in a few milliseconds, without any line. */
export async function resetByWatchdog({ write }: Registers, watchdogs: WatchdogRegisters): Promise<void> {
  await write(watchdogs.protect, KEY);
  await write(watchdogs.config + 4, RESET_DELAY);
  await write(watchdogs.config, RESET_NOW);
  await write(watchdogs.protect, 0);
}

interface OtgRegisters {
  /** `GPIO_STRAP_REG` */
  readonly straps: number;
  /** `RTC_CNTL_OPTION1_REG`; its lowest bit asks for the bootloader whatever IO0 says. */
  readonly option1: number;
  readonly watchdogs: WatchdogRegisters;
}

/**
 * S2 and S3: the lines of the USB OTG port ask the ROM to restart, and the ROM looks at the old straps: where a person held BOOT it
 * would stay in its bootloader.
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
