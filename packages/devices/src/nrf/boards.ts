/** Facts of the simulated boards: chip, connection, USB ids, layout of the flash. */
import type { UsbIds } from '../wire/device.ts';

/** Milliseconds to erase a page and to write a word. */
export interface NvmTimes {
  readonly page: number;
  readonly word: number;
}

interface NrfChip {
  readonly name: 'nRF52832' | 'nRF52840';
  /**
   * FICR INFO.PART and INFO.VARIANT, the answer to the hardware version request (Product Specifications, chapter
   * "FICR").
   */
  readonly part: number;
  readonly variant: number;
  /** Size in bytes. `ramSize` too. */
  readonly flashSize: number;
  readonly ramSize: number;
  /**
   * Times from the Product Specifications, chapter "NVMC". nRF52840: 85 ms and 41 µs. nRF52832: 2.05 to 89.7 ms and
   * 67.5 to 338 µs. The chosen values stay within the time that adafruit-nrfutil gives a chip.
   */
  readonly times: NvmTimes;
  readonly slowest: NvmTimes;
}

const nrf52832: NrfChip = {
  name: 'nRF52832',
  part: 0x52832,
  variant: 0x41414530,
  flashSize: 0x80000,
  ramSize: 0x10000,
  times: { page: 75, word: 0.0675 },
  slowest: { page: 89.7, word: 0.338 },
};

const nrf52840: NrfChip = {
  name: 'nRF52840',
  part: 0x52840,
  variant: 0x41414430,
  flashSize: 0x100000,
  ramSize: 0x40000,
  times: { page: 85, word: 0.041 },
  slowest: { page: 85, word: 0.041 },
};

/**
 * `secure`: nRF5 SDK secure bootloader. `adafruit`: Adafruit nRF52 Bootloader. `mcuboot`: MCUboot with serial
 * recovery.
 */
type NrfBootloader = 'secure' | 'adafruit' | 'mcuboot';

export interface NrfBoard {
  readonly bootloader: NrfBootloader;
  readonly chip: NrfChip;
  /**
   * `usb`: the chip's own USB, whose port vanishes and reappears at every reset. `uart`: behind a bridge, whose port
   * stays.
   */
  readonly connection: 'usb' | 'uart';
  /** FWID of the SoftDevice on a new board; null: none. */
  readonly softDevice: number | null;
  /** True: the bridge's DTR reaches the reset pin through a capacitor. */
  readonly dtrResets: boolean;
  readonly ids: {
    readonly bootloader: UsbIds;
    /** Ids of the bootloader without its disk, after a touch at 1200 baud. Default: `bootloader`. */
    readonly serialOnly?: UsbIds;
    readonly application: UsbIds;
  };
}

const ids = (usbVendorId: number, usbProductId: number): UsbIds => ({ usbVendorId, usbProductId });
/** SEGGER J-Link on a development kit. Its port does not depend on the chip's state. */
const jLink = { bootloader: ids(0x1366, 0x1015), application: ids(0x1366, 0x1015) };
/** Silicon Labs CP2104 (Feather nRF52832's schematic). */
const cp2104 = { bootloader: ids(0x10c4, 0xea60), application: ids(0x10c4, 0xea60) };

export const nrfBoards = {
  /** nRF5 SDK, `nrf_dfu_serial_usb.c` (1915:521F as in pc-nrfutil) and the USB CDC ACM example (520F). */
  'nrf52840-secure': {
    bootloader: 'secure',
    chip: nrf52840,
    connection: 'usb',
    dtrResets: false,
    softDevice: null,
    ids: { bootloader: ids(0x1915, 0x521f), application: ids(0x1915, 0x520f) },
  },
  'nrf52832-secure': {
    bootloader: 'secure',
    chip: nrf52832,
    connection: 'uart',
    dtrResets: false,
    softDevice: null,
    ids: jLink,
  },
  /**
   * Adafruit_nRF52_Bootloader, src/boards/feather_nrf52840_express/board.h. Application ids: Adafruit's Arduino core.
   */
  'feather-nrf52840': {
    bootloader: 'adafruit',
    chip: nrf52840,
    connection: 'usb',
    dtrResets: false,
    softDevice: 0x00b6,
    ids: { bootloader: ids(0x239a, 0x0029), serialOnly: ids(0x239a, 0x002a), application: ids(0x239a, 0x8029) },
  },
  /** src/boards/feather_nrf52832/board.h. This board has no USB of its own. */
  'feather-nrf52832': {
    bootloader: 'adafruit',
    chip: nrf52832,
    connection: 'uart',
    dtrResets: true,
    softDevice: 0x00b7,
    ids: cp2104,
  },
  /** src/boards/xiao_nrf52840_ble/board.h. Application ids: Seeed's Arduino core. */
  'xiao-nrf52840': {
    bootloader: 'adafruit',
    chip: nrf52840,
    connection: 'usb',
    dtrResets: false,
    softDevice: 0x0123,
    ids: { bootloader: ids(0x2886, 0x0044), application: ids(0x2886, 0x8044) },
  },
  'nrf52840-mcuboot': {
    bootloader: 'mcuboot',
    chip: nrf52840,
    connection: 'uart',
    dtrResets: false,
    softDevice: null,
    ids: jLink,
  },
  /** Zephyr's own vendor id with the default product id, and the product id of its console sample. */
  'nrf52840-mcuboot-usb': {
    bootloader: 'mcuboot',
    chip: nrf52840,
    connection: 'usb',
    dtrResets: false,
    softDevice: null,
    ids: { bootloader: ids(0x2fe3, 0x0100), application: ids(0x2fe3, 0x0004) },
  },
} as const satisfies Record<string, NrfBoard>;

export type NrfBoardName = keyof typeof nrfBoards;

export const nrfBoardNames = Object.keys(nrfBoards) as readonly NrfBoardName[];

/** Size of a flash page in bytes, on all these chips. */
export const pageSize = 4_096;
/**
 * Size in bytes of the master boot record, which is never overwritten (SoftDevice Specification, "Master boot
 * record").
 */
export const mbrSize = 0x1000;

/** Rounds `address` up to the start of a page. */
export function pageAfter(address: number): number {
  return Math.ceil(address / pageSize) * pageSize;
}
