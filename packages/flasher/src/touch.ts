/**
 * The touch at 1,200 baud: a port is opened at that rate and DTR is released. Sketches with the USB of an Arduino core
 * start their bootloader then, which has a port of its own.
 */
import type { Clock } from '@wirebench/clock';
import { openBytePort, playLines } from './byte-port.ts';
import { isUnplugged } from './port-failure.ts';

const TOUCH_RATE = 1_200;
/** Time before the port is closed, in milliseconds (adafruit-nrfutil, `SERIAL_PORT_OPEN_WAIT_TIME`). */
const TOUCH = 100;
/** Time for which DTR is released, in milliseconds (adafruit-nrfutil, `dfu_transport_serial.py`, `open`). */
const RELEASED = 50;

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
    await playLines(clock, port, [[false, false, RELEASED]], signal);
  } catch (error) {
    if (!isUnplugged(error)) {
      throw error;
    }
  } finally {
    await port.close();
  }
}
