/** Connects the flasher's worker to STM32: over UART with or without control lines, or over USB. */
import { type FlashRange, UnrestoredBoards, type UnrestoredFlash, type WriteReport } from '@wirebench/flasher/core';
import {
  carryOutStm,
  connectStm,
  connectStmUsb,
  isStmModel,
  planStm,
  type StmBoard,
  StmError,
  type StmPlan,
  type StmRefusal,
  stmEntries,
  stmFlashStart,
  stmLinesFor,
} from '@wirebench/flasher/stm32';
import type { PortNumber } from '@wirebench/serial';
import type { BoardConsole, NamedArea, PlanFacts, PlanRequest } from '../../../protocol/flash-protocol.ts';
import type { StmFacts, StmSettings, StmTypes } from '../../../protocol/stm-types.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { FileSets } from '../given-files.ts';
import type { BoardWork, CarryOut, ConnectContext, FamilyParts, WorkerBoard, WorkerFamily } from '../worker-family.ts';
import { StmFiles } from './stm-files.ts';
import { boardLine, protectedLine, stepLine } from './stm-lines.ts';

export function stmFamily({ clock }: FamilyParts): WorkerFamily<StmTypes> {
  const files = new FileSets((limit) => new StmFiles(limit));
  const boards = new UnrestoredBoards<PortNumber>();
  const hostBoard = (
    board: StmBoard,
    { port: place, isSame }: Pick<ConnectContext, 'port' | 'isSame'>,
    facts: LinkFacts,
  ) => {
    const { uniqueId: id, name: chip } = board.info;
    const unrestored = boards.of({ id, chip, place, isSame });
    return new StmHostBoard({ board, facts, files, unrestored });
  };
  return {
    addFiles: (given, set) => files.add(given, set),
    removeFiles: (ids, set) => files.remove(ids, set),
    async connect({ baudRate, settings, byHand, expectedId }, context) {
      const { device, isDemo, signal, onStep, say } = context;
      const entry = stmEntries[byHand ? 'manual' : settings.entry];
      const board = await connectStm(device, {
        clock,
        signal,
        baudRate,
        entry,
        ...(expectedId !== undefined && { expectedUniqueId: expectedId }),
        onStep: (step) => onStep(step, stepLine(step)),
      });
      tell(board, say);
      const run = stmLinesFor(entry, { inReset: false, boot0: false });
      const held = stmLinesFor(entry, { inReset: true, boot0: false });
      const lines = entry.kind === 'lines';
      const port = device.getInfo();
      return hostBoard(board, context, {
        isDemo,
        port,
        byGo: !lines,
        console: { lines: run, reset: lines ? held : null },
      });
    },
    async connectUsb({ expectedId }, context) {
      const { device, gone, isDemo, signal, onStep, say } = context;
      const board = await connectStmUsb(device, {
        clock,
        signal,
        gone,
        ...(expectedId !== undefined && { expectedUniqueId: expectedId }),
        onStep: (step) => onStep(step, stepLine(step)),
      });
      tell(board, say);
      const port = { usbVendorId: device.vendorId, usbProductId: device.productId };
      return hostBoard(board, context, { isDemo, port, byGo: true, console: null });
    },
  };
}

function tell({ info, baudRate }: StmBoard, say: (line: ReturnType<typeof boardLine>) => void): void {
  say(boardLine(info, baudRate));
  if (info.protection === 'read-protected') {
    say(protectedLine);
  }
}

/** Facts that depend on the connection to a board. */
interface LinkFacts {
  readonly isDemo: boolean;
  readonly port: SerialPortInfo;
  /** True: no control line resets the board, so its bootloader is asked to start the program. */
  readonly byGo: boolean;
  readonly console: BoardConsole | null;
}

interface StmHostBoardParts {
  readonly board: StmBoard;
  readonly facts: LinkFacts;
  readonly files: FileSets<StmFiles>;
  readonly unrestored: UnrestoredFlash;
}

const boot0Again = 'Set BOOT0 low again, or the board starts its bootloader at the next reset.';

class StmHostBoard implements WorkerBoard<StmTypes> {
  readonly vanishes = false;
  readonly readProof = 'without a hash to compare';
  readonly #parts: StmHostBoardParts;
  readonly #board: StmBoard;
  /** The latest plan. */
  #plan: StmPlan | null = null;
  /** Address of the program that was written last. */
  #start = stmFlashStart;

  constructor(parts: StmHostBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
  }

  get facts(): StmFacts {
    const { info, baudRate } = this.#board;
    const { isDemo, port, byGo, console } = this.#parts.facts;
    return {
      family: 'stm',
      name: info.name,
      model: null,
      id: info.uniqueId,
      flash: { start: info.sectors[0]?.offset ?? stmFlashStart, size: info.flashSize },
      areas: sectorGroups(info.sectors),
      baudRate,
      console,
      ...(byGo && { afterwards: boot0Again }),
      demo: isDemo,
      port,
      info,
    };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  async plan({ files, fileSet, settings, guard, overrides }: PlanRequest<StmSettings>): Promise<PlanFacts> {
    const { info, baudRate } = this.#board;
    const { isDemo } = this.#parts.facts;
    const model = guard?.model ?? '';
    const plan = planStm({
      files: this.#parts.files.of(fileSet).forPlan(files),
      board: { info, isDemo, baudRate },
      guard: { model: isStmModel(model) ? model : null, flashSize: null, isDemo: guard?.demo ?? false },
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

  async write({ signal, onStage, onEvent }: CarryOut): Promise<WriteReport> {
    const plan = this.#plan;
    if (plan === null) {
      throw new StmError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { unrestored } = this.#parts;
    const report = await carryOutStm({ board: this.#board, plan, unrestored, signal, onStage, onEvent });
    this.#plan = null;
    this.#start = plan.regions[0]?.offset ?? stmFlashStart;
    return report;
  }

  read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    return this.#board.read(range, work);
  }

  erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    return this.#board.erase(range === null ? null : [range], work);
  }

  /** Removes the read protection. Resolves with false, because the part resets and must be connected again. */
  async perform(_action: StmTypes['action'], work: BoardWork): Promise<boolean> {
    await this.#board.removeReadProtection(work);
    return false;
  }

  restart(): Promise<void> {
    return this.#board.restart(this.#parts.facts.byGo ? this.#start : undefined);
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
  return groups.map(({ offset, length, each, count }) => ({ name: `${count} × ${memoryText(each)}`, offset, length }));
}
