/** The family of AVR chips with a bootloader (Arduino): behind an adapter, or on the USB of an ATmega32U4. */
import { chipOf } from '@wirebench/boards';
import type { WriteReport } from '../core/board.ts';
import { addressText } from '../core/bytes.ts';
import type { PlannedRegion } from '../core/flash-plan.ts';
import { carryOutMemory } from '../core/memory-plan.ts';
import type { FlashRange } from '../core/region.ts';
import { filesOfUnrestored, type SavedFile, UnfinishedBoards, type UnrestoredFlash } from '../core/unrestored.ts';
import type {
  BoardBackup,
  BoardWork,
  ConnectOptions,
  Family,
  FamilyBoard,
  PlanRequest,
  WriteOptions,
} from '../family.ts';
import type { BoardConsole, ComparedRegion, NamedArea, PlanFacts } from '../family-values.ts';
import { readOrFault } from '../images/file-fault.ts';
import type { AvrBoard, AvrConnectStep, AvrInfo } from './avr-board.ts';
import { AvrError, avrFailureText } from './avr-failure.ts';
import { connectAvr } from './connect/connect-avr.ts';
import { avrStepText } from './connect/step-text.ts';
import { type AvrBoardFacts, type AvrTypes, avrSettings, EEPROM_START } from './family-types.ts';
import { eepromBackup, sketchBackup } from './file/avr-backup.ts';
import { readAvrFile } from './file/read-avr-file.ts';
import { isAvrModel } from './parts/model.ts';
import type { AvrRefusal } from './plan/avr-plan-finding.ts';
import type { AvrPlan, AvrPlanFile } from './plan/avr-plan-types.ts';
import { planAvr } from './plan/plan-avr.ts';
import { avrPlanFile } from './plan/plan-file.ts';

/** Rate of the first attempt, in baud. */
const USUAL_RATE = 115_200;

/** USB vendors of boards with an ATmega32U4: Arduino, Arduino.org, SparkFun, Adafruit. */
const usbVendors: readonly (number | undefined)[] = [0x2341, 0x2a03, 0x1b4f, 0x239a];

const stepText = { ...avrStepText, ready: 'Connected' } satisfies Record<AvrConnectStep, string>;

export function createAvrFamily(): Family<AvrTypes> {
  const boards = new UnfinishedBoards<UnrestoredFlash>(() => ({ regions: [] }));
  return {
    failures: avrFailureText,
    idName: 'Unique ID',
    startsByHand: true,
    returnLimit: 5_000,
    // Bootloader and sketch of one board are two USB products. A compatible board may have them from two vendors.
    returnsAs: (before, now) =>
      before.usbVendorId !== undefined &&
      (before.usbVendorId === now.usbVendorId ||
        (usbVendors.includes(before.usbVendorId) && usbVendors.includes(now.usbVendorId))),
    releaseSettings: (eraseAll) => ({ ...avrSettings, eraseAll }),
    readFiles: async (files) =>
      files.map(({ name, offset, bytes }) =>
        readOrFault(name, () => avrPlanFile(readAvrFile(bytes, name), name, offset)),
      ),
    async connect(port, options) {
      const { clock, signal, settings, byHand, isDemo, place, isSame, returned, onStep, onIdentified } = options;
      const { personWait } = options;
      const autoReset = !byHand && settings.reset === 'lines';
      const rate = rateOf(options);
      const board = await connectAvr(port, {
        clock,
        signal,
        autoReset,
        returned,
        ...(rate !== null && { baudRate: rate }),
        ...(personWait !== undefined && { resetWindow: personWait }),
        onStep: (name) => onStep({ name, text: stepText[name], asksPerson: name === 'press-reset' }),
      });
      onIdentified?.(board);
      const unrestored = boards.of({ id: null, chip: board.info.signature, place, isSame });
      return new AvrFamilyBoard({ board, unrestored, autoReset, isDemo });
    },
  };
}

/** Returns the only rate to try; null to find it. A rate that one attempt asks for counts more than the setting. */
function rateOf({ baudRate, settings }: ConnectOptions<AvrTypes>): number | null {
  return baudRate === null || baudRate === USUAL_RATE ? settings.rate : baudRate;
}

interface AvrFamilyBoardParts {
  readonly board: AvrBoard;
  readonly unrestored: UnrestoredFlash;
  /** True: a falling DTR resets the board. */
  readonly autoReset: boolean;
  readonly isDemo: boolean;
}

/** Both lines are asserted while a program uses the port, as in the Arduino IDE's monitor. */
const running = { dtr: true, rts: true };
/** From here to `running` the capacitor at DTR resets the board. */
const released = { dtr: false, rts: false };

class AvrFamilyBoard implements FamilyBoard<AvrTypes> {
  readonly canEraseAll = true;
  readonly #parts: AvrFamilyBoardParts;
  readonly #board: AvrBoard;
  /** The latest plan. */
  #plan: AvrPlan | null = null;

  constructor(parts: AvrFamilyBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
  }

  get facts(): AvrBoardFacts {
    const { info, baudRate } = this.#board;
    return {
      family: 'avr',
      name: info.part,
      model: null,
      id: null,
      flash: { start: 0, size: info.flashSize === 0 ? null : info.flashSize },
      areas: areasOf(info),
      baudRate,
      console: this.#console,
      info,
    };
  }

  get #console(): BoardConsole {
    return { lines: running, reset: !this.vanishes && this.#parts.autoReset ? released : null };
  }

  get rangeStep(): number {
    return this.#board.info.pageSize;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.info.link === 'usb';
  }

  get backups(): readonly BoardBackup[] {
    const { info } = this.#board;
    return [sketchBackup(info), ...(info.hasEeprom ? [eepromBackup(info)] : [])];
  }

  placeName(offset: number): string {
    return offset < EEPROM_START ? addressText(offset) : `EEPROM ${addressText(offset - EEPROM_START)}`;
  }

  async plan({ files, settings, guard, overrides = [] }: PlanRequest<AvrTypes>): Promise<PlanFacts> {
    const { info, baudRate } = this.#board;
    const plan = planAvr({
      files: settings.writesEeprom ? files : files.flatMap(withoutEeprom),
      board: { info, isDemo: this.#parts.isDemo, baudRate },
      guard: { model: this.#wantedModel(guard?.model ?? null), isDemo: guard?.demo ?? false },
      eraseAll: settings.eraseAll,
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly AvrRefusal[],
    });
    this.#plan = plan;
    const { refusals, overridden, warnings, eraseAll, bytes, time } = plan;
    return {
      refusals,
      overridden,
      warnings,
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
    const chip = model === null ? '' : chipOf(model);
    const own = this.#board.info.model;
    if (chip === '' || own?.startsWith(chip)) {
      return null;
    }
    return isAvrModel(chip) ? chip : null;
  }

  savedFiles(): readonly SavedFile[] {
    return filesOfUnrestored(this.facts, this.#parts.unrestored.regions);
  }

  async write({ signal, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    const plan = this.#plan;
    if (plan === null) {
      throw new AvrError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { unrestored } = this.#parts;
    const { eeprom, ...report } = await carryOutMemory({
      board: this.#board,
      plan,
      unrestored,
      signal,
      onStage,
      onEvent,
    });
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

/** Leaves out data for EEPROM, and files that hold nothing else. */
function withoutEeprom(file: AvrPlanFile): AvrPlanFile[] {
  return file.segments.length === 0 ? [] : [{ ...file, eeprom: [] }];
}

/** Equal pages are found during the write: no bootloader calculates a checksum, so all of them have to be read for it. */
function regionsOf({ regions, eeprom }: AvrPlan): ComparedRegion[] {
  const shown =
    (start: number) =>
    ({ offset, bytes, file }: PlannedRegion): ComparedRegion => ({
      offset: start + offset,
      length: bytes.length,
      file,
      same: null,
    });
  return [...regions.map(shown(0)), ...eeprom.map(shown(EEPROM_START))];
}

function areasOf({ application, bootloaderRange }: AvrInfo): NamedArea[] {
  const areas = [
    ...(application.length === 0 ? [] : [{ name: 'Sketch', ...application }]),
    ...(bootloaderRange === null ? [] : [{ name: 'Bootloader', ...bootloaderRange }]),
  ];
  return areas.toSorted((one, other) => one.offset - other.offset);
}
