/** The button's adapter for every family: connects a board that a person chose, and words its plan for them. */
import type { Clock } from '@wirebench/clock';
import {
  boardFactsOf,
  type ConsoleLines,
  consoleLines,
  hasAddresses,
  namedAreas,
  type PlannedFile,
  plannedFiles,
} from '@wirebench/flasher/callers';
import { commonFailureText, FlashError, type StoredSettings, type WriteReport } from '@wirebench/flasher/core';
import type {
  Family,
  FamilyBoard,
  ReturnedPort,
  SavedFile,
  UsbDevice,
  UsbDevices,
  WriteOptions,
} from '@wirebench/flasher/family';
import type { PlanFacts } from '@wirebench/flasher/family-values';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import type { BoardFacts, BuildGuards } from '@wirebench/flasher/release/builds';

/** Device that a person chose. */
export type Source =
  | { readonly kind: 'serial'; readonly port: SerialPort }
  | { readonly kind: 'usb'; readonly device: UsbDevice; readonly gone: AbortSignal };

export interface ConnectParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly source: Source;
  /** Identifies the device that a person chose. The same object when its board is connected again. */
  readonly chosen: object;
  readonly isDemo: boolean;
  /** In baud; null for the family's default. */
  readonly baudRate: number | null;
  /** True: a person has put the board into its bootloader, so the control lines are not used. */
  readonly byHand: boolean;
  /** Id of the board that was being written. Any other is refused with `other-board`. Null accepts any. */
  readonly expectedId: string | null;
  /** USB devices among which a board is found that leaves its port. */
  readonly usb: UsbDevices | undefined;
  /** Resolves with the port of a board that vanished at a restart and came back. */
  readonly returned: ReturnedPort;
  /** @param text Sentence without full stop. */
  readonly onStep: (text: string) => void;
}

export interface Finding {
  readonly code: string;
  readonly what: string;
  readonly remedy: string;
  /** The same for a person who only installs a release, without addresses. Missing: `what` suits both. */
  readonly plain?: string;
}

export interface BoardPlan {
  /** Reasons against the write. It can be carried out only if this is empty. */
  readonly refusals: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly files: readonly PlannedFile[];
  /** Names of areas with data that stay as they are, and of areas that are erased. */
  readonly kept: readonly string[];
  readonly erased: readonly string[];
  readonly eraseAll: boolean;
  /** The whole flash with what becomes of it. */
  readonly map: PlanFacts['map'];
  /** Bytes to write, and bytes that flash already holds. `same` is 0 where nothing was compared. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimate in milliseconds. */
  readonly duration: number;
  /** Settings on the board; null if it has stored none. Missing: it is not known. */
  readonly stored?: StoredSettings | null;
  /** Files of the board that the write takes and does not put back, for a person to keep. */
  readonly lost: readonly SavedFile[];
  /** Names of the archives that are saved before the write. */
  readonly saved: readonly string[];
}

export interface PlanOptions {
  readonly files: readonly LoadedManifestFile[];
  readonly model: string;
  readonly guards: BuildGuards;
  /** True: the release is for demo boards only. */
  readonly isDemoRelease: boolean;
  readonly eraseAll: boolean;
  readonly signal: AbortSignal;
}

/** Text of a failure, by its code. */
export type RemedyOf = (code: string) => string;

/** @throws FlashError; the device is closed then. */
export async function connectBoard(family: Family, parts: ConnectParts): Promise<ButtonBoard> {
  const { source, chosen: place, isDemo, usb, onStep, ...shared } = parts;
  const options = {
    ...shared,
    isDemo,
    place,
    isSame: true,
    bringsBack: true,
    settings: family.releaseSettings(false),
    onStep: ({ text }: { readonly text: string }) => onStep(text),
  } as const;
  if (source.kind === 'serial') {
    // A page may see a device that has just appeared only after a person has chosen it: the dialog offers that.
    const onUsb = usb !== undefined && family.connectUsb !== undefined ? { usb, personWait: 0 } : {};
    return new ButtonBoard(family, await family.connect(source.port, { ...options, ...onUsb }), isDemo);
  }
  if (family.connectUsb === undefined) {
    throw new FlashError('port-gone', commonFailureText['port-gone']);
  }
  return new ButtonBoard(family, await family.connectUsb(source.device, source.gone, options), isDemo);
}

/** A connected board of any family, as the dialog works with it. */
export class ButtonBoard {
  /** Name of the id: `MAC`. */
  readonly idName: string;
  readonly isDemo: boolean;
  readonly #family: Family;
  readonly #board: FamilyBoard;

  constructor(family: Family, board: FamilyBoard, isDemo: boolean) {
    this.#family = family;
    this.#board = board;
    this.idName = family.idName;
    this.isDemo = isDemo;
  }

  get facts(): BoardFacts {
    return boardFactsOf(this.#board.facts);
  }

  /** Chip as its vendor writes it, with all that is known: `ESP32-D0WD-V3`. */
  get name(): string {
    const { name, model } = this.#board.facts;
    return model ?? name;
  }

  /** Vendor's name of the chip: `ESP32`. */
  get chip(): string {
    return this.#board.facts.name;
  }

  get id(): string | null {
    return this.#board.facts.id;
  }

  /** False: nothing is erased but what is written, so the question is not asked. */
  get canEraseAll(): boolean {
    return this.#board.canEraseAll;
  }

  /** True: regions have addresses. False: they are images in the order of writing. */
  get hasAddresses(): boolean {
    return hasAddresses(this.#board);
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  /** Longest time for the board to come back after a restart, in milliseconds. */
  get returnLimit(): number {
    return this.#family.returnLimit;
  }

  get vanishes(): boolean {
    return this.#board.vanishes;
  }

  /** Null: no program can be heard through this device. */
  get console(): ConsoleLines | null {
    const { console } = this.#board.facts;
    return console === null ? null : consoleLines(console);
  }

  /** Instruction for the person after a flash; null without one. */
  get afterwards(): string | null {
    return this.#board.facts.afterwards ?? null;
  }

  /** Compares the files with the board, and keeps the plan for `write`. */
  async plan({ files, model, guards, isDemoRelease, eraseAll, signal }: PlanOptions): Promise<BoardPlan> {
    const plan = await this.#board.plan(
      {
        files: await this.#family.readFiles(files.map(({ file, bytes }) => ({ ...file, bytes }))),
        settings: this.#family.releaseSettings(eraseAll),
        guard: { model, flashSize: guards.flashSize ?? null, demo: isDemoRelease },
      },
      signal,
    );
    const { refusals, warnings, toWrite, same, duration, stored } = plan;
    return {
      refusals,
      warnings,
      files: plannedFiles(this.#board, plan),
      ...namedAreas(this.#board, plan),
      eraseAll: plan.eraseAll,
      map: plan.map,
      toWrite,
      same,
      duration,
      saved: (plan.saved ?? []).map(({ file }) => file),
      lost: (this.#board.savedFiles?.() ?? []).filter(({ isPutBack }) => !isPutBack),
      ...(stored !== undefined && { stored }),
    };
  }

  /** Data that the board had before the write, as far as this page holds it. */
  get savedFiles(): readonly SavedFile[] {
    return this.#board.savedFiles?.() ?? [];
  }

  write(options: WriteOptions): Promise<WriteReport> {
    return this.#board.write(options);
  }

  restart(): Promise<void> {
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}
