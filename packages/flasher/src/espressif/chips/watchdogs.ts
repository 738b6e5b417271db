/**
 * Watchdogs that the ROM leaves running when a chip was sent to its bootloader over its own USB port: they would reset it in
 * the middle of a write (esptool, `disable_watchdogs` of each chip).
 */
import type { Registers } from './chip.ts';

export interface WatchdogRegisters {
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

export async function stopWatchdogs({ write }: Registers, watchdogs: WatchdogRegisters): Promise<void> {
  await write(watchdogs.protect, KEY);
  await write(watchdogs.config, 0);
  await write(watchdogs.protect, 0);
  await write(watchdogs.superProtect, watchdogs.superKey);
  await write(watchdogs.superConfig, watchdogs.autoFeed, watchdogs.autoFeed);
  await write(watchdogs.superProtect, 0);
}
