/**
 * What a page and the flasher's host say to each other. The host runs beside the bench, in the same thread, so that a board
 * that was flashed is the board that the console opens; a board is known by the bench's port number. Files never come back
 * to the page. What a family of chips adds to this is in `families.ts`. Everything here can be cloned between threads.
 */
import type { FlasherFamily } from '@wirebench/contract/constants';
import type { BoardState, Fate, FlashRange, WriteEvent, WriteReport } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import type { FlashSource } from './usb-source.ts';

/** What a family puts in the place of these: its own board, how it is written, and what only it can do. */
export interface FamilyTypes {
  readonly board: BoardFacts;
  readonly settings: { readonly family: FlasherFamily };
  /** What a board of this family can be asked for besides; `never` for nothing. */
  readonly action: string;
}

/** How a board is reached this time. What is left out is as the settings say. */
export interface ConnectTry {
  /** In baud. */
  readonly baudRate?: number;
  /** A person has put the board into its bootloader: no control line is touched. */
  readonly byHand?: boolean;
  /** False: the chip's own loader alone (Espressif). */
  readonly stub?: boolean;
}

export interface ConnectRequest<Settings> extends ConnectTry {
  /** Rate to flash at, in baud. */
  readonly baudRate: number;
  readonly settings: Settings;
  /** Of the board that was being written: any other is refused with `other-board`. */
  readonly expectedId?: string;
}

export type FileId = number;

/** A file from a person's disk, a folder, a release: what it is called there, and its bytes. */
export interface GivenFile {
  /** Name, or path within a folder. */
  readonly name: string;
  readonly content: Blob;
  /** Where somebody who knows says that it goes; left out, its contents tell. */
  readonly offset?: number;
}

/** What is known of a file that may be written. */
export interface FileFacts {
  readonly id: FileId;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What it is: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
  readonly what: string;
  /** Where it should go; null when nothing tells. */
  readonly offset: number | null;
  /** Why it goes there, or why that is not known. */
  readonly why: string;
  /** Where its bytes go, in the order of addresses, when the file itself says so and nobody can choose; else null. */
  readonly places: readonly FlashRange[] | null;
  /** What the application calls itself: `weather-node 1.4.0`; null when it says nothing. */
  readonly application: string | null;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface ChosenFiles {
  /** In the order of their offsets. */
  readonly files: readonly FileFacts[];
  /** What was given and will not be written. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly conflicts: readonly Finding[];
}

/** What a release says of the boards that it is for. */
interface ReleaseGuard {
  readonly model: string | null;
  /** For demo devices only. */
  readonly demo: boolean;
}

/** What is to be written, and how. */
export interface PlanRequest<Settings> {
  /** Files with places of their own go there, whatever the offset says. */
  readonly files: readonly { readonly id: FileId; readonly offset: number }[];
  readonly settings: Settings;
  readonly guard: ReleaseGuard | null;
  /** Codes of the refusals that a person has overridden. */
  readonly overrides: readonly string[];
}

/** What every family's board says of itself, once it is in its bootloader. */
export interface BoardFacts {
  readonly family: FlasherFamily;
  /** As its maker writes it: `ESP32-S3`, `STM32F405`. */
  readonly name: string;
  /** Which of them exactly; null when there is no more to say. */
  readonly model: string | null;
  /** What no other board has; null when it does not tell. */
  readonly id: string | null;
  /** Its flash: where it begins, and its bytes where they are known. */
  readonly flash: { readonly start: number; readonly size: number | null };
  /** What is known to be in it, in the order of addresses. */
  readonly areas: readonly NamedArea[];
  /** As it is now, in baud; null where there is none. */
  readonly baudRate: number | null;
  /** How its program is listened to through the same port; null where it cannot be. */
  readonly console: BoardConsole | null;
  /** What a person has to do after a flash; left out for nothing. */
  readonly afterwards?: string | null;
  /** A simulated board. */
  readonly demo: boolean;
  readonly port: SerialPortInfo;
}

export interface BoardConsole {
  /** The control lines while the program runs; null where they are left as they are. */
  readonly lines: ControlLines | null;
  /** How the program is started anew: by the circuit that the bench knows, by these lines for a moment, or not from here. */
  readonly reset: 'circuit' | ControlLines | null;
}

interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
}

export interface NamedArea extends FlashRange {
  readonly name: string;
}

/** What the page can ask. Failures arrive as `CallError`, their code a failure of the family where there is one. */
export interface FlasherApi<Family extends FamilyTypes> {
  /** Opens the port, brings the board into its bootloader and looks at it. */
  connect(port: PortNumber, source: FlashSource, request: ConnectRequest<Family['settings']>): Family['board'];
  /** Looks at the files, the ones given before included, and places them. Archives are opened. */
  addFiles(files: readonly GivenFile[]): ChosenFiles;
  removeFiles(ids: readonly FileId[]): ChosenFiles;
  /** Compares with what is on the board, and says what would be done. Nothing is changed. */
  plan(port: PortNumber, request: PlanRequest<Family['settings']>): PlanFacts;
  /** Carries out the plan that was made last for this board. */
  write(port: PortNumber): WriteReport;
  /** Ends whatever goes on at this board; what was asked for rejects with `cancelled`. */
  cancel(port: PortNumber): void;
  /** Lets the board start its program, and releases the port. */
  restart(port: PortNumber): void;
  /** Releases the port; the board stays in its bootloader. */
  close(port: PortNumber): void;
  /** The bytes stay with the browser until somebody reads them. */
  read(port: PortNumber, range: FlashRange): Blob;
  /** Whole sectors; null erases all of the flash. Answers with the board as it is afterwards. */
  erase(port: PortNumber, range: FlashRange | null): Family['board'];
  /** What only this family can do. Null: the board has reset, and has to be connected again. */
  perform(port: PortNumber, action: Family['action']): Family['board'] | null;
}

/** A stretch of flash that a plan writes. */
export interface ComparedRegion extends FlashRange {
  /** Name of the file that its bytes are from. */
  readonly file: string;
  /** It is there already; null on a board that cannot be asked. */
  readonly same: boolean | null;
}

/** What is to be said about files or a plan: a code for programs, sentences for people. */
export interface Finding {
  readonly code: string;
  /** Names of the files that it is about. */
  readonly files: readonly string[];
  readonly what: string;
  readonly remedy: string;
}

export interface Refusal extends Finding {
  /** Whether a person may type it away. */
  readonly overridable: boolean;
}

/** What would be done, as it is shown before anything is erased: a plan without its bytes. */
export interface PlanFacts {
  readonly refusals: readonly Refusal[];
  /** Refusals that were overridden. */
  readonly overridden: readonly Refusal[];
  readonly warnings: readonly Finding[];
  readonly eraseAll: boolean;
  readonly regions: readonly ComparedRegion[];
  /** The whole flash in the order of addresses, without gaps, as far as it is known. */
  readonly map: readonly PlannedArea[];
  /** Image bytes. */
  readonly toWrite: number;
  readonly same: number;
  /** Milliseconds that erasing, writing and verifying take, as it is to be expected. */
  readonly duration: number;
}

interface PlannedArea extends FlashRange {
  /** Null for what has no name. */
  readonly name: string | null;
  readonly fate: Fate;
}

/** `saving`: what is to outlive an erase is read. */
export type WriteStage = 'saving' | 'erasing' | 'writing';

export type FlashEvent =
  | { readonly type: 'stage'; readonly stage: WriteStage }
  /** Where a connection is, in the family's own steps. */
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'write'; readonly event: WriteEvent }
  /** Bytes done of what is read or erased. */
  | { readonly type: 'work'; readonly done: number; readonly total: number }
  /** The board is gone; a call that waits for it rejects by itself. */
  | { readonly type: 'gone' };

export type FlashLineLevel = 'info' | 'success' | 'warning' | 'error' | 'board';

/** A line of the log. */
export interface FlashLine {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly port: PortNumber;
  /** `board`: what the board itself printed. */
  readonly level: FlashLineLevel;
  readonly text: string;
}

/** What has happened since the tick before, in order. */
export interface FlasherTick {
  readonly events: readonly { readonly port: PortNumber; readonly event: FlashEvent }[];
  readonly lines: readonly FlashLine[];
}

/** What is known of a failure besides its code. */
export interface FlashFailureDetail {
  /** A register, a status, the board's own words; null when there is nothing. */
  readonly detail: string | null;
  /** In what state the board was left. */
  readonly state: BoardState;
}
