/** Connecting to an Espressif board: the port, a session on it, and a second attempt where a disturbance spoiled the first. */
import { openBytePort } from '../../byte-port.ts';
import { isUnplugged } from '../../port-failure.ts';
import { awaitReturn } from '../../returned-port.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import type { EspBoard, EspConnectOptions } from '../esp-board.ts';
import { asEspError, EspError, type EspFailure } from '../esp-failure.ts';
import { CommandLink } from '../protocol/command-link.ts';
import { linkOf } from '../reset.ts';
import { leftRates } from './baud-rate.ts';
import { ConnectedEsp } from './connected-esp.ts';
import { establish, type Session, type SessionPlan } from './session.ts';
import { type Entry, romBaudRate } from './synchronise.ts';

const usualBaudRate = 921_600;
/** How long a chip on its own USB port may take to come back as another port, in milliseconds. */
const RETURN_LIMIT = 4_000;

/** What may be no more than a disturbance, once the board has answered at all. */
const passing: ReadonlySet<EspFailure> = new Set<EspFailure>([
  'stopped-answering',
  'unknown-chip',
  'stub-failed',
  'flash-not-found',
]);

const never = new AbortController().signal;

/**
 * Opens `device`, brings the board into its bootloader, learns what it is and makes it ready for fast writing.
 * @throws EspError; the port is closed then.
 */
export async function connectEsp(device: SerialPort, options: EspConnectOptions): Promise<EspBoard> {
  const { clock, signal = never } = options;
  const connect = async (port: SerialPort, returned: boolean) => {
    options.onStep?.('opening');
    const bytePort = await openBytePort(port, { baudRate: romBaudRate }, clock, signal);
    const link = new CommandLink(bytePort, (bytes) => options.onText?.(bytes));
    const entry = { link: linkOf(port), buttons: options.entry === 'buttons', returned };
    const plan = planOf(options, link, entry);
    try {
      return await makeBoard(plan, signal);
    } catch (error) {
      await bytePort.close();
      throw error;
    }
  };
  try {
    try {
      return await connect(device, false);
    } catch (error) {
      if (linkOf(device) === 'uart' || !isUnplugged(error)) {
        throw error;
      }
      const back = await awaitReturn(options, signal, RETURN_LIMIT);
      if (back === null) {
        throw new EspError('came-back-different', { cause: error });
      }
      return await connect(back, true);
    }
  } catch (error) {
    throw asEspError(error, signal);
  }
}

/** A stub that does not start is done without, if the ROM goes on. */
async function makeBoard(plan: SessionPlan, signal: AbortSignal): Promise<EspBoard> {
  try {
    return new ConnectedEsp(plan, await establishTwice(plan, signal));
  } catch (error) {
    if (plan.entry.buttons || !(error instanceof EspError) || error.code !== 'stub-failed') {
      throw error;
    }
    const without: SessionPlan = { ...plan, stub: 'failed' };
    return new ConnectedEsp(without, await establish(without, signal));
  }
}

/** A byte that is lost on the way costs a second attempt, and not a person's time. */
async function establishTwice(plan: SessionPlan, signal: AbortSignal): Promise<Session> {
  try {
    return await establish(plan, signal);
  } catch (error) {
    if (plan.entry.buttons || !(error instanceof EspError) || !passing.has(error.code)) {
      throw error;
    }
    const second = await inTime(plan.clock, recoveryLimit, signal, (limit) => establish(plan, limit));
    if (second === null) {
      throw error;
    }
    return second;
  }
}

function planOf(options: EspConnectOptions, link: CommandLink, entry: Omit<Entry, 'leftRates'>): SessionPlan {
  const baudRate = options.baudRate ?? usualBaudRate;
  return {
    clock: options.clock,
    link,
    entry: { ...entry, leftRates: leftRates(baudRate) },
    baudRate,
    stub: (options.stub ?? true) ? 'wanted' : 'unwanted',
    mac: options.expectedMac ?? null,
    onStep: (step) => options.onStep?.(step),
    onNotice: (notice) => options.onNotice?.(notice),
  };
}
