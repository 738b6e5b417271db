/**
 * Changes the baud rate. A rate that is refused, or at which no answer arrives, falls back to the next lower one. The
 * board and the port change one after the other, so each change ends with a SYNC.
 */
import type { Clock } from '@wirebench/clock';
import { PortError } from '../../port-failure.ts';
import { deadlines } from '../deadlines.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { changeBaudRateRequest } from '../protocol/commands.ts';
import { letGo } from '../reset.ts';
import { romBaudRate, sync } from './synchronise.ts';

/** Rates to try after one that does not work, highest first. */
const ladder = [921_600, 460_800, 230_400];
/**
 * Wait after the answer, in milliseconds. The board sets its divider up to 10 ms after it has answered (esp-stub-lib,
 * `uart_rominit_set_baudrate`).
 */
const SETTLE = 20;
const SYNC_TRIES = 3;

/** `kept`: the old rate stays in use. `lost`: the board's rate is unknown. */
export type Change = 'changed' | 'kept' | 'lost';

/** Returns the rates to try, starting with the wanted one. */
export function ratesFrom(wanted: number): readonly number[] {
  return [wanted, ...ladder.filter((rate) => rate < wanted)];
}

/**
 * Returns the rates at which an earlier connection may have left a board, the most likely first. The wanted rate
 * comes first, because people seldom change it.
 */
export function leftRates(wanted: number): readonly number[] {
  return [...new Set([wanted, ...ladder, 2_000_000, 1_500_000])].filter((rate) => rate !== romBaudRate);
}

export interface BaudChange {
  /** New rate of the port. */
  readonly rate: number;
  /** Rate requested from the board. It differs from `rate` if the ROM assumes another crystal. */
  readonly asked: number;
  readonly byStub: boolean;
  /** True: release the control lines after the port has been reopened. */
  readonly linesFree: boolean;
}

/**
 * Changes the rate of the board and then of the port.
 *
 * @throws PortError if the port is gone.
 * @throws the reason of `signal`.
 */
export async function changeBaudRate(
  clock: Clock,
  link: CommandLink,
  { rate, asked, byStub, linesFree }: BaudChange,
  signal: AbortSignal,
): Promise<Change> {
  const { port } = link;
  const before = port.baudRate;
  const request = changeBaudRateRequest(asked, byStub ? before : 0);
  const reply = await link.exchange(request, { limit: deadlines.changeBaudRate, signal });
  if (reply.kind === 'refused') {
    return 'kept';
  }
  await clock.sleep(SETTLE, signal);
  try {
    await port.reopen({ baudRate: rate });
  } catch (error) {
    if (!(error instanceof PortError) || error.code !== 'open-failed') {
      throw error;
    }
    // The driver does not support this rate, but the board has already changed to it.
    return 'lost';
  }
  link.discard();
  if (linesFree) {
    await letGo(port);
  }
  return (await sync(link, signal, SYNC_TRIES)) === null ? 'lost' : 'changed';
}

/** Sets the port back to the rate at which every ROM starts. */
export async function toRomBaudRate(link: CommandLink): Promise<void> {
  if (link.port.baudRate !== romBaudRate) {
    await link.port.reopen({ baudRate: romBaudRate });
    link.discard();
  }
}
