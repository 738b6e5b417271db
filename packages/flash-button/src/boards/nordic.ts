/** Nordic's boards, in one of three bootloaders. */
import type { Clock } from '@wirebench/clock';
import { untilGone, type WriteReport } from '@wirebench/flasher/core';
import {
  connectNordic,
  type NordicBoard,
  type NordicConnectStep,
  NordicError,
  type NordicFirmware,
  nordicFailureText,
  nordicStepText,
  PackageError,
  planNordic,
  readNordicFirmware,
} from '@wirebench/flasher/nordic';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import { type BoardFacts, nordicBoardFacts } from '@wirebench/flasher/release/builds';
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

const stepText = { ...nordicStepText, ready: 'Connected' } satisfies Record<NordicConnectStep, string>;

export const remedyOf: RemedyOf = (code) =>
  (nordicFailureText as Record<string, { remedy: string }>)[code]?.remedy ?? '';

/** @throws NordicError; the port is closed then. */
export async function connectBoard(parts: ConnectParts): Promise<ButtonBoard> {
  const { clock, signal, source, baudRate, returned, onStep } = parts;
  if (source.kind !== 'serial') {
    throw new NordicError('port-gone');
  }
  const board = await connectNordic(source.port, {
    clock,
    signal,
    returned,
    ...(baudRate !== null && { baudRate }),
    onStep: (step) => onStep(stepText[step]),
  });
  return new NordicButtonBoard(clock, board, parts.isDemo);
}

class NordicButtonBoard implements ButtonBoard {
  readonly canEraseAll = false;
  readonly hasAddresses = false;
  readonly id = null;
  readonly idName = 'Unique ID';
  readonly isDemo: boolean;
  readonly console: ConsoleLines = { atOpen: null, reset: null };
  readonly #clock: Clock;
  readonly #board: NordicBoard;
  #firmware: NordicFirmware | null = null;

  constructor(clock: Clock, board: NordicBoard, isDemo: boolean) {
    this.#clock = clock;
    this.#board = board;
    this.isDemo = isDemo;
  }

  get facts(): BoardFacts {
    return nordicBoardFacts(this.#board.info);
  }

  get name(): string {
    return this.#board.info.part ?? 'Nordic board';
  }

  get chip(): string {
    return this.name;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.info.link === 'usb';
  }

  get afterwards(): string | null {
    const { bootloader, link } = this.#board.info;
    return bootloader === 'adafruit-dfu' && link === 'usb'
      ? null
      : 'To flash it again, start its bootloader first: hold its button while you press reset or plug it in.';
  }

  async plan({ files, model, guards }: PlanOptions): Promise<BoardPlan> {
    this.#firmware = null;
    const firmware = await readPackage(files);
    const { info, baudRate } = this.#board;
    const plan = planNordic(firmware, info, {
      baudRate,
      isDemo: this.isDemo,
      guard: { model, flashSize: guards.flashSize ?? null },
    });
    this.#firmware = plan.refusals.length === 0 ? firmware : null;
    const whole = plan.images.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return {
      refusals: plan.refusals,
      warnings: plan.warnings,
      files: plan.images.map(({ name, bytes }) => ({ name, offset: null, length: bytes.length })),
      kept: [],
      erased: [],
      eraseAll: false,
      toWrite: plan.bytes,
      same: whole - plan.bytes,
      duration: plan.time,
    };
  }

  async write({ signal, onStage, onEvent }: WriteOptions): Promise<WriteReport> {
    if (this.#firmware === null) {
      throw new NordicError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    onStage('writing');
    return this.#board.write(this.#firmware, { signal, onEvent });
  }

  async restart(): Promise<void> {
    if (this.over.aborted) {
      return;
    }
    await this.#board.restart();
    if (this.vanishes) {
      await untilGone(this.over, this.#clock);
    }
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/** @throws FileFault */
async function readPackage(files: readonly LoadedManifestFile[]): Promise<NordicFirmware> {
  const [first, ...others] = files;
  if (first === undefined || others.length > 0) {
    throw new FileFault('A build for a Nordic board is one package or one image. Ask the publisher to correct it.');
  }
  try {
    return await readNordicFirmware(first.file.name, first.bytes);
  } catch (error) {
    if (error instanceof PackageError) {
      throw new FileFault(`${first.file.name}: ${error.message} ${error.remedy}`);
    }
    throw error;
  }
}
