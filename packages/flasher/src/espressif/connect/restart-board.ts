/** Out of the bootloader: the program starts by the control lines, or the chip resets itself where they would not do. */
import type { Clock } from '@wirebench/clock';
import { isUnplugged } from '../../port-failure.ts';
import type { Chip } from '../chips/chip.ts';
import type { EspInfo, EspLink } from '../esp-info.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { registersOf } from '../protocol/registers.ts';
import { startProgram } from '../reset.ts';
import { romBaudRate } from './synchronise.ts';

/** A chip that resets itself has done so after this many milliseconds (esptool, `watchdog_reset`). */
const WATCHDOG_RESET = 500;

export interface Restarted {
  readonly clock: Clock;
  readonly link: CommandLink;
  readonly port: EspLink;
  readonly chip: Chip;
  readonly info: EspInfo;
}

/** Leaves the port open at the rate at which the ROM and most programs print. @throws PortError; the reason of the signal. */
export async function restartBoard({ clock, link, port, chip, info }: Restarted, signal: AbortSignal): Promise<void> {
  // In Secure Download Mode there are no registers. A board that no longer answers is restarted all the same, by its lines.
  const leaving = info.security.secureDownload ? undefined : chip.leave?.(registersOf(link, signal), port);
  const resetsItself = (await leaving?.catch(() => false)) ?? false;
  if (port === 'uart' && link.port.baudRate !== romBaudRate) {
    await link.port.reopen({ baudRate: romBaudRate });
  }
  link.discard();
  if (resetsItself) {
    await link.listen(WATCHDOG_RESET, signal).catch(() => undefined);
    return;
  }
  try {
    await startProgram(clock, link.port, port, signal);
  } catch (error) {
    // A chip on its own USB port may vanish at its reset: that is the restart.
    if (port === 'uart' || !isUnplugged(error)) {
      throw error;
    }
  }
}
