/** The family of RP2040 and RP2350: over USB in BOOTSEL, reached from a running program if it helps, or through the drive. */
import type { Clock } from '@wirebench/clock';
import { BegunChanges } from '../core/begun-changes.ts';
import type { WriteReport } from '../core/board.ts';
import { changedParts } from '../core/changed-regions.ts';
import { FlashError } from '../core/flash-failure.ts';
import { carryOutMemory } from '../core/memory-plan.ts';
import { inSectors } from '../core/ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../core/region.ts';
import { filesOfUnrestored, UnfinishedBoards, type UnrestoredFlash } from '../core/unrestored.ts';
import { joinReports, splitProgress } from '../core/write-changes.ts';
import type {
  BoardWork,
  ConnectOptions,
  DriveFolder,
  DriveFolders,
  Family,
  FamilyBoard,
  PlanRequest,
  SavedFile,
  WriteOptions,
} from '../family.ts';
import type { NamedArea, PlanFacts } from '../family-values.ts';
import { readOrFault } from '../images/file-fault.ts';
import type { UsbDevice } from '../usb-device.ts';
import { connectRpUsb } from './connect/connect-rp-usb.ts';
import { type BootselBoards, enterBootsel, usbBoards, usualPersonWait } from './connect/enter-bootsel.ts';
import { deadlines } from './deadlines.ts';
import { DriveBoard } from './drive/drive-board.ts';
import { isDriveThere, readDriveInfo } from './drive/drive-folder.ts';
import { type RpBoardFacts, type RpTypes, rpConsole, rpSettings } from './family-types.ts';
import { fileSystemPlaces } from './files/file-system-places.ts';
import { flashStart, tableEnd } from './files/index.ts';
import { type Placement, placementOf } from './plan/placed-programs.ts';
import { rpPlanFile } from './plan/plan-file.ts';
import { planRp } from './plan/plan-rp.ts';
import type { RpRefusal } from './plan/rp-plan-finding.ts';
import type { RpPlan } from './plan/rp-plan-types.ts';
import { answerStart, withStart } from './plan/start-answer.ts';
import { BoardFiles, type HeldFiles } from './put-back/board-files.ts';
import type { PutBack } from './put-back/put-back.ts';
import type { RpBoard, RpConnectStep } from './rp-board.ts';
import { asRpError, pressBootsel, RpError, rpFailureText } from './rp-failure.ts';
import { FileChanges } from './write/file-changes.ts';

const stepText = {
  opening: 'Opening the device',
  touching: 'Touching the port at 1,200 baud',
  resetting: 'Asking the program to start the boot ROM',
  'asking-micropython': 'Asking MicroPython to start the boot ROM',
  'waiting-for-bootsel': 'Waiting for the board in BOOTSEL',
  'press-bootsel': pressBootsel.replace(/\.$/, ''),
  'checking-drive': 'Reading what the drive says',
  identifying: 'Identifying the chip',
  ready: 'Connected',
} satisfies Record<RpConnectStep, string>;

/** USB vendors of programs on these chips: Raspberry Pi, Arduino, Adafruit, SparkFun, Seeed, Pimoroni. */
const vendors: readonly (number | undefined)[] = [0x2e8a, 0x2341, 0x239a, 0x1b4f, 0x2886, 0x16d0];

/** Reached through its drive as well as over USB. */
export type RpFamily = Family<RpTypes> & Required<Pick<Family<RpTypes>, 'connectDrive'>>;

export function createRpFamily(): RpFamily {
  const boards = new UnfinishedBoards<Unfinished>(() => ({ regions: [], held: [], changes: new BegunChanges() }));
  const overUsb = async (device: UsbDevice, gone: AbortSignal, options: ConnectOptions<RpTypes>) => {
    const { clock, signal, expectedId, place, isSame, isDemo } = options;
    const board = await connectRpUsb(device, {
      clock,
      signal,
      gone,
      ...(expectedId !== null && { expectedUniqueId: expectedId }),
      onStep: stepOf(options),
    });
    const { uniqueId: id, chip } = board.info;
    const unfinished = boards.of({ id, chip, place, isSame });
    const familyBoard = new RpFamilyBoard({ clock, board, isDemo, unfinished });
    options.onIdentified?.(familyBoard.facts);
    return familyBoard;
  };
  return {
    failures: rpFailureText,
    idName: 'Unique ID',
    startsByHand: true,
    returnLimit: 8_000,
    // Programs of one board have USB ids of several vendors. The caller asks only about ports that have appeared.
    returnsAs: (before, now) =>
      before.usbVendorId !== undefined &&
      (before.usbVendorId === now.usbVendorId ||
        (vendors.includes(before.usbVendorId) && vendors.includes(now.usbVendorId))),
    releaseSettings: (eraseAll) => ({ ...rpSettings, eraseAll }),
    readFiles: async (files) =>
      files.map(({ name, offset, bytes }) =>
        readOrFault(name, () => rpPlanFile(name, bytes, offset === 0 ? flashStart : offset)),
      ),
    async connect(port, options) {
      const { clock, signal, usb, drives, byHand, personWait = usualPersonWait } = options;
      const enter = <Board extends object>(boards: BootselBoards<Board>) =>
        enterBootsel({
          clock,
          signal,
          boards,
          usb: usb ?? null,
          port,
          byHand,
          personWait,
          onStep: stepOf(options),
        }).catch((error: unknown) => {
          throw asRpError(error, signal);
        });
      if (usb !== undefined) {
        const device = await enter(usbBoards(usb));
        return overUsb(device, usb.gone(device), options);
      }
      if (drives !== undefined) {
        return overDrive(await enter({ ...mountedBoards(drives), limit: deadlines.mount }), options);
      }
      throw new RpError('not-in-bootsel', { detail: 'The program has no access to USB devices.' });
    },
    connectUsb: overUsb,
    connectDrive: overDrive,
  };
}

async function overDrive(folder: DriveFolder, options: ConnectOptions<RpTypes>): Promise<FamilyBoard<RpTypes>> {
  const { clock, isDemo, returned, onIdentified } = options;
  const onStep = stepOf(options);
  onStep('checking-drive');
  const drive = await readDriveInfo(folder);
  const board = new DriveBoard({ clock, folder, drive, isDemo, returned });
  onIdentified?.(board.facts);
  onStep('ready');
  return board;
}

/** Boards in BOOTSEL by their mounted drives. Other drives are passed by. */
const mountedBoards = ({ list, changed }: DriveFolders): Omit<BootselBoards<DriveFolder>, 'limit'> => ({
  list: async () => {
    const folders = await list();
    const are = await Promise.all(folders.map(isDriveThere));
    return folders.filter((_, index) => are[index] === true);
  },
  changed,
});

const stepOf =
  ({ onStep }: ConnectOptions<RpTypes>) =>
  (name: RpConnectStep) =>
    onStep({ name, text: stepText[name], asksPerson: name === 'press-bootsel' });

/** Work at a board that an interrupted write has left, until the next one finishes it. */
interface Unfinished extends UnrestoredFlash, HeldFiles {
  readonly changes: BegunChanges;
}

interface RpFamilyBoardParts {
  readonly clock: Clock;
  readonly board: RpBoard;
  readonly isDemo: boolean;
  readonly unfinished: Unfinished;
}

class RpFamilyBoard implements FamilyBoard<RpTypes> {
  readonly rangeStep = sectorSize;
  readonly vanishes = true;
  readonly #parts: RpFamilyBoardParts;
  readonly #board: RpBoard;
  /** The latest plan. */
  #plan: RpPlan | null = null;
  readonly #files: BoardFiles;
  /** Start of flash with the partition table, as it was read for plans. Null: not read, or changed since. */
  #head: Uint8Array | null = null;
  readonly #changes: FileChanges;

  constructor(parts: RpFamilyBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
    const { board, clock, unfinished } = parts;
    this.#files = new BoardFiles(board, unfinished);
    this.#changes = new FileChanges({ board, clock, begun: unfinished.changes });
  }

  get facts(): RpBoardFacts {
    const { info } = this.#board;
    return {
      family: 'rp',
      name: info.chip,
      model: info.revision === null ? null : `${info.chip} ${info.revision}`,
      id: info.uniqueId,
      flash: { start: flashStart, size: info.flashSize },
      areas: info.users.map(
        ({ name, offset, size }): NamedArea => ({ name, offset: flashStart + offset, length: size }),
      ),
      baudRate: null,
      console: rpConsole,
      info,
    };
  }

  get #flash(): FlashRange {
    return { offset: flashStart, length: this.#board.info.flashSize ?? 0 };
  }

  get canEraseAll(): boolean {
    return this.#board.info.flashSize !== null;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  async plan(request: PlanRequest<RpTypes>, signal: AbortSignal): Promise<PlanFacts> {
    this.#plan = null;
    await this.#board.lookAtTable(signal);
    const outdated = await this.#changes.outdatedOf(request.changes ?? [], this.#flash, signal);
    const first = this.#planWith(request, outdated);
    const placement = placementOf(request.files, this.#board.info, first.eraseAll);
    const putBack = first.refusals.length > 0 ? null : await this.#putBack(placement, first, signal);
    const plan = putBack === null ? first : this.#planWith(request, outdated, putBack);
    this.#plan = plan;
    const { refusals, overridden, warnings, eraseAll, map, regions, changes, bytes, time } = plan;
    const changed = refusals.length > 0 ? [] : changedParts(changes);
    const start = await this.#answerStart(placement, plan, signal);
    return {
      refusals,
      overridden,
      warnings: withStart(warnings, start, refusals),
      start,
      eraseAll,
      map,
      // Equal sectors are found during the write, which reads all of them anyway.
      regions: [...regions, ...changed].map(({ offset, bytes: { length }, file }) => ({
        offset,
        length,
        file,
        same: null,
      })),
      toWrite: bytes,
      same: 0,
      duration: time,
      saved: refusals.length > 0 ? [] : this.#files.planned(),
    };
  }

  async #answerStart(
    { partitions }: Placement,
    { regions }: RpPlan,
    signal: AbortSignal,
  ): Promise<NonNullable<PlanFacts['start']> | null> {
    const { info } = this.#board;
    const head = partitions === null ? null : await this.#readHead(signal);
    return answerStart(regions, info, partitions === null || head === null ? null : { ...partitions, head });
  }

  /** Reads the places of a partition table; null if the ROM does not permit it. */
  async #readHead(signal: AbortSignal): Promise<Uint8Array | null> {
    this.#head ??= await this.#board
      .read({ offset: flashStart, length: tableEnd }, { signal })
      .catch((error: unknown) => (error instanceof RpError && error.code === 'refused' ? null : Promise.reject(error)));
    return this.#head;
  }

  #planWith(
    { files, settings, guard, overrides = [], changes = [] }: PlanRequest<RpTypes>,
    outdated: readonly string[],
    putBack?: PutBack,
  ): RpPlan {
    const { info } = this.#board;
    const { model = null, flashSize = null, demo = false } = guard ?? {};
    return planRp({
      files,
      board: { info, isDemo: this.#parts.isDemo },
      guard: { model, flashSize, isDemo: demo },
      eraseAll: settings.eraseAll && this.canEraseAll,
      changes,
      outdated,
      holdsFiles: this.#parts.unfinished.held.length > 0,
      ...(putBack !== undefined && { putBack }),
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly RpRefusal[],
    });
  }

  /** Plans what becomes of the files that the write would take. Null: there are none. */
  async #putBack(
    { storage, isInPartition }: Placement,
    { sectors, eraseAll }: RpPlan,
    signal: AbortSignal,
  ): Promise<PutBack | null> {
    const { flashSize } = this.#board.info;
    return flashSize === null
      ? null
      : this.#files.plan({ sectors, storage, isInPartition, flashSize, eraseAll }, signal);
  }

  savedFiles(): readonly SavedFile[] {
    return [...this.#files.archives(), ...filesOfUnrestored(this.facts, this.#parts.unfinished.regions)];
  }

  async write({ signal, save, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    const plan = this.#plan;
    if (plan === null) {
      throw new RpError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    if (plan.refusals.length > 0) {
      throw new RpError('write-failed', { detail: 'The plan was refused.' });
    }
    if (save === undefined && this.#files.planned().length > 0) {
      throw new RpError('write-failed', { detail: 'The files of the board were not saved.' });
    }
    await save?.(this.savedFiles());
    this.#forget();
    try {
      const report = await this.#carryOut(plan, { signal, onStage, onEvent });
      this.#plan = null;
      return report;
    } finally {
      this.#changes.forget();
    }
  }

  /** Writes the files, then the changes. */
  async #carryOut(plan: RpPlan, { signal, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    const { unfinished } = this.#parts;
    const { regions, changes, eraseAll } = plan;
    let listeners = splitProgress([], changes, onEvent);
    const write = (wanted: readonly FlashRegion[]) => {
      listeners = splitProgress(wanted, changes, onEvent);
      return this.#board.write(wanted, { signal, onEvent: listeners.files });
    };
    const isOnlyChanges = regions.length === 0 && !eraseAll && unfinished.regions.length === 0;
    const files =
      changes.length > 0 && isOnlyChanges ? null : await this.#writeFiles(plan, { signal, onStage, onEvent }, write);
    if (changes.length === 0 && files !== null) {
      return files;
    }
    const begun = files !== null && files.written > 0;
    const written = await this.#changes.write(changes, { signal, onStage, onEvent: listeners.changes, begun });
    return files === null ? written : joinReports(files, written);
  }

  async #writeFiles(
    plan: RpPlan,
    { signal, onStage, onEvent }: WriteOptions,
    write: (regions: readonly FlashRegion[]) => Promise<WriteReport>,
  ): Promise<WriteReport> {
    const { unfinished } = this.#parts;
    try {
      const report = await carryOutMemory({
        board: { erase: (ranges, options) => this.#board.erase(ranges, options), write },
        plan,
        unrestored: unfinished,
        signal,
        onStage,
        onEvent,
      });
      this.#files.release();
      return report;
    } catch (error) {
      if (!(error instanceof FlashError && error.state === 'unchanged')) {
        this.#files.hold();
      }
      throw error;
    }
  }

  async read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    const bytes = await this.#board.read(range, work);
    const { offset, length } = range;
    if (fileSystemPlaces(this.#board.info.users).some((one) => one.offset === offset && one.size === length)) {
      this.#changes.keep(range, bytes);
    }
    return bytes;
  }

  erasedWith(range: FlashRange): FlashRange {
    return inSectors(range);
  }

  erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    this.#forget();
    this.#changes.forget();
    return this.#board.erase(range === null ? null : [range], work);
  }

  /** Forgets what was read, because the flash changes. */
  #forget(): void {
    this.#files.forget();
    this.#head = null;
  }

  /** Does nothing: this family has no further actions. */
  async perform(): Promise<boolean> {
    return true;
  }

  restart(): Promise<void> {
    this.#parts.unfinished.changes.clear();
    return this.#board.restart();
  }

  look(signal: AbortSignal): Promise<void> {
    return this.#board.look(signal);
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}
