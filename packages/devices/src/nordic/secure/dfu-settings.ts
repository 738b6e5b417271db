/** The bootloader's settings page: what is in the two banks, and how far a transfer has come (nRF5 SDK, `nrf_dfu_types.h`). */

export type BankCode = 'invalid' | 'application' | 'soft-device' | 'bootloader' | 'soft-device-bootloader';

export interface Bank {
  code: BankCode;
  /** Bytes. */
  size: number;
  crc: number;
}

export interface Progress {
  commandSize: number;
  commandOffset: number;
  commandCrc: number;
  /** Of the data object at hand. */
  objectSize: number;
  offset: number;
  crc: number;
  /** After the object that was executed last. */
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
  /** The init command in `initCommand` was looked at and taken. */
  initTaken: boolean;
  /** Where the firmware at hand goes, and how many bytes it has. */
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

/** A copy of which nothing changes with the original. */
export function copied(settings: DfuSettings): DfuSettings {
  return {
    ...settings,
    bank0: { ...settings.bank0 },
    bank1: { ...settings.bank1 },
    progress: { ...settings.progress },
    initCommand: settings.initCommand.slice(),
  };
}
