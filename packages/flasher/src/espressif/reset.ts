/**
 * Control lines that start a board's bootloader or its program. On boards with a USB bridge two transistors pull EN low while
 * RTS is asserted and DTR is not, and IO0 low while DTR is asserted and RTS is not; the chip looks at IO0 when EN rises
 * (esptool documentation, "Boot Mode Selection", section "Automatic Bootloader"). Chips on their own USB Serial/JTAG port
 * take the lines as requests (ESP32-C3 Technical Reference Manual, "USB Serial/JTAG Controller", table "Reset SoC into
 * Download Mode").
 */
import type { Clock } from '@wirebench/clock';
import type { BytePort } from '../byte-port.ts';
import type { BoardLink } from './board-info.ts';

/** EN is held low for this long, in milliseconds. */
const HOLD = 100;
/**
 * Then IO0 for this long: the capacitor at EN makes it rise slowly, on some boards very slowly (esptool documentation,
 * "Configuration File", option `reset_delay`).
 */
const STRAP = 50;
const LONG_STRAP = 550;
/** A chip that is on USB itself answers nothing while it comes out of reset, in milliseconds. */
const USB_RELEASE = 200;
/** The USB stack of a chip on USB OTG needs its time to see a change, in milliseconds (esptool, `HardReset`). */
const OTG_HOLD = 200;

type Step = readonly [dtr: boolean, rts: boolean, thenWait: number];

/** Setting both lines is two steps on most systems: the capacitor at EN bridges the time between them. */
const classicBootloader = (strap: number): readonly Step[] => [
  [false, true, HOLD],
  [true, false, strap],
  [false, false, 0],
];
const classicRun: readonly Step[] = [
  [false, true, HOLD],
  [false, false, 0],
];
/**
 * Programs with a USB OTG port of their own watch for this sequence in software and restart into the bootloader at its end; they
 * want to see both lines raised on the way (esptool, `ClassicReset`, which sets one line at a time).
 */
const otgBootloader = (strap: number): readonly Step[] => [
  [false, true, HOLD],
  [true, true, 0],
  [true, false, strap],
  [false, false, 0],
];
const otgRun: readonly Step[] = [
  [false, true, OTG_HOLD],
  [false, false, USB_RELEASE],
];
/** DTR alone sets the flag for the bootloader; releasing it while RTS is asserted resets. */
const usbBootloader: readonly Step[] = [
  // Opening raised both, and a system lowers DTR before RTS: on that way the chip would see a reset. RTS goes first.
  [true, false, 0],
  [false, false, HOLD],
  [true, false, HOLD],
  [true, true, 0],
  [false, true, HOLD],
  [false, false, USB_RELEASE],
];
const usbRun: readonly Step[] = [
  [false, false, HOLD],
  [false, true, HOLD],
  [false, false, USB_RELEASE],
];

/** Vendor of chips with a USB port of their own, and the product of USB Serial/JTAG (esptool, `ESPRESSIF_VID`). */
const ESPRESSIF = 0x303a;
const USB_SERIAL_JTAG = 0x1001;
/** Products of USB OTG ports are the chips' ids: S2, S3, P4. */
const USB_OTG = [2, 9, 18];

/** What kind of port this is. A board that names itself something of its own is taken for one with a bridge. */
export function linkOf(device: SerialPort): BoardLink {
  const { usbVendorId, usbProductId } = device.getInfo();
  if (usbVendorId !== ESPRESSIF || usbProductId === undefined) {
    return 'uart';
  }
  return usbProductId === USB_SERIAL_JTAG ? 'usb-serial-jtag' : USB_OTG.includes(usbProductId) ? 'usb-otg' : 'uart';
}

/**
 * @param patient leave a slow capacitor at EN more time.
 * @throws the reason of `signal`, with the lines let go.
 */
export function enterBootloader(
  clock: Clock,
  port: BytePort,
  link: BoardLink,
  patient: boolean,
  signal: AbortSignal,
): Promise<void> {
  const strap = patient ? LONG_STRAP : STRAP;
  const steps = {
    uart: classicBootloader(strap),
    'usb-serial-jtag': usbBootloader,
    'usb-otg': otgBootloader(strap),
  } satisfies Record<BoardLink, readonly Step[]>;
  return play(clock, port, steps[link], signal);
}

export function startProgram(clock: Clock, port: BytePort, link: BoardLink, signal: AbortSignal): Promise<void> {
  const steps = { uart: classicRun, 'usb-serial-jtag': usbRun, 'usb-otg': otgRun } satisfies Record<
    BoardLink,
    readonly Step[]
  >;
  return play(clock, port, steps[link], signal);
}

/**
 * Lets go of both lines, which opening a port raises: boards without the transistors may be held in reset, or in their
 * bootloader, by a line that is raised. RTS goes first: DTR first is a reset where the transistors are.
 */
export async function letGo(port: BytePort): Promise<void> {
  await port.setLines(true, false);
  await port.setLines(false, false);
}

async function play(clock: Clock, port: BytePort, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  for (const [dtr, rts, wait] of steps) {
    await port.setLines(dtr, rts);
    if (wait > 0) {
      try {
        await clock.sleep(wait, AbortSignal.any([signal, port.over]));
      } catch (error) {
        await port.setLines(false, false);
        throw error;
      }
    }
  }
}
