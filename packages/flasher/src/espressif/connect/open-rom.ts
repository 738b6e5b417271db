/**
 * A board in its boot ROM for those who need only its register commands: identified, at the wanted rate, with nothing loaded and its
 * flash not even attached.
 */
import type { EspConnectOptions } from '../esp-board.ts';
import type { EspInfo } from '../esp-info.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { registersOf } from '../protocol/registers.ts';
import { type Change, changeBaudRate, toRomBaudRate } from './baud-rate.ts';
import { establishTwice, openSession, type SessionOptions } from './open-session.ts';
import { restartBoard } from './restart-board.ts';
import { askedRate, establishRom, type RomSession, type SessionPlan } from './session.ts';
import { resynchronise, sync } from './synchronise.ts';

/** Requests after a fault, until the ROM counts as silent. */
const SYNC_TRIES = 4;

export type OpenRomOptions = Omit<EspConnectOptions, 'stub'> & Pick<SessionOptions, 'tap'>;

export interface RomBoard {
  /** `info.flash` is null: nobody has asked. */
  readonly info: EspInfo;
  readonly link: CommandLink;
  /** Whether a person, and no control line, brings this board into its bootloader. */
  readonly byButtons: boolean;
  /** Asks whether the ROM still listens, and takes all that it says to that. */
  synchronise(signal: AbortSignal): Promise<boolean>;
  /** Resets into the ROM again, at 115,200 baud; false where nothing answers then, or no line resets this board. */
  reset(signal: AbortSignal): Promise<boolean>;
  /** `lost`: the board has another rate than the port, and `reset` brings it back. */
  changeBaudRate(rate: number, signal: AbortSignal): Promise<Change>;
  /** Starts the board's own program by its lines. */
  restart(signal: AbortSignal): Promise<void>;
  /** Bounded in time; never rejects. */
  close(): Promise<void>;
}

/**
 * @throws EspError, `not-in-rom` where a stub is running, `other-board` for any but the expected one; the port is closed then.
 */
export function openRom(device: SerialPort, options: OpenRomOptions): Promise<RomBoard> {
  return openSession(device, { ...options, stub: false }, async (plan, signal) =>
    romBoard(plan, await establishTwice(plan, establishRom, signal)),
  );
}

function romBoard({ clock, link, entry }: SessionPlan, { board, info }: RomSession): RomBoard {
  return {
    info,
    link,
    byButtons: entry.buttons,
    async synchronise(signal) {
      return (await sync(link, signal, SYNC_TRIES)) === 'rom';
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
    async changeBaudRate(rate, signal) {
      if (entry.link !== 'uart' || rate === link.port.baudRate) {
        return 'kept';
      }
      const asked = await askedRate({ ...board, registers: registersOf(link, signal) }, rate);
      return changeBaudRate(clock, link, { rate, asked, byStub: false, linesFree: entry.buttons }, signal);
    },
    restart: (signal) => restartBoard({ clock, link, port: entry.link, chip: board.chip, info }, signal),
    close: () => link.port.close(),
  };
}
