/**
 * Opens a board in its boot ROM, or with a program that answers the ROM's register commands. The board is identified
 * and at the wanted rate. Nothing is loaded and the flash is not attached.
 */
import type { EspConnectOptions } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import type { EspInfo } from '../esp-info.ts';
import type { FlashAbility, Speaker } from '../flash-ability.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { registersOf } from '../protocol/registers.ts';
import { type Change, changeBaudRate, toRomBaudRate } from './baud-rate.ts';
import { establishTwice, openSession, type SessionOptions } from './open-session.ts';
import { restartBoard } from './restart-board.ts';
import {
  type AnsweringProgram,
  askedRate,
  establishProgram,
  establishRom,
  type RomSession,
  type SessionPlan,
} from './session.ts';
import { resynchronise, sync } from './synchronise.ts';

/** SYNC requests after a fault before the ROM counts as silent. */
const SYNC_TRIES = 4;

export interface OpenRomOptions extends Omit<EspConnectOptions, 'stub'>, Pick<SessionOptions, 'tap' | 'beforeReset'> {
  /**
   * Asks at 115,200 baud, before any reset, if a program on the board answers the ROM's register commands. Null: the
   * board is reset into its ROM.
   *
   * @throws PortError, or the reason of the signal.
   */
  readonly recognise?: (link: CommandLink, signal: AbortSignal) => Promise<AnsweringProgram | null>;
}

export interface RomBoard {
  /** `info.flash` is always null, because the flash chip is not identified. */
  readonly info: EspInfo;
  readonly ability: FlashAbility;
  readonly link: CommandLink;
  /** True: a person brings this board into its bootloader with buttons, not the control lines. */
  readonly byButtons: boolean;
  /** True: a program from the board's flash answers instead of the ROM, and the board was not reset. */
  readonly runsProgram: boolean;
  /** Checks with SYNC that the ROM or the program still answers, and reads all of its answers. */
  synchronise(signal: AbortSignal): Promise<boolean>;
  /**
   * Resets the board into the ROM at 115,200 baud. False if it does not answer then, or if no line resets this board.
   */
  reset(signal: AbortSignal): Promise<boolean>;
  /**
   * Changes the baud rate. `lost`: board and port have different rates; `reset` restores the connection.
   *
   * @param byProgram True if a program in RAM answers, which does not have the clock error of the ROM.
   */
  changeBaudRate(rate: number, signal: AbortSignal, byProgram?: boolean): Promise<Change>;
  /** Restarts the board with its own program by the control lines. */
  restart(signal: AbortSignal): Promise<void>;
  /** Closes the port. Limited in time; never rejects. */
  close(): Promise<void>;
}

/**
 * Opens `device` and connects to its ROM or its answering program.
 *
 * @throws EspError, such as `not-in-rom` if a stub is running, or `other-board` for an unexpected board. The port is
 *   closed then.
 */
export function openRom(device: SerialPort, options: OpenRomOptions): Promise<RomBoard> {
  return openSession(
    device,
    { ...options, stub: false },
    async (plan, signal) =>
      (await runningBoard(plan, options, signal)) ??
      romBoard(plan, await establishTwice(plan, establishRom, signal), 'rom'),
  );
}

/**
 * Connects to an answering program. Returns null if no program answers, or if it stopped answering on a board that a
 * reset can recover.
 */
async function runningBoard(
  plan: SessionPlan,
  { recognise }: OpenRomOptions,
  signal: AbortSignal,
): Promise<RomBoard | null> {
  // A chip that has just come back as a new port is in its bootloader.
  const program = plan.entry.returned ? null : await recognise?.(plan.link, signal);
  if (program === null || program === undefined) {
    return null;
  }
  try {
    return romBoard(plan, await establishProgram(plan, program, signal), 'stub');
  } catch (error) {
    if (error instanceof EspError && !plan.entry.buttons) {
      return null;
    }
    throw error;
  }
}

/** @param speaker Sender of the answers to SYNC. A program answers like a stub. */
function romBoard({ clock, link, entry }: SessionPlan, { board, info }: RomSession, speaker: Speaker): RomBoard {
  const { chip, ability } = board;
  return {
    info,
    ability,
    link,
    byButtons: entry.buttons,
    runsProgram: speaker === 'stub',
    async synchronise(signal) {
      return (await sync(link, signal, SYNC_TRIES)) === speaker;
    },
    async reset(signal) {
      if (entry.buttons) {
        return false;
      }
      await toRomBaudRate(link);
      if ((await resynchronise(clock, link, entry, signal)) !== 'rom') {
        return false;
      }
      await chip.prepare?.(registersOf(link, signal), entry.link, board.identity?.revision ?? null);
      return true;
    },
    async changeBaudRate(rate, signal, byProgram = speaker === 'stub') {
      if (entry.link !== 'uart' || rate === link.port.baudRate) {
        return 'kept';
      }
      const asked = byProgram ? rate : await askedRate({ ...board, registers: registersOf(link, signal) }, rate);
      return changeBaudRate(clock, link, { rate, asked, byStub: false, linesFree: entry.buttons }, signal);
    },
    restart: (signal) => restartBoard({ clock, link, port: entry.link, chip, ability }, signal),
    close: () => link.port.close(),
  };
}
