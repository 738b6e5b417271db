/**
 * Watchdogs that the ROM leaves running when a chip was sent to its bootloader over its own USB port: they would reset it in
 * the middle of a write (esptool, `disable_watchdogs` of each chip).
 */
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

async function stopWatchdogs({ write }: Registers, watchdogs: WatchdogRegisters): Promise<void> {
  await write(watchdogs.protect, KEY);
  await write(watchdogs.config, 0);
  await write(watchdogs.protect, 0);
  await write(watchdogs.superProtect, watchdogs.superKey);
  await write(watchdogs.superConfig, watchdogs.autoFeed, watchdogs.autoFeed);
  await write(watchdogs.superProtect, 0);
}
