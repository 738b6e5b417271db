/** Waits for a bootloader that restarts by itself between two images. */
import { inTime } from '../../time-limit.ts';
import type { NrfPort } from '../connect/nrf-port.ts';
import { copyLimit, vanishLimit } from '../deadlines.ts';
import { NrfError } from '../nrf-failure.ts';

/**
 * Follows the port if it vanishes, then waits for the bootloader.
 *
 * @param settle Milliseconds in which a board whose port stays is left alone.
 * @param untilThere Asks until the bootloader answers or the signal aborts.
 * @throws NrfError `came-back-different` or `stopped-answering`.
 * @throws PortError, or the reason of the signal.
 */
export async function awaitRestart(
  port: NrfPort,
  settle: number,
  signal: AbortSignal,
  untilThere: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const isBack = await inTime(port.clock, copyLimit, signal, async (limit) => {
    if (await port.vanished(port.link === 'usb' ? vanishLimit : settle, limit)) {
      await port.follow(limit, copyLimit);
    }
    await untilThere(limit);
    return true;
  });
  if (isBack === null) {
    throw new NrfError(port.bytes.over.aborted ? 'came-back-different' : 'stopped-answering');
  }
}
