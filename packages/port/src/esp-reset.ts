/**
 * Control-line sequences that restart Espressif's boards and compatible ones. On boards with a USB bridge, two
 * transistors pull EN low while RTS is asserted and DTR is not. They pull IO0 low while DTR is asserted and RTS is
 * not. The chip samples IO0 when EN rises; low means its bootloader. Sources: esptool documentation, "Boot Mode
 * Selection", section "Automatic Bootloader", and the schematic of the ESP32-DevKitC that it names. Chips with their
 * own USB serial port take the lines as requests (ESP32-C3 Technical Reference Manual, "USB Serial/JTAG Controller",
 * table "Reset SoC into Download Mode").
 *
 * The sequences are in this package because the terminal and the flasher both reset boards.
 */
import type { ControlLines, LineStep } from './control-lines.ts';

/** Time for which EN is held low, in milliseconds. */
const HOLD = 100;
/**
 * Time for the chip to sample IO0 afterwards, in milliseconds. The capacitor at EN makes it rise slowly (esptool
 * documentation, "Configuration File", sections "Custom Reset Sequence" and "Options").
 */
export const strapTime = 50;
/** Time for which a chip on USB does not answer after a reset, in milliseconds. */
const USB_RELEASE = 200;
/** Time that the USB stack of a chip on USB OTG needs to notice a change, in milliseconds (esptool, `HardReset`). */
const OTG_HOLD = 200;

/** USB vendor ID of chips with their own USB port, and the product ID of USB Serial/JTAG (esptool, `ESPRESSIF_VID`). */
const ESPRESSIF = 0x303a;
const USB_SERIAL_JTAG = 0x1001;
/** Product IDs of USB OTG ports. They are the chips' IDs: S2, S3, P4. */
const USB_OTG = [2, 9, 18];

/** Kind of port. `uart`: a bridge with the auto-reset circuit behind it. */
export type EspPortKind = 'uart' | 'usb-serial-jtag' | 'usb-otg';

/**
 * Returns the kind of a port. The vendor alone is not enough: Espressif's own bridge (esp-usb-bridge, 0x1002) has the
 * circuit behind it. Unknown product IDs count as a bridge.
 */
export function espPortKind({ usbVendorId, usbProductId }: SerialPortInfo): EspPortKind {
  if (usbVendorId !== ESPRESSIF || usbProductId === undefined) {
    return 'uart';
  }
  return usbProductId === USB_SERIAL_JTAG ? 'usb-serial-jtag' : USB_OTG.includes(usbProductId) ? 'usb-otg' : 'uart';
}

/**
 * Returns the sequence into the bootloader.
 *
 * @param from Lines as they are now.
 * @param strap Time for EN to rise, in milliseconds. Larger for a larger capacitor at EN.
 */
export function bootloaderSteps(port: EspPortKind, from: ControlLines, strap = strapTime): readonly LineStep[] {
  switch (port) {
    case 'uart':
      // Setting both lines takes two steps on most systems. The capacitor at EN bridges the time between them.
      return [
        [false, true, HOLD],
        [true, false, strap],
        [false, false, 0],
      ];
    case 'usb-otg':
      // Programs with their own USB OTG port watch for this sequence in software and restart into the bootloader at
      // its end. They expect both lines raised in between (esptool, `ClassicReset`, which sets one line at a time).
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

/**
 * Lowers RTS first. A system lowers DTR before RTS, and a chip on USB Serial/JTAG would take the state in between for
 * a reset.
 */
const rtsReleased: LineStep = [true, false, 0];

/** DTR alone sets the bootloader flag; both lines off clear it. Releasing DTR while RTS is asserted resets the chip. */
const usbBootloader: readonly LineStep[] = [
  [false, false, HOLD],
  [true, false, HOLD],
  [true, true, 0],
  [false, true, HOLD],
  [false, false, USB_RELEASE],
];

/**
 * Returns the sequence that restarts the program.
 *
 * @param settle Time until EN has risen, in milliseconds, for callers that raise DTR afterwards: raising it earlier
 *   leads into the bootloader.
 */
export function programSteps(port: EspPortKind, settle = 0): readonly LineStep[] {
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
