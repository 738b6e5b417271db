/**
 * A board in its boot ROM, or with a program that answers in its place, for those who need only its register commands: identified, at the wanted rate, with nothing loaded and its
 * flash not even attached.
 */
import type { EspConnectOptions } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import type { EspInfo } from '../esp-info.ts';
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
import { resynchronise, type Speaker, sync } from './synchronise.ts';

/** Requests after a fault, until the ROM counts as silent. */
const SYNC_TRIES = 4;

export interface OpenRomOptions extends Omit<EspConnectOptions, 'stub'>, Pick<SessionOptions, 'tap' | 'beforeReset'> {
  /**
   * Asks at 115,200 baud, before any reset, whether a program on the board answers the ROM's register commands; null: the board is
   * reset into its ROM. @throws PortError; the signal's reason.
   */
  readonly recognise?: (link: CommandLink, signal: AbortSignal) => Promise<AnsweringProgram | null>;
}

export interface RomBoard {
  /** `info.flash` is null: nobody has asked. */
  readonly info: EspInfo;
  readonly link: CommandLink;
  /** Whether a person, and no control line, brings this board into its bootloader. */
  readonly byButtons: boolean;
  /** A program of the board's flash answers in the ROM's place, and the board was not reset. */
  readonly runsProgram: boolean;
  /** Asks whether the ROM, or the program in its place, still listens, and takes all that it says to that. */
  synchronise(signal: AbortSignal): Promise<boolean>;
  /** Resets into the ROM again, at 115,200 baud; false where nothing answers then, or no line resets this board. */
  reset(signal: AbortSignal): Promise<boolean>;
  /**
   * `lost`: the board has another rate than the port, and `reset` brings it back.
   * @param byProgram a program in RAM answers, which makes none of the errors of the ROM's clock
   */
  changeBaudRate(rate: number, signal: AbortSignal, byProgram?: boolean): Promise<Change>;
  /** Starts the board's own program by its lines. */
  restart(signal: AbortSignal): Promise<void>;
  /** Bounded in time; never rejects. */
  close(): Promise<void>;
}

/**
 * @throws EspError, `not-in-rom` where a stub is running, `other-board` for any but the expected one; the port is closed then.
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

/** Null where no program answers, or where it stopped answering: the reset brings such a board back. */
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

/** @param speaker what answers to SYNC: a program says what a stub says */
function romBoard({ clock, link, entry }: SessionPlan, { board, info }: RomSession, speaker: Speaker): RomBoard {
  return {
    info,
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
      await board.chip.prepare?.(registersOf(link, signal), entry.link, board.identity?.revision ?? null);
      return true;
    },
    async changeBaudRate(rate, signal, byProgram = speaker === 'stub') {
      if (entry.link !== 'uart' || rate === link.port.baudRate) {
        return 'kept';
      }
      const asked = byProgram ? rate : await askedRate({ ...board, registers: registersOf(link, signal) }, rate);
      return changeBaudRate(clock, link, { rate, asked, byStub: false, linesFree: entry.buttons }, signal);
    },
    restart: (signal) => restartBoard({ clock, link, port: entry.link, chip: board.chip, info }, signal),
    close: () => link.port.close(),
  };
}
