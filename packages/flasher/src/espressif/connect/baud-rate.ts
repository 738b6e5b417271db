/**
 * Another baud rate, with the way back: a rate that is refused, or at which nothing arrives, is given up for the next lower
 * one. The board and the port change one after the other, so each change ends with a question that must be answered.
 */
import type { Clock } from '@wirebench/clock';
import { PortError } from '../../port-failure.ts';
import { deadlines } from '../deadlines.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { changeBaudRateRequest } from '../protocol/commands.ts';
import { letGo } from '../reset.ts';
import { romBaudRate, sync } from './synchronise.ts';

/** What is tried after a rate that does not work. */
const ladder = [921_600, 460_800, 230_400];
/** The board sets its divider up to 10 ms after it has answered (esp-stub-lib, `uart_rominit_set_baudrate`), in milliseconds. */
const SETTLE = 20;
const SYNC_TRIES = 3;

/** `kept`: the rate did not change and all is well. `lost`: nobody knows at which rate the board is. */
export type Change = 'changed' | 'kept' | 'lost';

/** The rates to try, the wanted one first. */
export function ratesFrom(wanted: number): readonly number[] {
  return [wanted, ...ladder.filter((rate) => rate < wanted)];
}

/** Rates at which an earlier connection may have left a board, the likeliest first: people seldom change the rate. */
export function leftRates(wanted: number): readonly number[] {
  return [...new Set([wanted, ...ladder, 2_000_000, 1_500_000])].filter((rate) => rate !== romBaudRate);
}

export interface BaudChange {
  /** The port's. */
  readonly rate: number;
  /** What the board is asked for, where its ROM takes its crystal for another. */
  readonly asked: number;
  readonly byStub: boolean;
  /** Opened again, the port's lines are let go of. */
  readonly linesFree: boolean;
}

/** @throws PortError when the port is gone; the signal's reason. */
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
    // The driver does not know this rate, and the board has it already.
    return 'lost';
  }
  link.discard();
  if (linesFree) {
    await letGo(port);
  }
  return (await sync(link, signal, SYNC_TRIES)) === null ? 'lost' : 'changed';
}

/** Back to where every reset starts. */
export async function toRomBaudRate(link: CommandLink): Promise<void> {
  if (link.port.baudRate !== romBaudRate) {
    await link.port.reopen({ baudRate: romBaudRate });
    link.discard();
  }
}
