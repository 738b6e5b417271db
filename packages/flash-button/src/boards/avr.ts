/** Boards with an AVR (Arduino), in their bootloader. */
import {
  type AvrBoard,
  type AvrConnectStep,
  AvrError,
  type AvrPlan,
  type AvrPlanFile,
  avrFailureText,
  avrPlanFile,
  avrStepText,
  carryOutAvr,
  connectAvr,
  planAvr,
  readAvrFile,
} from '@wirebench/flasher/avr';
import { UnrestoredBoards, type UnrestoredFlash, type WriteReport } from '@wirebench/flasher/core';
import { ImageError, imageFaultText } from '@wirebench/flasher/images';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import { avrBoardFacts, type BoardFacts } from '@wirebench/flasher/release/builds';
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

const stepText = { ...avrStepText, ready: 'Connected' } satisfies Record<AvrConnectStep, string>;

/** Time for which DTR is released before its fall resets the board, in milliseconds. */
const HOLD = 50;

const boards = new UnrestoredBoards<object>();

export const remedyOf: RemedyOf = (code) => (avrFailureText as Record<string, { remedy: string }>)[code]?.remedy ?? '';

/** @throws AvrError; the port is closed then. */
export async function connectBoard(parts: ConnectParts): Promise<ButtonBoard> {
  const { clock, signal, source, chosen, baudRate, byHand, returned, onStep } = parts;
  if (source.kind !== 'serial') {
    throw new AvrError('port-gone');
  }
  const board = await connectAvr(source.port, {
    clock,
    signal,
    returned,
    autoReset: !byHand,
    ...(baudRate !== null && { baudRate }),
    onStep: (step) => onStep(stepText[step]),
  });
  const unrestored = boards.of({ id: null, chip: board.info.signature, place: chosen, isSame: true });
  return new AvrButtonBoard(parts, board, unrestored);
}

class AvrButtonBoard implements ButtonBoard {
  readonly canEraseAll = true;
  readonly hasAddresses = true;
  readonly id = null;
  readonly idName = 'Unique ID';
  readonly afterwards = null;
  readonly #parts: ConnectParts;
  readonly #board: AvrBoard;
  readonly #unrestored: UnrestoredFlash;
  #plan: AvrPlan | null = null;

  constructor(parts: ConnectParts, board: AvrBoard, unrestored: UnrestoredFlash) {
    this.#parts = parts;
    this.#board = board;
    this.#unrestored = unrestored;
  }

  get facts(): BoardFacts {
    return avrBoardFacts(this.#board.info);
  }

  get name(): string {
    return this.#board.info.part;
  }

  get chip(): string {
    return this.name;
  }

  get isDemo(): boolean {
    return this.#parts.isDemo;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.info.link === 'usb';
  }

  get console(): ConsoleLines {
    const isReset = !this.vanishes && !this.#parts.byHand;
    return {
      atOpen: { dtr: true, rts: true },
      reset: isReset
        ? [
            [false, false, HOLD],
            [true, true, 0],
          ]
        : null,
    };
  }

  async plan({ files, isDemoRelease, eraseAll }: PlanOptions): Promise<BoardPlan> {
    const { info, baudRate } = this.#board;
    const plan = planAvr({
      files: files.map(planFile),
      board: { info, isDemo: this.isDemo, baudRate },
      // The build was chosen by the chip.
      guard: { model: null, isDemo: isDemoRelease },
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
      throw new AvrError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    return carryOutAvr({ ...options, board: this.#board, plan: this.#plan, unrestored: this.#unrestored });
  }

  restart(): Promise<void> {
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** @throws FileFault */
function planFile({ file, bytes }: LoadedManifestFile): AvrPlanFile {
  try {
    return avrPlanFile(readAvrFile(bytes, file.name), file.name, file.offset);
  } catch (error) {
    if (error instanceof ImageError) {
      throw new FileFault(`${file.name}: ${error.message} ${imageFaultText[error.code].remedy}`);
    }
    throw error;
  }
}
