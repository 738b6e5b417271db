/**
 * Starts an Espressif board's bootloader or its program by the control lines. The sequences are in the serial
 * package.
 */
import type { Clock } from '@wirebench/clock';
import { bootloaderSteps, espPortKind, linesOff, linesRaised, programSteps } from '@wirebench/port';
import { type BytePort, playLines } from '../byte-port.ts';
import type { EspLink } from './esp-info.ts';

/** Hold time for a capacitor that makes EN rise very slowly, in milliseconds (esptool, option `reset_delay`). */
const LONG_STRAP = 550;

/** Returns the kind of port. A board with its own USB product name counts as one with a bridge. */
export function linkOf(device: SerialPort): EspLink {
  return espPortKind(device.getInfo());
}

/**
 * Resets the board into its bootloader.
 *
 * @param patient True: allow more time for a slow capacitor at EN.
 * @throws the reason of `signal`; the lines are released then.
 */
export function enterBootloader(
  clock: Clock,
  port: BytePort,
  link: EspLink,
  patient: boolean,
  signal: AbortSignal,
): Promise<void> {
  // Opening the port raised both lines.
  const steps = bootloaderSteps(link, linesRaised, patient ? LONG_STRAP : undefined);
  return playLines(clock, port, steps, signal, linesOff, programSteps(link));
}

export function startProgram(clock: Clock, port: BytePort, link: EspLink, signal: AbortSignal): Promise<void> {
  return playLines(clock, port, programSteps(link), signal, linesOff);
}

/**
 * Releases both lines, which opening a port raises. On boards without the reset transistors, a raised line may hold
 * the chip in reset or in its bootloader. RTS is released first, because DTR first is a reset on boards with the
 * transistors.
 */
export async function letGo(port: BytePort): Promise<void> {
  await port.setLines(true, false);
  await port.setLines(false, false);
}
