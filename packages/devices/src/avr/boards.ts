/** Facts of the simulated boards: chip, bootloader, connection, USB ids, fuses. */
import type { UsbIds } from '../wire/device.ts';

/** Memory sizes in bytes. */
interface AvrChip {
  readonly name: 'ATmega328P' | 'ATmega2560' | 'ATmega32U4';
  /** Signature bytes in the order of their addresses (data sheets, section "Signature Bytes"). */
  readonly signature: readonly [number, number, number];
  readonly flashSize: number;
  /** Size of a flash page. */
  readonly pageSize: number;
  readonly eepromSize: number;
}

const atmega328p: AvrChip = {
  name: 'ATmega328P',
  signature: [0x1e, 0x95, 0x0f],
  flashSize: 0x8000,
  pageSize: 128,
  eepromSize: 1_024,
};

const atmega2560: AvrChip = {
  name: 'ATmega2560',
  signature: [0x1e, 0x98, 0x01],
  flashSize: 0x40000,
  pageSize: 256,
  eepromSize: 4_096,
};

const atmega32u4: AvrChip = {
  name: 'ATmega32U4',
  signature: [0x1e, 0x95, 0x87],
  flashSize: 0x8000,
  pageSize: 128,
  eepromSize: 1_024,
};

/**
 * `optiboot`: optiboot 4.4. `atmega-boot`: ATmegaBOOT_168 of 2007. `stk500-v2`: stk500boot of 2012. `caterina`: LUFA's
 * CDC bootloader in Arduino's version.
 */
export type AvrBootloader = 'optiboot' | 'atmega-boot' | 'stk500-v2' | 'caterina';

export interface AvrBoard {
  readonly chip: AvrChip;
  readonly bootloader: AvrBootloader;
  /** First byte of the bootloader, which extends to the end of the flash. */
  readonly bootStart: number;
  /** `uart`: behind a USB adapter. `usb`: the chip's own USB, whose port vanishes and reappears at every reset. */
  readonly connection: 'uart' | 'usb';
  /** Rate of the bootloader, in baud. It has no effect on USB. */
  readonly bootRate: number;
  readonly ids: { readonly bootloader: UsbIds; readonly sketch: UsbIds };
  /** Fuses and lock bits as they read. Bits that do not exist read as one. */
  readonly fuses: { readonly low: number; readonly high: number; readonly extended: number; readonly lock: number };
}

const ids = (usbVendorId: number, usbProductId: number): UsbIds => ({ usbVendorId, usbProductId });
/** An adapter keeps its ids, whatever the chip behind it does. */
const adapter = (usbVendorId: number, usbProductId: number) => ({
  bootloader: ids(usbVendorId, usbProductId),
  sketch: ids(usbVendorId, usbProductId),
});

/** USB ids, rates, addresses, fuses and lock bits: `boards.txt` and bootloader sources of Arduino's AVR core 1.8. */
export const avrBoards = {
  'arduino-uno': {
    chip: atmega328p,
    bootloader: 'optiboot',
    bootStart: 0x7e00,
    connection: 'uart',
    bootRate: 115_200,
    ids: adapter(0x2341, 0x0043),
    fuses: { low: 0xff, high: 0xde, extended: 0xfd, lock: 0xcf },
  },
  /** A Nano of before 2018, whose adapter is an FT232R. */
  'arduino-nano': {
    chip: atmega328p,
    bootloader: 'atmega-boot',
    bootStart: 0x7800,
    connection: 'uart',
    bootRate: 57_600,
    ids: adapter(0x0403, 0x6001),
    fuses: { low: 0xff, high: 0xda, extended: 0xfd, lock: 0xcf },
  },
  'arduino-mega': {
    chip: atmega2560,
    bootloader: 'stk500-v2',
    bootStart: 0x3e000,
    connection: 'uart',
    bootRate: 115_200,
    ids: adapter(0x2341, 0x0042),
    fuses: { low: 0xff, high: 0xd8, extended: 0xfd, lock: 0xcf },
  },
  'arduino-leonardo': {
    chip: atmega32u4,
    bootloader: 'caterina',
    bootStart: 0x7000,
    connection: 'usb',
    bootRate: 57_600,
    ids: { bootloader: ids(0x2341, 0x0036), sketch: ids(0x2341, 0x8036) },
    fuses: { low: 0xff, high: 0xd8, extended: 0xcb, lock: 0xef },
  },
} as const satisfies Record<string, AvrBoard>;

export type AvrBoardName = keyof typeof avrBoards;

export const avrBoardNames = Object.keys(avrBoards) as readonly AvrBoardName[];

/** A CH340, the adapter of many compatible boards. */
export const ch340Ids = ids(0x1a86, 0x7523);
