/**
 * Brings an Adafruit board from its application into its bootloader. On the chip's own USB, the port is opened at
 * 1,200 baud and DTR is released. Over a UART bridge, a pulse on DTR resets the board (adafruit-nrfutil,
 * `dfu_transport_serial.py`, `open`; Arduino core "nRF52", `Adafruit_TinyUSB`). Other boards are not affected by
 * either.
 */
import { playLines } from '../byte-port.ts';
import type { NrfPort } from './connect/nrf-port.ts';

/** Time for which DTR is released, and time for the board to start, in milliseconds (`open`, `DTR_RESET_WAIT_TIME`). */
const PULSE = 50;
const BOOT = 100;

/**
 * USB vendor IDs of boards with the Arduino core and its 1,200 baud touch: Adafruit and Seeed. Other vendors'
 * bootloaders are entered differently.
 */
const TOUCH_VENDORS: ReadonlySet<number> = new Set([0x239a, 0x2886]);
/**
 * Bit that distinguishes an application's product ID from its bootloader's at these vendors (`boards.txt` of the
 * Arduino core).
 */
const APPLICATION_BIT = 0x8000;

/** Returns true if the port belongs to an application on a board that supports the touch. */
export function isTouchable(device: SerialPort): boolean {
  const { usbVendorId = 0, usbProductId = 0 } = device.getInfo();
  return TOUCH_VENDORS.has(usbVendorId) && (usbProductId & APPLICATION_BIT) !== 0;
}

/** Resets a board with DTR wired to reset. */
export async function pulseReset({ bytes, clock }: NrfPort, signal: AbortSignal): Promise<void> {
  const steps = [
    [false, true, PULSE],
    [true, true, BOOT],
  ] as const;
  await playLines(clock, bytes, steps, signal);
}
