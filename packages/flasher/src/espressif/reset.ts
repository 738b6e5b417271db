/** Control lines that start an Espressif board's bootloader or its program. The sequences come from the serial package. */
import type { Clock } from '@wirebench/clock';
import { bootloaderSteps, espressifPortOf, linesOff, linesRaised, programSteps } from '@wirebench/serial/port';
import { type BytePort, playLines } from '../byte-port.ts';
import type { EspLink } from './esp-info.ts';

/** For a capacitor at EN that makes it rise very slowly, in milliseconds (esptool, option `reset_delay`). */
const LONG_STRAP = 550;

/** What kind of port this is. A board that names itself something of its own is taken for one with a bridge. */
export function linkOf(device: SerialPort): EspLink {
  return espressifPortOf(device.getInfo());
}

/**
 * @param patient leave a slow capacitor at EN more time.
 * @throws the reason of `signal`, with the lines let go.
 */
export function enterBootloader(
  clock: Clock,
  port: BytePort,
  link: EspLink,
  patient: boolean,
  signal: AbortSignal,
): Promise<void> {
  // Opening raised both.
  const steps = bootloaderSteps(link, linesRaised, patient ? LONG_STRAP : undefined);
  return playLines(clock, port, steps, signal, linesOff, programSteps(link));
}

export function startProgram(clock: Clock, port: BytePort, link: EspLink, signal: AbortSignal): Promise<void> {
  return playLines(clock, port, programSteps(link), signal, linesOff);
}

/**
 * Lets go of both lines, which opening a port raises: boards without the transistors may be held in reset, or in their
 * bootloader, by a line that is raised. RTS goes first: DTR first is a reset where the transistors are.
 */
export async function letGo(port: BytePort): Promise<void> {
  await port.setLines(true, false);
  await port.setLines(false, false);
}
