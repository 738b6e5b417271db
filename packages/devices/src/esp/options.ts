/** How a simulated Espressif chip is made: which one, what is in its fuses and flash, how it is wired, what goes wrong. */
import type { Breadboard } from '../breadboard/breadboard.ts';
import type { EspFlood } from './esp-flood.ts';
import type { EspFault } from './faults.ts';

export const espChipNames = [
  'esp8266',
  'esp8285',
  'esp32',
  'esp32s2',
  'esp32s3',
  'esp32c2',
  'esp32c3',
  'esp32c5',
  'esp32c6',
  'esp32c61',
  'esp32h2',
  'esp32h21',
  'esp32h4',
  'esp32p4',
] as const;
export type EspChipName = (typeof espChipNames)[number];

/**
 * How long the flash takes. `instant-flash`: erasing and writing cost nothing, so that a client is measured and nothing
 * else. `real-flash`: 45 ms for 4 KiB erased, 150 ms for 64 KiB erased, 0.4 ms for a page of 256 bytes, which is typical.
 * `slow-flash`: 400 ms, 2 s and 3 ms, the longest that a data sheet allows.
 */
export type EspProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/**
 * `uart`: behind a bridge whose DTR and RTS drive EN and IO0 through two transistors. `uart-no-reset`: behind a bridge
 * without them; only `pressReset` and `pressBoot` help. `usb-jtag`: the chip's own USB, where a baud rate means nothing.
 */
export type EspConnection = 'uart' | 'uart-no-reset' | 'usb-jtag';

/**
 * `current`: the stub that esptool 5 and esptool-js 0.7 upload (espressif/esp-flasher-stub). `legacy`: the one of esptool
 * 4, which restarts the chip at FLASH_END and lets several packets of READ_FLASH be under way.
 */
export type EspStubKind = 'current' | 'legacy';

/**
 * How the ROM programs compressed data. `exact`: what it was sent, as the ESP32-C3's does. `windows`: always 32 KiB counted from the
 * offset, with whatever is in its RAM behind the data, as the ESP32's does (loader/rom-inflation.ts).
 */
export type EspRomDeflate = 'exact' | 'windows';

export interface EspRevision {
  readonly major: number;
  readonly minor: number;
}

/** What GET_SECURITY_INFO and the eFuses say. Everything is off when left out. */
export interface EspSecurity {
  /** `development`: an encrypting download is allowed. `release`: it is not. */
  readonly flashEncryption?: 'off' | 'development' | 'release';
  readonly secureBoot?: boolean;
  /** The ROM answers a handful of commands only; there is no stub. Not on ESP8266 and ESP32. */
  readonly secureDownload?: boolean;
}

export interface EspFlashPart {
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface EspFlashOptions {
  /** Bytes: a power of two, 256 KiB to 128 MiB. Default 4 MiB, on ESP8285 1 MiB. */
  readonly size?: number;
  /** Manufacturer and kind as RDID gives them, without the capacity: 0x40c8 is a GD25Q. Default 0x40c8. */
  readonly kind?: number;
  /**
   * What the ROM does when it is asked for the hash of what is behind the end. `refused`: it says so. `wrapped`: the flash chip ignores
   * the upper bits of the address, and what is at the start comes again. Default `refused`.
   */
  readonly hashBeyond?: 'refused' | 'wrapped';
  /**
   * What is in it when the device is made. `factory`: a bootloader, a partition table and a small application that says
   * hello. `empty`: erased. Or parts of your own on erased flash. Default `factory`.
   */
  readonly content?: 'factory' | 'empty' | readonly EspFlashPart[];
}

export interface EspDeviceOptions {
  readonly chip: EspChipName;
  /** Default `instant-flash`. */
  readonly profile?: EspProfile;
  /** Default `uart`. ESP8266, ESP8285, ESP32, ESP32-S2 and ESP32-C2 have no USB-JTAG. */
  readonly connection?: EspConnection;
  /** `AA:BB:CC:DD:EE:FF`; left out: of Espressif's range, from the seed. */
  readonly mac?: string;
  /** Left out: a common one of the chip. */
  readonly revision?: EspRevision;
  /** MHz; left out: the chip's usual one. Only ESP8266, ESP8285, ESP32, ESP32-C2 and ESP32-C5 have a choice. */
  readonly crystal?: number;
  /**
   * ESP32 only: the fuse by which the ROM measures its crystal. `blank`: it takes 40 MHz for 26 MHz, and CHANGE_BAUDRATE
   * in the ROM gives 40/26 of the rate that was asked for. Default `measured`.
   */
  readonly crystalFuse?: 'measured' | 'blank';
  readonly security?: EspSecurity;
  readonly flash?: EspFlashOptions;
  /** Rate at which the application talks, in baud; the ROM has its own. Default 115200. */
  readonly appBaudRate?: number;
  /** Default `current`. */
  readonly stub?: EspStubKind;
  /**
   * Left out: as the chip was seen to do it, and `windows` for a chip that nobody has tried. A client that trusts no ROM that is
   * not proven never sees the difference.
   */
  readonly romDeflate?: EspRomDeflate;
  /**
   * `attach`: the chip starts when it gets power. `first-open`: when a host opens the port, so that the boot log is there
   * to be seen. `download`: at attach too, with IO0 low: for hosts without control lines. Default `attach`.
   */
  readonly powerUp?: 'attach' | 'first-open' | 'download';
  /** The autobaud of the ROM swallows the first SYNC, also at 115200. Default false, as recorded. */
  readonly firstSyncLost?: boolean;
  /**
   * Milliseconds that EN takes to rise when it is let go. Default 1, which is a small capacitor; a host that changes DTR and
   * RTS one by one needs a large one.
   */
  readonly enRiseTime?: number;
  /** On USB-JTAG: each reset makes the port vanish and come back this many milliseconds later. Default: it stays. */
  readonly reenumerate?: number;
  readonly faults?: readonly EspFault[];
  /**
   * What is on the chip's pins; ESP32 and ESP32-C3 only. Without one these two have the same peripherals, with nothing on their pins.
   */
  readonly breadboard?: Breadboard;
  /** What else is on the wire to the host. Default nothing. */
  readonly flood?: EspFlood;
  /** Decides the MAC, rubbish and what half-done flash operations leave behind. Default 1. */
  readonly seed?: number;
}
