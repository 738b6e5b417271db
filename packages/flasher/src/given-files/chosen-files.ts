/** Given files and what is known about them, without their bytes. All values can be cloned between threads. */
import type { FamilyId } from '@wirebench/boards';
import type { FlashRange } from '../core/region.ts';

export type FileId = number;

/** Name of a set of files beside the chosen ones: the id of a release's build. Missing: the chosen files. */
export type FileSet = string | undefined;

/** A file from a disk, a folder or a release: its name and its bytes. */
export interface GivenFile {
  /** Name, or path within a folder. */
  readonly name: string;
  readonly content: Blob;
  /** Prescribed offset in flash, for example by a release. Missing: derived from the contents. */
  readonly offset?: number;
}

/** Describes a file that may be written. */
export interface FileFacts {
  readonly id: FileId;
  readonly name: string;
  /** Name of the given file that it comes from: itself with its folders, or an archive. Missing: its own name. */
  readonly from?: string;
  /** In bytes. */
  readonly size: number;
  /** Kind of file: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
  readonly what: string;
  /** Proposed offset; null if nothing determines it. */
  readonly offset: number | null;
  /** Reason for the proposed offset, or for its absence. */
  readonly why: string;
  /** Ranges of its bytes, in address order, if the file fixes them and the user cannot choose; else null. */
  readonly places: readonly FlashRange[] | null;
  /** Name and version in the application itself: `weather-node 1.4.0`; null if it has neither. */
  readonly application: string | null;
  /** Chip that it was built for, as boards name it: `ESP32-S3`. Missing: it does not say. */
  readonly chip?: string;
  /** Folder, archive or list of the build that it is a part of. Missing: a single file. */
  readonly build?: string;
  /** Facts that the file states, in the words of its vendor's tool. Missing: there are none. */
  readonly about?: readonly FileSection[];
  /** Set for firmware that keeps its user's files in flash. */
  readonly python?: 'MicroPython' | 'CircuitPython';
  /** Names what its program prints at its start: `the banner of Zephyr`. Missing: the file does not say that it prints. */
  readonly prints?: string;
  /** Lower-case hexadecimal; empty if the browser cannot hash (plain http). */
  readonly sha256: string;
}

/** A part of what a file says of itself: a title, and fields with one value a line. */
export interface FileSection {
  readonly title: string;
  readonly fields: readonly { readonly key: string; readonly values: readonly string[] }[];
}

export interface ChosenFiles {
  /** Sorted by offset. */
  readonly files: readonly FileFacts[];
  /** Given files that will not be written, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly conflicts: readonly Finding[];
  /** Name of the given file with the list that says where the files go. Missing: no list is followed. */
  readonly list?: string;
  /** Builds that were given together, of which one is written. Missing: there is nothing to choose. */
  readonly builds?: GivenBuilds;
  /** Flasher that the files of the last call belong to. They were not added. Missing: they belong here. */
  readonly elsewhere?: Elsewhere;
}

interface Elsewhere {
  readonly family: FamilyId;
  readonly names: readonly string[];
  /** True: no other flasher takes any of the files. */
  readonly only: boolean;
}

export interface GivenBuilds {
  /** Name of the build whose files were taken; null: none yet. */
  readonly picked: string | null;
  /** Names are unique. The chip is named as boards name it; null: the files do not say it. */
  readonly options: readonly { readonly name: string; readonly chip: string | null }[];
}

/** Names one of the chosen files, also after it was read again. */
export interface FileOrigin {
  readonly from: string;
  readonly name: string;
}

export const originOf = ({ from, name }: Pick<FileFacts, 'from' | 'name'>): FileOrigin => ({
  from: from ?? name,
  name,
});

/** A statement about files or a plan: a code for programs, and sentences for users. */
export interface Finding {
  readonly code: string;
  /** Names of the files concerned. */
  readonly files: readonly string[];
  readonly what: string;
  readonly remedy: string;
  /** True: nothing is written before the finding is gone. */
  readonly stops?: boolean;
  /** The same for a person who only installs a release, without addresses. Missing: `what` suits both. */
  readonly plain?: string;
}

/** Limits of a search for the files of a build in a folder. */
export const buildFolders: { readonly most: number; readonly deepest: number; readonly passedBy: readonly string[] } = {
  /** Number of folders. More suggest a home directory. */
  most: 2_000,
  /** Levels below the folder. Builds are not deeper than `.pio/build/<environment>` in a project. */
  deepest: 6,
  /** Folders with thousands of object files, none of which is flashed. */
  passedBy: ['node_modules', '.git', 'CMakeFiles', 'esp-idf', 'managed_components', 'libdeps'],
};
