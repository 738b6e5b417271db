/** Espressif's boards. */

import type { WriteReport } from '@wirebench/flasher/core';
import {
  anyEsp,
  type BoardContents,
  type BootRules,
  bootRulesOn,
  carryOutEsp,
  chipFacts,
  chipNames,
  connectEsp,
  type EspBoard,
  type EspConnectStep,
  EspError,
  type EspPlan,
  type EspPlanFile,
  espFailureText,
  espStepText,
  expandFiles,
  needsBootRules,
  placeFiles,
  planComparedEsp,
  readBoardContents,
  type Unfinished,
} from '@wirebench/flasher/espressif';
import { startsLikeZip } from '@wirebench/flasher/images';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import { type BoardFacts, espBoardFacts } from '@wirebench/flasher/release/builds';
import { linesOff, programSteps } from '@wirebench/port';
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

const stepText = { ...espStepText, ready: 'Reading the partition table' } satisfies Record<EspConnectStep, string>;

/** Unfinished work by the MAC of its board, which may come back through another port. */
const unfinished = new Map<string, Unfinished>();

export const remedyOf: RemedyOf = (code) => (espFailureText as Record<string, { remedy: string }>)[code]?.remedy ?? '';

/** @throws EspError; the port is closed then. */
export async function connectBoard(parts: ConnectParts): Promise<ButtonBoard> {
  const { clock, signal, source, baudRate, byHand, expectedId, returned, onStep } = parts;
  if (source.kind !== 'serial') {
    throw new EspError('port-gone');
  }
  const board = await connectEsp(source.port, {
    clock,
    signal,
    returned,
    ...(baudRate !== null && { baudRate }),
    ...(byHand && { entry: 'buttons' as const }),
    ...(expectedId !== null && { expectedMac: expectedId }),
    bringBack: !byHand,
    onStep: (step) => onStep(stepText[step]),
  });
  try {
    const bootRules = needsBootRules(board) ? await bootRulesOn(board, await board.efuses({ signal })) : null;
    return new EspButtonBoard(parts, board, await readBoardContents(board, signal), bootRules);
  } catch (error) {
    await board.close();
    throw error;
  }
}

const bridge: ConsoleLines = { atOpen: linesOff, reset: programSteps('uart') };
const ownUsb: ConsoleLines = { atOpen: null, reset: null };

class EspButtonBoard implements ButtonBoard {
  readonly hasAddresses = true;
  readonly vanishes: boolean;
  readonly afterwards = null;
  readonly idName = 'MAC';
  readonly #parts: ConnectParts;
  readonly #board: EspBoard;
  readonly #contents: BoardContents;
  readonly #bootRules: BootRules | null;
  readonly #saved: Unfinished;
  #plan: EspPlan | null = null;

  constructor(parts: ConnectParts, board: EspBoard, contents: BoardContents, bootRules: BootRules | null) {
    this.#parts = parts;
    this.#board = board;
    this.#contents = contents;
    this.#bootRules = bootRules;
    this.vanishes = board.info.link !== 'uart';
    const key = board.info.mac ?? '';
    this.#saved = unfinished.get(key) ?? { contents: new Map(), changes: new Map() };
    unfinished.set(key, this.#saved);
  }

  get facts(): BoardFacts {
    return espBoardFacts(this.#board.info);
  }

  get name(): string {
    return this.#board.info.model;
  }

  get chip(): string {
    return chipFacts[this.#board.info.chip].label;
  }

  get id(): string | null {
    return this.#board.info.mac;
  }

  get isDemo(): boolean {
    return this.#parts.isDemo;
  }

  get canEraseAll(): boolean {
    return this.#board.ability.canErase;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get console(): ConsoleLines {
    return this.#board.info.link === 'uart' ? bridge : ownUsb;
  }

  async plan({ files, model, guards, isDemoRelease, eraseAll, signal }: PlanOptions): Promise<BoardPlan> {
    this.#plan = null;
    const { plan, toWrite, same, duration, regions } = await planComparedEsp({
      board: this.#board,
      isDemo: this.isDemo,
      contents: this.#contents,
      bootRules: this.#bootRules,
      begun: this.#saved.changes,
      files: planFiles(files),
      guard: {
        ...anyEsp,
        chip: chipNames.find((name) => name === model) ?? null,
        flashSize: guards.flashSize ?? null,
        isDemo: isDemoRelease,
      },
      erase: eraseAll ? 'all' : 'needed',
      keepNvs: !eraseAll,
      signal,
    });
    this.#plan = plan;
    const named = (...fates: readonly string[]) =>
      plan.map.flatMap(({ name, fate }) => (name !== null && fates.includes(fate) ? [name] : []));
    const written = named('written');
    // The rest of a partition behind the program that is written is of no use.
    const kept = named('kept', 'restored').filter((name) => !written.includes(name));
    return {
      refusals: plan.refusals,
      warnings: plan.warnings,
      files: joined(regions),
      kept: [...new Set(kept)],
      erased: eraseAll ? [] : named('erased'),
      eraseAll,
      toWrite,
      same,
      duration,
    };
  }

  async write(options: WriteOptions): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new EspError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { clock } = this.#parts;
    return carryOutEsp({ ...options, clock, board: this.#board, plan: this.#plan, saved: this.#saved });
  }

  restart(): Promise<void> {
    this.#saved.changes.clear();
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/**
 * Returns the stretches to write. A `.bin` goes to the offset that the release states; other formats and archives have
 * addresses of their own.
 *
 * @throws FileFault
 */
export function planFiles(files: readonly LoadedManifestFile[]): EspPlanFile[] {
  return files.flatMap(({ file, bytes }) => {
    const { files: pieces, unreadable } = expandFiles([{ name: file.name, bytes }]);
    const [fault] = unreadable;
    if (fault !== undefined) {
      throw new FileFault(`${fault.name}: ${fault.reason} ${fault.remedy}`);
    }
    if (!startsLikeZip(bytes) && pieces.every((piece) => piece.bytes === bytes && piece.address === null)) {
      return [{ name: file.name, offset: file.offset, bytes }];
    }
    return placeFiles([...pieces]).files.map(({ name, offset, bytes: own, why }) => {
      if (offset === null) {
        throw new FileFault(`${name}: ${why}`);
      }
      return { name, offset, bytes: own };
    });
  });
}

/** Joins regions of one file that follow each other. */
function joined(regions: readonly { readonly offset: number; readonly length: number; readonly file: string }[]) {
  const files: { name: string; offset: number; length: number }[] = [];
  for (const { offset, length, file } of regions) {
    const last = files.at(-1);
    if (last !== undefined && last.name === file && last.offset + last.length === offset) {
      last.length += length;
    } else {
      files.push({ name: file, offset, length });
    }
  }
  return files;
}
