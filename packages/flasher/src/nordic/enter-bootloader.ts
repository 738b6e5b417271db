/**
 * Getting a board of Adafruit's kind from its application into its bootloader: on the chip's own USB by opening the port at 1,200
 * baud and letting go of DTR, over a UART bridge by a pulse on DTR, which is wired to reset (adafruit-nrfutil,
 * `dfu_transport_serial.py`, `open`; Arduino core "nRF52", `Adafruit_TinyUSB`). Other boards do not mind either.
 */
import type { Clock } from '@wirebench/clock';
import { openBytePort, playLines } from '../byte-port.ts';
import { isUnplugged } from '../port-failure.ts';
import type { NordicPort } from './connect/nordic-port.ts';

/** The rate that stands for "go into your bootloader". */
const TOUCH_RATE = 1_200;
/** The port is left alone for so long before it is closed, in milliseconds (`SERIAL_PORT_OPEN_WAIT_TIME`). */
const TOUCH = 100;
/** DTR is let go of for so long, and the board has so long to come out of reset (`open`, `DTR_RESET_WAIT_TIME`). */
const PULSE = 50;
const BOOT = 100;

/** Vendors whose boards run the Arduino core with its touch, Adafruit and Seeed; others have their own bootloaders' habits. */
const TOUCH_VENDORS: ReadonlySet<number> = new Set([0x239a, 0x2886]);
/** Applications of these vendors have the product id of the bootloader with this bit (`boards.txt` of the Arduino core). */
const APPLICATION_BIT = 0x8000;

/** Whether the port says that it is of an application on a board that knows the touch. */
export function isTouchable(device: SerialPort): boolean {
  const { usbVendorId = 0, usbProductId = 0 } = device.getInfo();
  return TOUCH_VENDORS.has(usbVendorId) && (usbProductId & APPLICATION_BIT) !== 0;
}

/** The board vanishes in the midst of it, which is what is wanted. @throws PortError when it cannot be opened; the signal's reason. */
export async function touch(device: SerialPort, clock: Clock, signal: AbortSignal): Promise<void> {
  const port = await openBytePort(device, { baudRate: TOUCH_RATE }, clock, signal);
  try {
    await clock.sleep(TOUCH, AbortSignal.any([signal, port.over]));
    await playLines(clock, port, [[false, false, PULSE]], signal);
  } catch (error) {
    if (!isUnplugged(error)) {
      throw error;
    }
  } finally {
    await port.close();
  }
}

/** Resets a board whose reset is wired to DTR. */
export async function pulseReset({ bytes, clock }: NordicPort, signal: AbortSignal): Promise<void> {
  const steps = [
    [false, true, PULSE],
    [true, true, BOOT],
  ] as const;
  await playLines(clock, bytes, steps, signal);
}
