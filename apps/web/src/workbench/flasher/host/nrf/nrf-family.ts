/** Nordic's chips behind the flasher's host: whichever bootloader answers, a package planned against it and written as a whole. */
import type { Clock } from '@wirebench/clock';
import type { WriteReport } from '@wirebench/flasher/core';
import {
  connectNordic,
  type NordicBoard,
  NordicError,
  type NordicFirmware,
  type NordicPlan,
  type NordicRefusal,
  planNordic,
} from '@wirebench/flasher/nordic';
import type { BoardConsole, ComparedRegion, PlanFacts, PlanRequest } from '../../flash-protocol.ts';
import type { CarryOut, ConnectContext, FamilyParts, HostBoard, HostFamily } from '../host-family.ts';
import { NrfFiles } from './nrf-files.ts';
import { boardLine, stepLine } from './nrf-lines.ts';
import type { NrfFacts, NrfSettings, NrfTypes } from './nrf-types.ts';

/** How long a bootloader stores its settings after a write before it takes its USB port with it, in milliseconds. */
const LEAVE_LIMIT = 3_000;

/** A bootloader with two banks copies the new program before it starts it, which is silent work of up to this long, in milliseconds. */
const RETURN_LIMIT = 30_000;

export function nrfFamily({ clock }: FamilyParts): HostFamily<NrfTypes> {
  const files = new NrfFiles();
  return {
    addFiles: (given) => files.add(given),
    removeFiles: (ids) => files.remove(ids),
    returnLimit: RETURN_LIMIT,
    // Program and bootloader of one board are two products of one maker.
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

/** As what a board was last back after it had vanished. */
interface LastReturn {
  port: SerialPort | null;
}

interface NrfHostBoardParts {
  readonly clock: Clock;
  readonly board: NordicBoard;
  readonly files: NrfFiles;
  readonly context: ConnectContext;
  readonly lastReturn: LastReturn;
}

/** Adafruit's on USB is asked for by the running program's port; the others wait for a hand. */
const byHandAgain =
  'To flash it again, start its bootloader first: hold its button while you press reset or plug it in.';

const console: BoardConsole = { lines: null, reset: null };

class NrfHostBoard implements HostBoard<NrfTypes> {
  readonly readProof = '';
  readonly #parts: NrfHostBoardParts;
  readonly #board: NordicBoard;
  /** The one that was made last. */
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

  /** A bootloader that proves a write by the program's start has seen it come back: there is no other return to wait for. */
  get vanishes(): boolean {
    const { port } = this.#parts.lastReturn;
    const isBack = port !== null && port.connected !== false && port.readable === null;
    return this.#board.info.link === 'usb' && !isBack;
  }

  readonly placeName = (place: number): string => this.#plan?.firmware.images[place]?.name ?? `Image ${place + 1}`;

  async plan({ files, settings, overrides }: PlanRequest<NrfSettings>): Promise<PlanFacts> {
    const firmware = this.#parts.files.forPlan(files.map(({ id }) => id));
    this.#plan = null;
    if (firmware === null) {
      throw new NordicError('cancelled');
    }
    const { info, baudRate } = this.#board;
    const plan = planNordic(firmware, info, {
      baudRate,
      isDemo: this.#parts.context.isDemo,
      // A code that is none of a plan's is none of its refusals.
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

  /** None of the three bootloaders lets its flash be read. */
  async read(): Promise<Uint8Array> {
    throw new NordicError('read-failed', { detail: 'This bootloader cannot read back what is in its flash.' });
  }

  /** They erase what they write, and nothing else. */
  async erase(): Promise<void> {
    throw new NordicError('erase-failed', { detail: 'This bootloader erases only what it writes.' });
  }

  /** There is nothing else that these boards are asked for. */
  async perform(): Promise<boolean> {
    return true;
  }

  async restart(): Promise<void> {
    if (!this.over.aborted) {
      await this.#board.restart();
      await this.#untilGone();
    }
  }

  close(): Promise<void> {
    return this.#board.close();
  }

  /** The program's port is another one: whoever waits for it must not take the bootloader's for it. */
  async #untilGone(): Promise<void> {
    if (this.vanishes && !this.over.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.over.addEventListener('abort', () => resolve(), { once: true });
      const cancel = this.#parts.clock.schedule(LEAVE_LIMIT, resolve);
      await promise;
      cancel();
    }
  }
}

function planFacts({ refusals, overridden, warnings, images, bytes, time }: NordicPlan): PlanFacts {
  const there = new Set(warnings.filter(({ code }) => code === 'already-there').flatMap(({ files }) => files));
  const regions = images.map(
    (image, place): ComparedRegion => ({
      offset: place,
      length: image.bytes.length,
      file: image.name.slice(image.name.lastIndexOf('/') + 1),
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
