/** The family of Nordic's chips: one of three bootloaders answers, and takes a package as a whole. */
import type { Clock } from '@wirebench/clock';
import { baseName } from '../core/base-name.ts';
import type { WriteReport } from '../core/board.ts';
import { untilGone } from '../core/until-gone.ts';
import type { Family, FamilyBoard, PlanRequest, WriteOptions } from '../family.ts';
import type { ComparedRegion, PlanFacts } from '../family-values.ts';
import { FileFault } from '../images/file-fault.ts';
import { followReturn } from '../returned-port.ts';
import { connectNrf } from './connect/connect-nrf.ts';
import { nrfStepText } from './connect/step-text.ts';
import { type NrfBoardFacts, type NrfTypes, nrfSettings } from './family-types.ts';
import type { NrfBoard, NrfConnectStep } from './nrf-board.ts';
import { NrfError, nrfFailureText } from './nrf-failure.ts';
import type { NrfFirmware } from './package/nrf-firmware.ts';
import { PackageError } from './package/package-fault.ts';
import { readNrfFirmware } from './package/read-firmware.ts';
import type { NrfRefusal } from './plan/nrf-plan-finding.ts';
import { type NrfPlan, planNrf } from './plan/plan-nrf.ts';

/**
 * Longest time for a board to come back, in milliseconds. A bootloader with two banks copies the new program before
 * it starts it, without a sign of life.
 */
const RETURN_LIMIT = 30_000;

const stepText = { ...nrfStepText, ready: 'Connected' } satisfies Record<NrfConnectStep, string>;

export const createNrfFamily = (): Family<NrfTypes> => ({
  failures: nrfFailureText,
  idName: 'Unique ID',
  // Its bootloaders are started by a person in any case, or by the program.
  startsByHand: false,
  returnLimit: RETURN_LIMIT,
  // Program and bootloader of one board are two USB products of one vendor.
  returnsAs: (before, now) => before.usbVendorId !== undefined && before.usbVendorId === now.usbVendorId,
  // Without a person who can test the program, MCUboot reverts one that does not confirm itself.
  releaseSettings: () => ({ ...nrfSettings, activate: 'test' }),
  readFiles: async ([first, ...others]) => {
    if (first === undefined || others.length > 0) {
      throw new FileFault('A build for a Nordic board is one package or one image. Ask the publisher to correct it.');
    }
    try {
      return [await readNrfFirmware(first.name, first.bytes)];
    } catch (error) {
      if (error instanceof PackageError) {
        throw new FileFault(`${first.name}: ${error.message} ${error.remedy}`);
      }
      throw error;
    }
  },
  async connect(device, { clock, signal, baudRate, isDemo, returned, onStep, onIdentified, onText }) {
    const lastReturn: LastReturn = { port: null };
    const board = await connectNrf(device, {
      clock,
      signal,
      ...(baudRate !== null && { baudRate }),
      returned: followReturn(returned, (back) => {
        lastReturn.port = back;
        return back;
      }),
      onStep: (name) => onStep({ name, text: stepText[name] }),
      ...(onText !== undefined && { onText }),
    });
    onIdentified?.(board);
    return new NrfFamilyBoard({ clock, board, isDemo, lastReturn });
  },
});

/** The port as which a board came back last; null before it has vanished. */
interface LastReturn {
  port: SerialPort | null;
}

interface NrfFamilyBoardParts {
  readonly clock: Clock;
  readonly board: NrfBoard;
  readonly isDemo: boolean;
  readonly lastReturn: LastReturn;
}

/** Shown for bootloaders that need a button. Adafruit's on USB is started through the running program's port. */
const byHandAgain =
  'To flash it again, start its bootloader first: hold its button while you press reset or plug it in.';

class NrfFamilyBoard implements FamilyBoard<NrfTypes> {
  readonly canEraseAll = false;
  readonly rangeStep = null;
  readonly look?: (signal: AbortSignal) => Promise<void>;
  readonly #parts: NrfFamilyBoardParts;
  readonly #board: NrfBoard;
  /** The latest plan. */
  #plan: { readonly firmware: NrfFirmware; readonly activate: NrfTypes['settings']['activate'] } | null = null;

  constructor(parts: NrfFamilyBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
    if (this.#board.info.bootloader === 'mcuboot') {
      this.look = (signal) => this.#board.look(signal);
    }
  }

  get facts(): NrfBoardFacts {
    const { info, baudRate } = this.#board;
    return {
      family: 'nrf',
      name: info.part ?? 'Nordic board',
      model: null,
      id: null,
      flash: { start: 0, size: null },
      areas: [],
      baudRate,
      console: { lines: null, reset: null },
      afterwards: info.bootloader === 'adafruit-dfu' && info.link === 'usb' ? null : byHandAgain,
      info,
    };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  /**
   * A bootloader that proves a write by the program's start has already waited for the board to come back. The caller
   * must not wait again.
   */
  get vanishes(): boolean {
    const { port } = this.#parts.lastReturn;
    const isBack = port !== null && port.connected !== false && port.readable === null;
    return this.#board.info.link === 'usb' && !isBack;
  }

  placeName(place: number): string {
    return this.#plan?.firmware.images[place]?.name ?? `Image ${place + 1}`;
  }

  async plan({ files, settings, guard, overrides = [] }: PlanRequest<NrfTypes>): Promise<PlanFacts> {
    const [firmware] = files;
    this.#plan = null;
    if (firmware === undefined) {
      throw new NrfError('cancelled');
    }
    const { info, baudRate } = this.#board;
    const plan = planNrf(firmware, info, {
      baudRate,
      isDemo: this.#parts.isDemo,
      guard: { model: guard?.model?.startsWith('nrf') ? guard.model : null, flashSize: guard?.flashSize ?? null },
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly NrfRefusal[],
    });
    this.#plan = plan.refusals.length === 0 ? { firmware, activate: settings.activate } : null;
    return planFacts(plan);
  }

  async write({ signal, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new NrfError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { firmware, activate } = this.#plan;
    onStage('writing');
    return this.#board.write(firmware, { signal, onEvent, activate });
  }

  /** Rejects: the three bootloaders do not let their flash be read. */
  async read(): Promise<Uint8Array> {
    throw new NrfError('read-failed', { detail: 'This bootloader cannot read back what is in its flash.' });
  }

  /** Rejects: these bootloaders erase only the flash that they write. */
  async erase(): Promise<void> {
    throw new NrfError('erase-failed', { detail: 'This bootloader erases only what it writes.' });
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

function planFacts({ refusals, overridden, warnings, images, bytes, time }: NrfPlan): PlanFacts {
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
