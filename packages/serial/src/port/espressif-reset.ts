/**
 * The sequences that restart Espressif's boards and their many relatives. On boards with a USB bridge two transistors pull EN
 * low while RTS is asserted and DTR is not, and IO0 low while DTR is asserted and RTS is not; the chip looks at IO0 when EN
 * rises, and low means its bootloader (esptool documentation, "Boot Mode Selection", section "Automatic Bootloader", and the
 * schematic of the ESP32-DevKitC that it names). Chips with a serial port of their own on USB take the lines as requests
 * (ESP32-C3 Technical Reference Manual, "USB Serial/JTAG Controller", table "Reset SoC into Download Mode").
 *
 * They are here because the terminal resets boards, too.
 */
import type { ControlLines, LineStep } from './control-lines.ts';

/** EN is held low for this long, in milliseconds. */
const HOLD = 100;
/**
 * Then the chip has this long to look at IO0, in milliseconds: the capacitor at EN makes it rise slowly (esptool
 * documentation, "Configuration File", sections "Custom Reset Sequence" and "Options").
 */
export const strapTime = 50;
/** A chip that is on USB itself answers nothing while it comes out of reset, in milliseconds. */
const USB_RELEASE = 200;
/** The USB stack of a chip on USB OTG needs its time to see a change, in milliseconds (esptool, `HardReset`). */
const OTG_HOLD = 200;

/** Vendor of chips with a USB port of their own, and the product of USB Serial/JTAG (esptool, `ESPRESSIF_VID`). */
const ESPRESSIF = 0x303a;
const USB_SERIAL_JTAG = 0x1001;
/** Products of USB OTG ports are the chips' ids: S2, S3, P4. */
const USB_OTG = [2, 9, 18];

/** `uart`: a bridge with the circuit behind it. */
export type EspressifPort = 'uart' | 'usb-serial-jtag' | 'usb-otg';

/**
 * What kind of port this is. The vendor alone does not tell: its bridge (esp-usb-bridge, 0x1002) has the circuit behind it. A
 * board that names itself something of its own is taken for one with a bridge.
 */
export function espressifPortOf({ usbVendorId, usbProductId }: SerialPortInfo): EspressifPort {
  if (usbVendorId !== ESPRESSIF || usbProductId === undefined) {
    return 'uart';
  }
  return usbProductId === USB_SERIAL_JTAG ? 'usb-serial-jtag' : USB_OTG.includes(usbProductId) ? 'usb-otg' : 'uart';
}

/**
 * Into the bootloader.
 * @param from the lines as they are now.
 * @param strap milliseconds for a capacitor at EN that makes it rise more slowly than usual.
 */
export function bootloaderSteps(port: EspressifPort, from: ControlLines, strap = strapTime): readonly LineStep[] {
  switch (port) {
    case 'uart':
      // Setting both lines is two steps on most systems: the capacitor at EN bridges the time between them.
      return [
        [false, true, HOLD],
        [true, false, strap],
        [false, false, 0],
      ];
    case 'usb-otg':
      // Programs with a USB OTG port of their own watch for this sequence in software and restart into the bootloader at its
      // end; they want to see both lines raised on the way (esptool, `ClassicReset`, which sets one line at a time).
      return [
        [false, true, HOLD],
        [true, true, 0],
        [true, false, strap],
        [false, false, 0],
      ];
    case 'usb-serial-jtag':
      return from.dtr && from.rts ? [rtsReleased, ...usbBootloader] : usbBootloader;
  }
}

/** A system lowers DTR before RTS, and on that way a chip on USB Serial/JTAG would see a reset: RTS goes first. */
const rtsReleased: LineStep = [true, false, 0];

/** DTR alone sets the flag for the bootloader, neither clears it; releasing DTR while RTS is asserted resets. */
const usbBootloader: readonly LineStep[] = [
  [false, false, HOLD],
  [true, false, HOLD],
  [true, true, 0],
  [false, true, HOLD],
  [false, false, USB_RELEASE],
];

/**
 * Restarts the program.
 * @param settle milliseconds until EN has risen, for whoever raises DTR afterwards: that would be the bootloader.
 */
export function programSteps(port: EspressifPort, settle = 0): readonly LineStep[] {
  switch (port) {
    case 'uart':
      return [
        [false, true, HOLD],
        [false, false, settle],
      ];
    case 'usb-otg':
      return [
        [false, true, OTG_HOLD],
        [false, false, USB_RELEASE],
      ];
    case 'usb-serial-jtag':
      return [
        [false, false, HOLD],
        [false, true, HOLD],
        [false, false, USB_RELEASE],
      ];
  }
}
