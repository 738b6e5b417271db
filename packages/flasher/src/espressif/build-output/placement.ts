/** What comes of files that were dropped at once: which go where, which are left out, and what does not fit together. */
import type { FileContents } from '../../images/contents/contents.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import type { FlashSettings } from '../images/flash-settings.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { type ConflictText, type PlacementConflict, placementConflictText } from './placement-conflict.ts';

export interface DroppedFile {
  /** Name, or path within what was dropped. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where the file that it was taken out of has it. */
  readonly address?: number | null;
  /** It is wanted though no list has it: somebody has added it to a build. */
  readonly added?: boolean;
}

export interface PlacedFile extends DroppedFile {
  /** Address in flash, in bytes; null: a person has to say. */
  readonly offset: number | null;
  readonly part: ImagePart;
  /** What it is instead of firmware; null for firmware and data. */
  readonly contents: FileContents | null;
  /** What the file is: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
  readonly what: string;
  /** Why it goes there, or why that is not known. One sentence. */
  readonly why: string;
}

export interface LeftOutFile extends DroppedFile {
  /** One sentence. */
  readonly why: string;
}

export interface ConflictFinding extends ConflictText {
  readonly code: PlacementConflict;
  /** Names. */
  readonly files: readonly string[];
}

export interface Placement {
  /** What the files were built for; null when they do not say, or do not agree. */
  readonly chip: ChipName | null;
  /** In the order of their offsets, those without one at the end. */
  readonly files: readonly PlacedFile[];
  readonly leftOut: readonly LeftOutFile[];
  readonly conflicts: readonly ConflictFinding[];
  /** As the build's list has them; `keep` without one. */
  readonly settings: FlashSettings;
  /** Of the files. */
  readonly table: PartitionTable | null;
  /** Name of the list that was followed. */
  readonly list: string | null;
}

/** `names` without folders; `detail` as the sentence needs it. */
export type Report = (code: PlacementConflict, names: readonly string[], detail?: string) => void;

export function reportInto(conflicts: ConflictFinding[]): Report {
  return (code, names, detail = '') => {
    conflicts.push({ code, files: names, ...placementConflictText[code](names, detail) });
  };
}
