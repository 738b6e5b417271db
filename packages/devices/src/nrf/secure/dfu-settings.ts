/**
 * The bootloader's settings page: the content of the two banks, and the progress of a transfer (nRF5 SDK,
 * `nrf_dfu_types.h`).
 */

export type BankCode = 'invalid' | 'application' | 'soft-device' | 'bootloader' | 'soft-device-bootloader';

export interface Bank {
  code: BankCode;
  /** Size in bytes. */
  size: number;
  crc: number;
}

export interface Progress {
  commandSize: number;
  commandOffset: number;
  commandCrc: number;
  /** Size of the current data object in bytes. */
  objectSize: number;
  offset: number;
  crc: number;
  /** Offset after the last executed object. */
  lastOffset: number;
  lastCrc: number;
}

export interface DfuSettings {
  applicationVersion: number;
  bootloaderVersion: number;
  bank0: Bank;
  bank1: Bank;
  progress: Progress;
  initCommand: Uint8Array;
  /** True once the init command in `initCommand` has been checked and accepted. */
  initTaken: boolean;
  /** Address of the current firmware. `targetSize` is its size in bytes. */
  target: number;
  targetSize: number;
}

export const noBank: Bank = { code: 'invalid', size: 0, crc: 0 };

export const noProgress: Progress = {
  commandSize: 0,
  commandOffset: 0,
  commandCrc: 0,
  objectSize: 0,
  offset: 0,
  crc: 0,
  lastOffset: 0,
  lastCrc: 0,
};

/** Returns a deep copy. */
export function copied(settings: DfuSettings): DfuSettings {
  return {
    ...settings,
    bank0: { ...settings.bank0 },
    bank1: { ...settings.bank1 },
    progress: { ...settings.progress },
    initCommand: settings.initCommand.slice(),
  };
}
