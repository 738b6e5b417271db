/** Result of placing dropped files: files with their offsets, files left out, and conflicts. */
import type { FileContents } from '../../images/contents/contents.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import type { FlashSettings } from '../images/flash-settings.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { type ConflictText, type PlacementConflict, placementConflictText } from './placement-conflict.ts';

export interface DroppedFile {
  /** Name, or path within the dropped folder or archive. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Address that the containing file states for it. */
  readonly address?: number | null;
  /** True: a person added the file to a build, so it is kept although the list does not name it. */
  readonly added?: boolean;
}

export interface PlacedFile extends DroppedFile {
  /** Flash offset in bytes; null if a person has to enter it. */
  readonly offset: number | null;
  readonly part: ImagePart;
  /** Contents that are not firmware, such as a picture; null for firmware and data. */
  readonly contents: FileContents | null;
  /** Description of the file: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
  readonly what: string;
  /** Reason for the offset, or for its absence. One sentence. */
  readonly why: string;
}

export interface LeftOutFile extends DroppedFile {
  /** Reason for leaving the file out. One sentence. */
  readonly why: string;
}

export interface ConflictFinding extends ConflictText {
  readonly code: PlacementConflict;
  /** Names of the files that the conflict concerns. */
  readonly files: readonly string[];
}

export interface Placement {
  /** Chip that the files were built for; null if they name none or do not agree. */
  readonly chip: ChipName | null;
  /** In the order of their offsets; files without an offset come last. */
  readonly files: readonly PlacedFile[];
  readonly leftOut: readonly LeftOutFile[];
  readonly conflicts: readonly ConflictFinding[];
  /** Flash settings of the build's list; `keep` without a list. */
  readonly settings: FlashSettings;
  /** Partition table among the files. */
  readonly table: PartitionTable | null;
  /** Name of the list that was followed; null without a list. */
  readonly list: string | null;
}

/** Records a conflict. `names` are without folders; `detail` depends on the code. */
export type Report = (code: PlacementConflict, names: readonly string[], detail?: string) => void;

export function reportInto(conflicts: ConflictFinding[]): Report {
  return (code, names, detail = '') => {
    conflicts.push({ code, files: names, ...placementConflictText[code](names, detail) });
  };
}
