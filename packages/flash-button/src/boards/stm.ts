/** STM32 boards, over a UART and over USB. */

import { UnrestoredBoards, type UnrestoredFlash, type WriteReport } from '@wirebench/flasher/core';
import { ImageError, imageFaultText, readMemoryFile } from '@wirebench/flasher/images';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import { type BoardFacts, stmBoardFacts } from '@wirebench/flasher/release/builds';
import {
  carryOutStm,
  connectStm,
  connectStmUsb,
  isStmModel,
  planStm,
  type StmBoard,
  type StmConnectStep,
  StmError,
  type StmPlan,
  type StmPlanFile,
  stmChips,
  stmEntries,
  stmFailureText,
  stmFlashStart,
  stmLinesFor,
  stmStepText,
} from '@wirebench/flasher/stm32';
import {
  type BoardPlan,
  type ButtonBoard,
  type ConnectParts,
  type ConsoleLines,
  FileFault,
  type PlanOptions,
  type RemedyOf,
  type WriteOptions,
} from './button-board.ts';

const stepText = { ...stmStepText, ready: 'Connected' } satisfies Record<StmConnectStep, string>;

/** Time for which NRST is held low, in milliseconds. */
const HOLD = 100;

const boards = new UnrestoredBoards<object>();

export const remedyOf: RemedyOf = (code) => (stmFailureText as Record<string, { remedy: string }>)[code]?.remedy ?? '';

/** @throws StmError; the port is closed then. */
export async function connectBoard(parts: ConnectParts): Promise<ButtonBoard> {
  const { clock, signal, source, baudRate, byHand, expectedId, onStep } = parts;
  const common = {
    clock,
    signal,
    ...(expectedId !== null && { expectedUniqueId: expectedId }),
    onStep: (step: StmConnectStep) => onStep(stepText[step]),
  };
  if (source.kind === 'usb') {
    const board = await connectStmUsb(source.device, { ...common, gone: source.gone });
    return new StmButtonBoard(parts, board, null);
  }
  const entry = stmEntries[byHand ? 'manual' : 'usual'];
  const board = await connectStm(source.port, { ...common, entry, ...(baudRate !== null && { baudRate }) });
  const run = stmLinesFor(entry, { inReset: false, boot0: false });
  const held = stmLinesFor(entry, { inReset: true, boot0: false });
  return new StmButtonBoard(parts, board, {
    atOpen: run,
    reset: byHand
      ? null
      : [
          [held.dtr, held.rts, HOLD],
          [run.dtr, run.rts, 0],
        ],
  });
}

class StmButtonBoard implements ButtonBoard {
  readonly canEraseAll = true;
  readonly hasAddresses = true;
  readonly vanishes = false;
  readonly idName = 'Unique ID';
  readonly console: ConsoleLines | null;
  readonly #parts: ConnectParts;
  readonly #board: StmBoard;
  readonly #unrestored: UnrestoredFlash;
  #plan: StmPlan | null = null;
  /** Address of the program that was written last. */
  #start = stmFlashStart;

  constructor(parts: ConnectParts, board: StmBoard, console: ConsoleLines | null) {
    this.#parts = parts;
    this.#board = board;
    const { uniqueId: id, name: chip } = board.info;
    this.#unrestored = boards.of({ id, chip, place: parts.chosen, isSame: true });
    this.console = console;
  }

  get facts(): BoardFacts {
    return stmBoardFacts(this.#board.info);
  }

  get name(): string {
    return this.#board.info.name;
  }

  get chip(): string {
    return this.#board.info.name;
  }

  get id(): string | null {
    return this.#board.info.uniqueId;
  }

  get isDemo(): boolean {
    return this.#parts.isDemo;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  /** True: no control line resets the board, so its bootloader is asked to start the program. */
  get #startsByGo(): boolean {
    return this.#parts.byHand || this.#parts.source.kind === 'usb';
  }

  get afterwards(): string | null {
    return this.#startsByGo ? 'Set BOOT0 low again, or the board starts its bootloader at the next reset.' : null;
  }

  async plan({ files, model, guards, isDemoRelease, eraseAll }: PlanOptions): Promise<BoardPlan> {
    const { info, baudRate } = this.#board;
    const plan = planStm({
      files: files.map(planFile),
      board: { info, isDemo: this.isDemo, baudRate },
      guard: {
        model: isStmModel(model) ? model : null,
        flashSize: guards.flashSize ?? null,
        isDemo: isDemoRelease,
      },
      eraseAll,
    });
    this.#plan = plan;
    return {
      refusals: plan.refusals,
      warnings: plan.warnings,
      files: plan.regions.map(({ file, offset, bytes }) => ({ name: file, offset, length: bytes.length })),
      kept: [],
      erased: [],
      eraseAll,
      toWrite: plan.bytes,
      same: 0,
      duration: plan.time,
    };
  }

  async write(options: WriteOptions): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new StmError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const report = await carryOutStm({
      ...options,
      board: this.#board,
      plan: this.#plan,
      unrestored: this.#unrestored,
    });
    this.#start = this.#plan.regions[0]?.offset ?? stmFlashStart;
    return report;
  }

  restart(): Promise<void> {
    return this.#board.restart(this.#startsByGo ? this.#start : undefined);
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** @throws FileFault */
function planFile({ file, bytes }: LoadedManifestFile): StmPlanFile {
  const address = file.offset === 0 ? stmFlashStart : file.offset;
  try {
    const memory = readMemoryFile(bytes, address, { name: file.name, own: stmChips });
    const { segments, target, device, others } = memory;
    return { name: file.name, segments, target, device, others };
  } catch (error) {
    if (error instanceof ImageError) {
      throw new FileFault(`${file.name}: ${error.message} ${imageFaultText[error.code].remedy}`);
    }
    throw error;
  }
}
