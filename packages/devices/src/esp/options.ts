/** Options of a simulated Espressif chip: type, fuses, flash content, wiring and faults. */
import type { Breadboard } from '../breadboard/breadboard.ts';
import type { ImprovOptions } from '../improv/options.ts';
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
 * Timing of the flash. `instant-flash`: erasing and writing take no time, so that only the client is measured.
 * `real-flash`: typical, 45 ms to erase 4 KiB, 150 ms to erase 64 KiB, 0.4 ms for a page of 256 bytes. `slow-flash`:
 * the longest times of a data sheet, 400 ms, 2 s and 3 ms.
 */
export type EspProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/**
 * `uart`: behind a bridge whose DTR and RTS drive EN and IO0 through two transistors. `uart-no-reset`: behind a
 * bridge without them; use `pressReset` and `holdBoot`. `usb-jtag`: the chip's own USB, on which the baud rate has no
 * effect.
 */
export type EspConnection = 'uart' | 'uart-no-reset' | 'usb-jtag';

/**
 * `current`: the stub of esptool 5 and esptool-js 0.7 (espressif/esp-flasher-stub). `legacy`: the stub of esptool 4,
 * which restarts the chip at FLASH_END and allows several unacknowledged packets of READ_FLASH.
 */
export type EspStubKind = 'current' | 'legacy';

/**
 * The way in which the ROM programs compressed data. `exact`: only the sent data, like the ESP32-C3. `windows`:
 * always 32 KiB counted from the offset, with old RAM content behind the data, like the ESP32
 * (loader/rom-inflation.ts).
 */
export type EspRomDeflate = 'exact' | 'windows';

export interface EspRevision {
  readonly major: number;
  readonly minor: number;
}

/** Security settings in the eFuses, as GET_SECURITY_INFO reports them. Default: all off. */
export interface EspSecurity {
  /** `development`: encrypting downloads are allowed. `release`: they are not. */
  readonly flashEncryption?: 'off' | 'development' | 'release';
  readonly secureBoot?: boolean;
  /** SHA-256 of the public key of secure boot 2, in the second key block. Default: 32 zeros. */
  readonly secureBootDigest?: Uint8Array;
  /** True: the ROM answers only a few commands and accepts no stub. Not on ESP8266 and ESP32. */
  readonly secureDownload?: boolean;
}

export interface EspFlashPart {
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface EspFlashOptions {
  /** Size in bytes: a power of two, 256 KiB to 128 MiB. Default 4 MiB, on ESP8285 1 MiB. */
  readonly size?: number;
  /** Manufacturer and kind as in RDID, without the capacity. Default 0x40c8, a GD25Q. */
  readonly kind?: number;
  /**
   * Behaviour of the ROM for a hash beyond the end of flash. `refused`: it answers with an error. `wrapped`: the
   * flash chip ignores the upper address bits, so reading continues at the start. Default `refused`.
   */
  readonly hashBeyond?: 'refused' | 'wrapped';
  /**
   * Initial content. `factory`: a bootloader, a partition table and a small application that prints a greeting.
   * `demo`: a board in use, with two application slots, settings in NVS and files. `empty`: erased. Or own parts on
   * erased flash. Default `factory`.
   */
  readonly content?: 'factory' | 'demo' | 'empty' | readonly EspFlashPart[];
}

export interface EspDeviceOptions {
  readonly chip: EspChipName;
  /** Default `instant-flash`. */
  readonly profile?: EspProfile;
  /** Default `uart`. ESP8266, ESP8285, ESP32, ESP32-S2 and ESP32-C2 have no USB-JTAG. */
  readonly connection?: EspConnection;
  /** In the form `AA:BB:CC:DD:EE:FF`. Default: an address of Espressif's range, from the seed. */
  readonly mac?: string;
  /** Default: a common revision of the chip. */
  readonly revision?: EspRevision;
  /**
   * Frequency in MHz. Default: the chip's usual one. Only ESP8266, ESP8285, ESP32, ESP32-C2 and ESP32-C5 allow
   * others.
   */
  readonly crystal?: number;
  /**
   * ESP32 only: the fuse by which the ROM measures its crystal. `blank`: the ROM takes 40 MHz for 26 MHz, and its
   * CHANGE_BAUDRATE sets 40/26 of the requested rate. Default `measured`.
   */
  readonly crystalFuse?: 'measured' | 'blank';
  /** The fuses that the factory measures for each chip. Default `none`, as in the recorded sessions. */
  readonly calibration?: 'none' | 'typical';
  readonly security?: EspSecurity;
  readonly flash?: EspFlashOptions;
  /** True: the bootloader is built with rollback of applications (CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE). Default false. */
  readonly rollback?: boolean;
  /** Rate of the application, in baud. The ROM has its own. Default 115200. */
  readonly appBaudRate?: number;
  /** Default `current`. */
  readonly stub?: EspStubKind;
  /**
   * Default: as observed on the chip; `windows` for untested chips. Clients that trust only proven ROMs never notice
   * the difference.
   */
  readonly romDeflate?: EspRomDeflate;
  /**
   * `attach`: the chip starts when it gets power. `first-open`: it starts when a host opens the port, so that the
   * host receives the boot log. `download`: it starts at attach with IO0 low, for hosts without control lines.
   * Default `attach`.
   */
  readonly powerUp?: 'attach' | 'first-open' | 'download';
  /** True: the ROM's autobaud loses the first SYNC, also at 115200. Default false, as recorded. */
  readonly firstSyncLost?: boolean;
  /**
   * Milliseconds that EN takes to rise after its release. Default 1, for a small capacitor. A host that changes DTR
   * and RTS one by one needs a large one.
   */
  readonly enRiseTime?: number;
  /** On USB-JTAG: after each reset the port vanishes and comes back this many milliseconds later. Default: it stays. */
  readonly reenumerate?: number;
  readonly faults?: readonly EspFault[];
  /** Parts on the chip's pins, for ESP32 and ESP32-C3 only. Default: the same peripherals with unconnected pins. */
  readonly breadboard?: Breadboard;
  /** The Wi-Fi set-up of demo applications on chips with Wi-Fi. `none`: they have none. Default `{}`. */
  readonly improv?: ImprovOptions | 'none';
  /** Further output on the wire to the host. Default: none. */
  readonly flood?: EspFlood;
  /** Seed of the MAC, of garbage, and of the remains of interrupted flash operations. Default 1. */
  readonly seed?: number;
}
