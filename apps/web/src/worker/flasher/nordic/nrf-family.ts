/**
 * Connects the flasher's worker to Nordic's chips: finds out which of three bootloaders answers, plans a package for
 * it, and writes the package as a whole.
 */
import type { Clock } from '@wirebench/clock';
import { baseName, untilGone, type WriteReport } from '@wirebench/flasher/core';
import {
  connectNordic,
  type NordicBoard,
  NordicError,
  type NordicFirmware,
  type NordicPlan,
  type NordicRefusal,
  planNordic,
} from '@wirebench/flasher/nordic';
import type { BoardConsole, ComparedRegion, PlanFacts, PlanRequest } from '../../../protocol/flash-protocol.ts';
import type { NrfFacts, NrfSettings, NrfTypes } from '../../../protocol/nordic-types.ts';
import { FileSets } from '../given-files.ts';
import type { CarryOut, ConnectContext, FamilyParts, WorkerBoard, WorkerFamily } from '../worker-family.ts';
import { NrfFiles } from './nrf-files.ts';
import { boardLine, stepLine } from './nrf-lines.ts';

/**
 * Longest time for a board to come back, in milliseconds. A bootloader with two banks copies the new program before
 * it starts it, without a sign of life.
 */
const RETURN_LIMIT = 30_000;

export function nrfFamily({ clock }: FamilyParts): WorkerFamily<NrfTypes> {
  const files = new FileSets(() => new NrfFiles());
  return {
    addFiles: (given, set) => files.add(given, set),
    removeFiles: (ids, set) => files.remove(ids, set),
    returnLimit: RETURN_LIMIT,
    // Program and bootloader of one board are two USB products of one vendor.
    returnsAs: (before, now) => before.usbVendorId !== undefined && before.usbVendorId === now.usbVendorId,
    async connect({ baudRate }, context) {
      const { device, signal, onStep, say, onText } = context;
      const lastReturn: LastReturn = { port: null };
      const returned = async (wanted: AbortSignal) => {
        lastReturn.port = await context.returned(wanted);
        return lastReturn.port;
      };
      const board = await connectNordic(device, {
        clock,
        signal,
        baudRate,
        returned,
        onStep: (step) => onStep(step, stepLine(step)),
        onText,
      });
      say(boardLine(board.info, board.baudRate));
      return new NrfHostBoard({ clock, board, files, context, lastReturn });
    },
  };
}

/** The port as which a board came back last; null before it has vanished. */
interface LastReturn {
  port: SerialPort | null;
}

interface NrfHostBoardParts {
  readonly clock: Clock;
  readonly board: NordicBoard;
  readonly files: FileSets<NrfFiles>;
  readonly context: ConnectContext;
  readonly lastReturn: LastReturn;
}

/** Shown for bootloaders that need a button. Adafruit's on USB is started through the running program's port. */
const byHandAgain =
  'To flash it again, start its bootloader first: hold its button while you press reset or plug it in.';

const console: BoardConsole = { lines: null, reset: null };

class NrfHostBoard implements WorkerBoard<NrfTypes> {
  readonly readProof = '';
  readonly #parts: NrfHostBoardParts;
  readonly #board: NordicBoard;
  /** The latest plan. */
  #plan: { readonly firmware: NordicFirmware; readonly activate: NrfSettings['activate'] } | null = null;

  constructor(parts: NrfHostBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
  }

  get facts(): NrfFacts {
    const { info, baudRate } = this.#board;
    const { device, isDemo } = this.#parts.context;
    return {
      family: 'nrf',
      name: info.part ?? 'Nordic board',
      model: null,
      id: null,
      flash: { start: 0, size: null },
      areas: [],
      baudRate,
      console,
      afterwards: info.bootloader === 'adafruit-dfu' && info.link === 'usb' ? null : byHandAgain,
      demo: isDemo,
      port: device.getInfo(),
      info,
    };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  /**
   * A bootloader that proves a write by the program's start has already waited for the board to come back. The worker
   * must not wait again.
   */
  get vanishes(): boolean {
    const { port } = this.#parts.lastReturn;
    const isBack = port !== null && port.connected !== false && port.readable === null;
    return this.#board.info.link === 'usb' && !isBack;
  }

  readonly placeName = (place: number): string => this.#plan?.firmware.images[place]?.name ?? `Image ${place + 1}`;

  async plan({ files, fileSet, settings, guard, overrides }: PlanRequest<NrfSettings>): Promise<PlanFacts> {
    const firmware = this.#parts.files.of(fileSet).forPlan(files.map(({ id }) => id));
    this.#plan = null;
    if (firmware === null) {
      throw new NordicError('cancelled');
    }
    const { info, baudRate } = this.#board;
    const plan = planNordic(firmware, info, {
      baudRate,
      isDemo: this.#parts.context.isDemo,
      guard: { model: guard?.model?.startsWith('nrf') ? guard.model : null, flashSize: null },
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly NordicRefusal[],
    });
    this.#plan = plan.refusals.length === 0 ? { firmware, activate: settings.activate } : null;
    return planFacts(plan);
  }

  async write({ signal, onStage, onEvent }: CarryOut): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new NordicError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { firmware, activate } = this.#plan;
    onStage('writing');
    return this.#board.write(firmware, { signal, onEvent, activate });
  }

  /** Rejects: the three bootloaders do not let their flash be read. */
  async read(): Promise<Uint8Array> {
    throw new NordicError('read-failed', { detail: 'This bootloader cannot read back what is in its flash.' });
  }

  /** Rejects: these bootloaders erase only the flash that they write. */
  async erase(): Promise<void> {
    throw new NordicError('erase-failed', { detail: 'This bootloader erases only what it writes.' });
  }

  /** Does nothing: this family has no further actions. */
  async perform(): Promise<boolean> {
    return true;
  }

  async restart(): Promise<void> {
    if (!this.over.aborted) {
      await this.#board.restart();
      if (this.vanishes) {
        await untilGone(this.over, this.#parts.clock);
      }
    }
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

function planFacts({ refusals, overridden, warnings, images, bytes, time }: NordicPlan): PlanFacts {
  const there = new Set(warnings.filter(({ code }) => code === 'already-there').flatMap(({ files }) => files));
  const regions = images.map(
    (image, place): ComparedRegion => ({
      offset: place,
      length: image.bytes.length,
      file: baseName(image.name),
      same: there.has(image.name) ? true : image.kind === 'mcuboot' ? false : null,
    }),
  );
  const whole = images.reduce((sum, image) => sum + image.bytes.length, 0);
  return {
    refusals,
    overridden,
    warnings,
    eraseAll: false,
    regions,
    map: [],
    toWrite: bytes,
    same: whole - bytes,
    duration: time,
  };
}
