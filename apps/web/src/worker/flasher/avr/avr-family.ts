/** Connects the flasher's worker to boards with an AVR: behind an adapter, or on the USB of an ATmega32U4. */
import {
  type AvrBoard,
  AvrError,
  type AvrPlan,
  type AvrRefusal,
  carryOutAvr,
  connectAvr,
  isAvrModel,
  planAvr,
} from '@wirebench/flasher/avr';
import { type FlashRange, UnrestoredBoards, type UnrestoredFlash, type WriteReport } from '@wirebench/flasher/core';
import { avrChipOf } from '@wirebench/flasher/release/builds';
import type { PortNumber } from '@wirebench/serial';
import { type AvrFacts, type AvrSettings, type AvrTypes, EEPROM_START } from '../../../protocol/avr-types.ts';
import type {
  BoardConsole,
  ComparedRegion,
  ConnectRequest,
  NamedArea,
  PlanFacts,
  PlanRequest,
} from '../../../protocol/flash-protocol.ts';
import { addressText } from '../../../shared/format/hex.ts';
import { FileSets } from '../given-files.ts';
import type { BoardWork, CarryOut, ConnectContext, FamilyParts, WorkerBoard, WorkerFamily } from '../worker-family.ts';
import { AvrFiles } from './avr-files.ts';
import { boardLine, oldBootloaderLine, stepLine } from './avr-lines.ts';

/** Rate of the first attempt, in baud. */
const USUAL_RATE = 115_200;

/** USB vendors of boards with an ATmega32U4: Arduino, Arduino.org, SparkFun, Adafruit. */
const usbVendors: readonly (number | undefined)[] = [0x2341, 0x2a03, 0x1b4f, 0x239a];

export function avrFamily({ clock }: FamilyParts): WorkerFamily<AvrTypes> {
  const files = new FileSets((limit) => new AvrFiles(limit));
  const boards = new UnrestoredBoards<PortNumber>();
  return {
    addFiles: (given, set) => files.add(given, set),
    removeFiles: (ids, set) => files.remove(ids, set),
    // Bootloader and sketch of one board are two USB products. A compatible board may have them from two vendors.
    returnsAs: (before, now) =>
      before.usbVendorId !== undefined &&
      (before.usbVendorId === now.usbVendorId ||
        (usbVendors.includes(before.usbVendorId) && usbVendors.includes(now.usbVendorId))),
    async connect(request, context) {
      const { device, signal, onStep, say } = context;
      const lastReturn: LastReturn = { port: null };
      const returned = async (wanted: AbortSignal) => {
        lastReturn.port = await context.returned(wanted);
        return lastReturn.port;
      };
      const rate = rateOf(request);
      const autoReset = request.byHand !== true && request.settings.reset === 'lines';
      const board = await connectAvr(device, {
        clock,
        signal,
        autoReset,
        returned,
        ...(rate !== null && { baudRate: rate }),
        onStep: (step) => onStep(step, stepLine(step)),
      });
      say(boardLine(board.info, board.baudRate));
      if (board.info.isOldBootloader) {
        say(oldBootloaderLine);
      }
      const { port: place, isSame } = context;
      const unrestored = boards.of({ id: null, chip: board.info.signature, place, isSame });
      return new AvrHostBoard({ board, files, unrestored, context, autoReset, lastReturn });
    },
  };
}

/** Returns the only rate to try; null to find it. A rate that one attempt asks for counts more than the setting. */
function rateOf({ baudRate, settings }: ConnectRequest<AvrSettings>): number | null {
  return baudRate === USUAL_RATE ? settings.rate : baudRate;
}

/** The port as which a board came back last; null before it has vanished. */
interface LastReturn {
  port: SerialPort | null;
}

interface AvrHostBoardParts {
  readonly board: AvrBoard;
  readonly files: FileSets<AvrFiles>;
  readonly unrestored: UnrestoredFlash;
  readonly context: ConnectContext;
  /** True: a falling DTR resets the board. */
  readonly autoReset: boolean;
  readonly lastReturn: LastReturn;
}

/** Both lines are asserted while a program uses the port, as in the Arduino IDE's monitor. */
const running = { dtr: true, rts: true };
/** From here to `running` the capacitor at DTR resets the board. */
const released = { dtr: false, rts: false };

class AvrHostBoard implements WorkerBoard<AvrTypes> {
  readonly readProof = 'without a hash to compare';
  readonly #parts: AvrHostBoardParts;
  readonly #board: AvrBoard;
  /** The latest plan. */
  #plan: AvrPlan | null = null;

  constructor(parts: AvrHostBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
  }

  get facts(): AvrFacts {
    const { info, baudRate } = this.#board;
    const { device, isDemo } = this.#parts.context;
    return {
      family: 'avr',
      name: info.part,
      model: null,
      id: null,
      flash: { start: 0, size: info.flashSize === 0 ? null : info.flashSize },
      areas: areasOf(info),
      baudRate,
      console: this.#console,
      demo: isDemo,
      port: (this.#parts.lastReturn.port ?? device).getInfo(),
      info,
    };
  }

  get #console(): BoardConsole {
    return { lines: running, reset: this.#board.info.link === 'uart' && this.#parts.autoReset ? released : null };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.info.link === 'usb';
  }

  readonly placeName = (offset: number): string =>
    offset < EEPROM_START ? addressText(offset) : `EEPROM ${addressText(offset - EEPROM_START)}`;

  async plan({ files, fileSet, settings, guard, overrides }: PlanRequest<AvrSettings>): Promise<PlanFacts> {
    const { info, baudRate } = this.#board;
    const { isDemo } = this.#parts.context;
    const plan = planAvr({
      files: this.#parts.files.of(fileSet).forPlan(files, settings.writesEeprom),
      board: { info, isDemo, baudRate },
      guard: { model: this.#wantedModel(guard?.model ?? null), isDemo: guard?.demo ?? false },
      eraseAll: settings.eraseAll,
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly AvrRefusal[],
    });
    this.#plan = plan;
    const { refusals, overridden, eraseAll, bytes, time } = plan;
    return {
      refusals,
      overridden,
      warnings: plan.warnings,
      eraseAll,
      map: plan.map.map((area) => (area.name === 'bootloader' ? { ...area, name: 'Bootloader' } : area)),
      regions: regionsOf(plan),
      toWrite: bytes,
      same: 0,
      duration: time,
    };
  }

  /** Returns the chip that a release asks for. A series or board that the part belongs to counts as the part. */
  #wantedModel(model: string | null) {
    const chip = model === null ? '' : avrChipOf(model);
    const own = this.#board.info.model;
    if (chip === '' || own?.startsWith(chip)) {
      return null;
    }
    return isAvrModel(chip) ? chip : null;
  }

  async write({ signal, onStage, onEvent }: CarryOut): Promise<WriteReport> {
    const plan = this.#plan;
    if (plan === null) {
      throw new AvrError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { unrestored } = this.#parts;
    const { eeprom, ...report } = await carryOutAvr({ board: this.#board, plan, unrestored, signal, onStage, onEvent });
    this.#plan = null;
    const placed = eeprom.map((region) => ({ ...region, offset: EEPROM_START + region.offset }));
    for (const region of placed) {
      onEvent({ type: 'region', ...region });
    }
    return { ...report, regions: [...report.regions, ...placed] };
  }

  /** Reads flash, or EEPROM at `EEPROM_START` and above. */
  read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    return range.offset < EEPROM_START
      ? this.#board.read(range, work)
      : this.#board.readEeprom({ offset: range.offset - EEPROM_START, length: range.length }, work);
  }

  erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    return this.#board.erase(range === null ? null : [range], work);
  }

  /** Does nothing: this family has no further actions. */
  async perform(): Promise<boolean> {
    return true;
  }

  restart(): Promise<void> {
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** Equal pages are found during the write: no bootloader calculates a checksum, so all of them have to be read for it. */
function regionsOf({ regions, eeprom }: AvrPlan): ComparedRegion[] {
  const shown =
    (start: number) =>
    (region: AvrPlan['regions'][number]): ComparedRegion => ({
      offset: start + region.offset,
      length: region.bytes.length,
      file: region.file,
      same: null,
    });
  return [...regions.map(shown(0)), ...eeprom.map(shown(EEPROM_START))];
}

function areasOf({ application, bootloaderRange }: AvrBoard['info']): NamedArea[] {
  const areas = [
    ...(application.length === 0 ? [] : [{ name: 'Sketch', ...application }]),
    ...(bootloaderRange === null ? [] : [{ name: 'Bootloader', ...bootloaderRange }]),
  ];
  return areas.toSorted((one, other) => one.offset - other.offset);
}
