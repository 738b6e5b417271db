/**
 * Opens a port for a session, and tries a second time if a disturbance spoiled the first attempt. The caller decides
 * what the session is for.
 */
import { openBytePort } from '../../byte-port.ts';
import { isUnplugged } from '../../port-failure.ts';
import { awaitReturn } from '../../returned-port.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import type { EspConnectOptions, EspConnectStep } from '../esp-board.ts';
import { asEspError, EspError, type EspFailure } from '../esp-failure.ts';
import { CommandLink, type FrameTap } from '../protocol/command-link.ts';
import { linkOf, startProgram } from '../reset.ts';
import { leftRates, toRomBaudRate } from './baud-rate.ts';
import type { SessionPlan } from './session.ts';
import { type Entry, reopens, romBaudRate } from './synchronise.ts';

const usualBaudRate = 921_600;
/** Time in which a chip on its own USB port must come back as another port, in milliseconds. */
const RETURN_LIMIT = 4_000;

/** Failures that a mere disturbance may cause once the board has answered. */
const passing: ReadonlySet<EspFailure> = new Set<EspFailure>([
  'stopped-answering',
  'unknown-chip',
  'stub-failed',
  'flash-not-found',
]);

const never = new AbortController().signal;

export interface SessionOptions extends EspConnectOptions {
  readonly tap?: FrameTap;
  /**
   * Asks a board behind a UART, before the first reset by its lines, if an earlier session left it in its bootloader.
   * Called at 115,200 baud, then at the final rate, until it returns true for an answer.
   *
   * @throws PortError, or the reason of the signal.
   */
  readonly beforeReset?: (link: CommandLink, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Opens `device`, and returns the result of `make` for its plan.
 *
 * @throws EspError; the port is closed then.
 */
export async function openSession<Result>(
  device: SerialPort,
  options: SessionOptions,
  make: (plan: SessionPlan, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { clock, signal = never } = options;
  const connect = async (port: SerialPort, returned: boolean) => {
    options.onStep?.('opening');
    const bytePort = await openBytePort(port, { baudRate: romBaudRate }, clock, signal);
    const link = new CommandLink(bytePort, (bytes) => options.onText?.(bytes), options.tap ?? null);
    const entry = { link: linkOf(port), buttons: options.entry === 'buttons', returned };
    const reached = new Set<EspConnectStep>();
    const onStep = (step: EspConnectStep) => {
      reached.add(step);
      options.onStep?.(step);
    };
    const plan = planOf({ ...options, onStep }, link, entry);
    try {
      await askBeforeReset(plan, options.beforeReset, signal);
      return await make(plan, signal);
    } catch (error) {
      // A board that never answered has already been reset, and needs a person's help.
      if (options.bringBack && reached.has(signal.aborted ? 'resetting' : 'identifying')) {
        await bringBack(plan);
      }
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

/**
 * Calls `ask` at up to two rates. Afterwards the port is at the ROM's rate, and text that was received at the wrong
 * rate is dropped.
 */
async function askBeforeReset(
  { link, entry, baudRate }: SessionPlan,
  ask: SessionOptions['beforeReset'],
  signal: AbortSignal,
): Promise<void> {
  if (ask === undefined || entry.link !== 'uart' || entry.buttons || entry.returned) {
    return;
  }
  if (!(await ask(link, signal)) && baudRate !== romBaudRate && (await reopens(link, baudRate))) {
    link.discard();
    await ask(link, signal);
  }
  await toRomBaudRate(link);
  link.discard();
  link.forgetText();
}

/** Restarts the board's own program. Never rejects: a board that is gone, or has no line for it, is left as it is. */
async function bringBack({ clock, link, entry }: SessionPlan): Promise<void> {
  if (!entry.buttons && !link.port.over.aborted) {
    const start = (signal: AbortSignal) => startProgram(clock, link.port, entry.link, signal);
    await inTime(clock, recoveryLimit, never, start).catch(() => undefined);
  }
}

/**
 * Milliseconds for the second attempt, including reset and stub. It reads each fact about the chip twice, which takes
 * longer than `recoveryLimit` through the link of a shared bench.
 */
const secondAttemptLimit = recoveryLimit + 2_000;

/**
 * Calls `establish`, and once more after a fault that may be a disturbance. A board on buttons is not reset, but gets
 * its second attempt too if it still answers.
 */
export async function establishTwice<Session>(
  plan: SessionPlan,
  establish: (plan: SessionPlan, signal: AbortSignal) => Promise<Session>,
  signal: AbortSignal,
): Promise<Session> {
  try {
    return await establish(plan, signal);
  } catch (error) {
    if (!(error instanceof EspError) || !passing.has(error.code)) {
      throw error;
    }
    const second = await inTime(plan.clock, secondAttemptLimit, signal, (limit) => establish(plan, limit));
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
