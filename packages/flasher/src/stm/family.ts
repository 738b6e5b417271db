/** The family of STM32: over a UART with or without control lines, or over USB. */
import type { WriteReport } from '../core/board.ts';
import { sizeText } from '../core/bytes.ts';
import { carryOutMemory } from '../core/memory-plan.ts';
import { touchedSectors } from '../core/ranges.ts';
import type { FlashRange } from '../core/region.ts';
import { filesOfUnrestored, type SavedFile, UnfinishedBoards, type UnrestoredFlash } from '../core/unrestored.ts';
import type {
  BoardWork,
  ConnectOptions,
  Family,
  FamilyBoard,
  FlashLock,
  PlanRequest,
  WriteOptions,
} from '../family.ts';
import type { BoardConsole, NamedArea, PlanFacts } from '../family-values.ts';
import { readOrFault } from '../images/file-fault.ts';
import { readMemoryFile } from '../images/formats/memory-file.ts';
import { linesFor, stmEntries } from './an3155/entry.ts';
import { connectStm } from './connect/connect-stm.ts';
import { connectStmUsb } from './connect/connect-stm-usb.ts';
import { stmStepText } from './connect/step-text.ts';
import { type StmBoardFacts, type StmTypes, stmSettings } from './family-types.ts';
import { flashStart } from './parts/flash-layout.ts';
import { isStmModel, stmChips } from './parts/model.ts';
import { planStm } from './plan/plan-stm.ts';
import type { StmRefusal } from './plan/stm-plan-finding.ts';
import type { StmPlan } from './plan/stm-plan-types.ts';
import type { StmBoard, StmConnectStep } from './stm-board.ts';
import { StmError, stmFailureText } from './stm-failure.ts';

const stepText = { ...stmStepText, ready: 'Connected' } satisfies Record<StmConnectStep, string>;

export function createStmFamily(): Family<StmTypes> {
  const boards = new UnfinishedBoards<UnrestoredFlash>(() => ({ regions: [] }));
  const familyBoard = (board: StmBoard, link: StmLink, options: ConnectOptions<StmTypes>) => {
    const { place, isSame, isDemo } = options;
    const { uniqueId: id, name: chip } = board.info;
    options.onIdentified?.(board);
    return new StmFamilyBoard({ board, link, isDemo, unrestored: boards.of({ id, chip, place, isSame }) });
  };
  return {
    failures: stmFailureText,
    idName: 'Unique ID',
    startsByHand: true,
    returnLimit: 5_000,
    releaseSettings: (eraseAll) => ({ ...stmSettings, eraseAll }),
    readFiles: async (files) =>
      files.map(({ name, offset, bytes }) => {
        const address = offset === 0 ? flashStart : offset;
        const memory = readOrFault(name, () => readMemoryFile(bytes, address, { name, own: stmChips }));
        const { segments, target, device, others } = memory;
        return { name, segments, target, device, others };
      }),
    async connect(port, options) {
      const { baudRate, byHand, settings } = options;
      const entry = stmEntries[byHand ? 'manual' : settings.entry];
      const board = await connectStm(port, {
        ...basicsOf(options),
        entry,
        ...(baudRate !== null && { baudRate }),
      });
      const hasLines = entry.kind === 'lines';
      const lines = linesFor(entry, { inReset: false, boot0: false });
      const held = linesFor(entry, { inReset: true, boot0: false });
      return familyBoard(board, { byGo: !hasLines, console: { lines, reset: hasLines ? held : null } }, options);
    },
    async connectUsb(device, gone, options) {
      const board = await connectStmUsb(device, { ...basicsOf(options), gone });
      return familyBoard(board, { byGo: true, console: null }, options);
    },
  };
}

function basicsOf({ clock, signal, expectedId, onStep }: ConnectOptions<StmTypes>) {
  return {
    clock,
    signal,
    ...(expectedId !== null && { expectedUniqueId: expectedId }),
    onStep: (name: StmConnectStep) => onStep({ name, text: stepText[name] }),
  };
}

/** Facts that depend on the connection to a board. */
interface StmLink {
  /** True: no control line resets the board, so its bootloader is asked to start the program. */
  readonly byGo: boolean;
  readonly console: BoardConsole | null;
}

interface StmFamilyBoardParts {
  readonly board: StmBoard;
  readonly link: StmLink;
  readonly isDemo: boolean;
  readonly unrestored: UnrestoredFlash;
}

const readProtection: FlashLock<StmTypes> = {
  code: 'read-protected',
  action: 'remove-read-protection',
  what: stmFailureText['read-protected'].what,
  remedy: 'Removing the protection erases the whole flash, program and data, which cannot be undone.',
};

const boot0Again = 'Set BOOT0 low again, or the board starts its bootloader at the next reset.';

class StmFamilyBoard implements FamilyBoard<StmTypes> {
  readonly canEraseAll = true;
  readonly vanishes = false;
  readonly #parts: StmFamilyBoardParts;
  readonly #board: StmBoard;
  /** The latest plan. */
  #plan: StmPlan | null = null;
  /** Address of the program that was written last. */
  #start = flashStart;

  constructor(parts: StmFamilyBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
  }

  get facts(): StmBoardFacts {
    const { info, baudRate } = this.#board;
    const { byGo, console } = this.#parts.link;
    return {
      family: 'stm',
      name: info.name,
      model: null,
      id: info.uniqueId,
      flash: { start: info.sectors[0]?.offset ?? flashStart, size: info.flashSize },
      areas: sectorGroups(info.sectors),
      baudRate,
      console,
      ...(byGo && { afterwards: boot0Again }),
      info,
    };
  }

  get rangeStep(): number | null {
    const sizes = this.#board.info.sectors.map(({ length }) => length);
    return sizes.length === 0 ? null : Math.min(...sizes);
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  async plan({ files, settings, guard, overrides = [] }: PlanRequest<StmTypes>): Promise<PlanFacts> {
    const { info, baudRate } = this.#board;
    const { model = '', flashSize = null, demo = false } = guard ?? {};
    const plan = planStm({
      files,
      board: { info, isDemo: this.#parts.isDemo, baudRate },
      guard: { model: model !== null && isStmModel(model) ? model : null, flashSize, isDemo: demo },
      eraseAll: settings.eraseAll,
      // A code that is not in the plan overrides nothing.
      overrides: overrides as readonly StmRefusal[],
    });
    this.#plan = plan;
    const { refusals, overridden, warnings, eraseAll, map, regions, bytes, time } = plan;
    return {
      refusals,
      overridden,
      warnings,
      eraseAll,
      map,
      // Equal sectors are found during the write: reading all of them first would take as long.
      regions: regions.map((region) => ({
        offset: region.offset,
        length: region.bytes.length,
        file: region.file,
        same: null,
      })),
      toWrite: bytes,
      same: 0,
      duration: time,
    };
  }

  savedFiles(): readonly SavedFile[] {
    return filesOfUnrestored(this.facts, this.#parts.unrestored.regions);
  }

  async write({ signal, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    const plan = this.#plan;
    if (plan === null) {
      throw new StmError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { unrestored } = this.#parts;
    const report = await carryOutMemory({ board: this.#board, plan, unrestored, signal, onStage, onEvent });
    this.#plan = null;
    this.#start = plan.regions[0]?.offset ?? flashStart;
    return report;
  }

  read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    return this.#board.read(range, work);
  }

  erasedWith(range: FlashRange): FlashRange {
    return touchedSectors(this.#board.info.sectors, range) ?? range;
  }

  erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    return this.#board.erase(range === null ? null : [range], work);
  }

  get lock(): FlashLock<StmTypes> | null {
    return this.#board.info.protection === 'read-protected' ? readProtection : null;
  }

  /** Removes the read protection. Resolves with false, because the part resets and must be connected again. */
  async perform(_action: StmTypes['action'], work: BoardWork): Promise<boolean> {
    await this.#board.removeReadProtection(work);
    return false;
  }

  restart(): Promise<void> {
    return this.#board.restart(this.#parts.link.byGo ? this.#start : undefined);
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** Groups adjacent sectors of one size: `4 × 16 KB`. */
function sectorGroups(sectors: readonly FlashRange[]): NamedArea[] {
  const groups: { offset: number; length: number; each: number; count: number }[] = [];
  for (const { offset, length } of sectors) {
    const last = groups.at(-1);
    if (last?.each === length && last.offset + last.length === offset) {
      last.length += length;
      last.count += 1;
    } else {
      groups.push({ offset, length, each: length, count: 1 });
    }
  }
  return groups.map(({ offset, length, each, count }) => ({ name: `${count} × ${sizeText(each)}`, offset, length }));
}
