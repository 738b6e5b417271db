/**
 * Brings an Adafruit board from its application into its bootloader. On the chip's own USB, the port is opened at
 * 1,200 baud and DTR is released. Over a UART bridge, a pulse on DTR resets the board (adafruit-nrfutil,
 * `dfu_transport_serial.py`, `open`; Arduino core "nRF52", `Adafruit_TinyUSB`). Other boards are not affected by
 * either.
 */
import type { Clock } from '@wirebench/clock';
import { openBytePort, playLines } from '../byte-port.ts';
import { isUnplugged } from '../port-failure.ts';
import type { NordicPort } from './connect/nordic-port.ts';

/** Baud rate that requests the bootloader. */
const TOUCH_RATE = 1_200;
/** Time before the port is closed, in milliseconds (`SERIAL_PORT_OPEN_WAIT_TIME`). */
const TOUCH = 100;
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

/**
 * Performs the touch. The board vanishes during it, as intended.
 *
 * @throws PortError if the port cannot be opened.
 * @throws the reason of the signal.
 */
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

/** Resets a board with DTR wired to reset. */
export async function pulseReset({ bytes, clock }: NordicPort, signal: AbortSignal): Promise<void> {
  const steps = [
    [false, true, PULSE],
    [true, true, BOOT],
  ] as const;
  await playLines(clock, bytes, steps, signal);
}
