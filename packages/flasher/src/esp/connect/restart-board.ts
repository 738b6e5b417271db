/** Leaves the bootloader. The control lines start the program, or the chip resets itself if the lines cannot. */
import type { Clock } from '@wirebench/clock';
import { isUnplugged } from '../../port-failure.ts';
import type { Chip } from '../chips/chip.ts';
import type { EspLink } from '../esp-info.ts';
import type { FlashAbility } from '../flash-ability.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { registersOf } from '../protocol/registers.ts';
import { startProgram } from '../reset.ts';
import { romBaudRate } from './synchronise.ts';

/** Milliseconds until a chip has reset itself (esptool, `watchdog_reset`). */
const WATCHDOG_RESET = 500;

export interface Restarted {
  readonly clock: Clock;
  readonly link: CommandLink;
  readonly port: EspLink;
  readonly chip: Chip;
  readonly ability: FlashAbility;
}

/**
 * Restarts the board. The port stays open at the rate at which the ROM and most programs print.
 *
 * @throws PortError, or the reason of the signal.
 */
export async function restartBoard(
  { clock, link, port, chip, ability }: Restarted,
  signal: AbortSignal,
): Promise<void> {
  // A board that no longer answers is restarted by its lines nevertheless.
  const leaving = ability.canAccessRegisters ? chip.leave?.(registersOf(link, signal), port) : undefined;
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
    // A chip on its own USB port may vanish during its reset, which means that it restarted.
    if (port === 'uart' || !isUnplugged(error)) {
      throw error;
    }
  }
}
