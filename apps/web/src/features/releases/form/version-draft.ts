/**
 * Draft of a version: typed text, chosen files and remaining faults. Offsets that were not typed are derived from the
 * files each time. A partition table chosen last therefore moves the application chosen first.
 */
import type { DeviceModel } from '@wirebench/boards';
import {
  type BuildConnection,
  buildLimits,
  type ConsoleSettings,
  firmwareFormatOf,
  offsetFaultText,
  type ReleaseChannel,
  readTypedOffset,
  releaseLimits,
  releaseText,
} from '@wirebench/contract';
import { memoryText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { FactsByFile, FileFacts } from './file-facts.ts';
import { type FlashTarget, usualOffset } from './suggest-offsets.ts';

interface FileRow {
  /** Never reused within a draft. */
  readonly id: number;
  readonly file: File | null;
  /** Offset that the user typed or that a build's list contains. Null: it is suggested. */
  readonly typedOffset: string | null;
}

/** Rows of files: those of the simple form, or those of one build. */
export interface FileRows {
  /** Only rows with a file or an offset. The form adds an empty one at the end. */
  readonly rows: readonly FileRow[];
  readonly nextRowId: number;
}

export interface DraftGuards {
  /** Minimum size of flash in bytes; null for any. */
  readonly flashSize: number | null;
  /** Null: with or without. */
  readonly psram: boolean | null;
  /** Text such as `3.1`, as it was typed. Empty for any. */
  readonly minRevision: string;
  /** Null for any. */
  readonly connection: BuildConnection | null;
}

/** The ELF file of the simple form, or of one build. */
export interface DraftElf {
  /** ELF file of the program. Only the owner can read it. */
  readonly elf: File | null;
  /** Reason why the last chosen file was refused. Null after another file is accepted or the field is emptied. */
  readonly elfRefusal: string | null;
}

export interface DraftBuild extends DraftElf {
  /** Never reused within a draft. */
  readonly id: number;
  /** Empty: the files do not say it, and no one was chosen. */
  readonly deviceModel: DeviceModel | '';
  readonly guards: DraftGuards;
  readonly rows: readonly FileRow[];
}

/** With builds, the draft itself has no ELF file. */
export interface VersionDraft extends FileRows, DraftElf {
  readonly version: string;
  readonly description: string;
  readonly channel: ReleaseChannel;
  /** Empty: the simple form, with `rows` as its files. Otherwise each build has its own rows, and `rows` is unused. */
  readonly builds: readonly DraftBuild[];
  readonly console: ConsoleSettings | null;
}

export const noElf: DraftElf = { elf: null, elfRefusal: null };

export const emptyDraft: VersionDraft = {
  version: '',
  description: '',
  channel: 'stable',
  rows: [],
  builds: [],
  nextRowId: 1,
  console: null,
  ...noElf,
};

/** A row as shown, with its effective offset. */
export interface ShownRow extends FileRow {
  readonly offset: string;
  /** True: the offset is a suggestion, not typed by the user. */
  readonly suggested: boolean;
  /** Probable meaning of an offset without `0x`. One click accepts it; it is never applied by itself. */
  readonly likelyOffset: string | null;
  /** True: the file states its own addresses, so that it has no offset. */
  readonly hasAddresses: boolean;
  /** Null until the bytes were read. */
  readonly facts: FileFacts | null;
}

/** Files that a form accepts. More than `maxFiles` stay in the form, and prevent the version. */
export interface FileRules {
  readonly maxFiles: number;
  /** Returns the reason why the server would refuse the name; null if it would accept it. */
  readonly nameFault: (name: string) => string | null;
  readonly tooMany: (extra: number) => string;
}

const simpleRules: FileRules = {
  maxFiles: releaseLimits.files,
  nameFault: (name) =>
    /[^.]\.bin$/i.test(name) ? null : `"${name}" is not a .bin file. Only .bin files can be uploaded`,
  tooMany: (extra) =>
    `A version can have at most ${releaseLimits.files} files: remove ${extra}, or drop the folder or zip of a build, which has up to ${buildLimits.files}.`,
};

/** Returns the rows of the form. The last one is empty for another file, until the limit is reached. */
export function shownRows(
  { rows, nextRowId }: FileRows,
  target: FlashTarget,
  facts: FactsByFile,
  maxFiles: number = releaseLimits.files,
): ShownRow[] {
  const known = rows.map(({ file, typedOffset }) => {
    const read = file === null ? undefined : facts.get(file);
    return { read: read ?? null, place: typedOffset === null ? (read?.offset ?? null) : addressOf(typedOffset) };
  });
  const taken = new Set(known.flatMap(({ place }) => place ?? []));
  /** Returns the usual offset, unless another file has it. */
  const guess = (file: File | null): number | null => {
    const offset = file === null ? null : usualOffset(file.name, target);
    if (offset === null || taken.has(offset)) {
      return null;
    }
    taken.add(offset);
    return offset;
  };
  const shown = rows.map((row, index): ShownRow => {
    const { read = null, place = null } = known[index] ?? {};
    if (row.file !== null && statesAddresses(row.file)) {
      return { ...row, offset: '', suggested: false, likelyOffset: null, hasAddresses: true, facts: read };
    }
    if (row.typedOffset !== null) {
      const typed = readTypedOffset(row.typedOffset);
      const likelyOffset = typed.fault === null ? null : typed.suggestion;
      return { ...row, offset: row.typedOffset, suggested: false, likelyOffset, hasAddresses: false, facts: read };
    }
    const offset = place ?? guess(row.file);
    return {
      ...row,
      offset: offset === null ? '' : addressText(offset),
      suggested: offset !== null,
      likelyOffset: null,
      hasAddresses: false,
      facts: read,
    };
  });
  const blank = {
    id: nextRowId,
    file: null,
    typedOffset: null,
    offset: '',
    suggested: false,
    likelyOffset: null,
    hasAddresses: false,
    facts: null,
  };
  return rows.length < maxFiles ? [...shown, blank] : shown;
}

/** A file with the offset from a build's list. Null: it is suggested. */
export interface ChosenFile {
  readonly file: File;
  readonly offset: number | null;
}

/** Returns true for a file of a format with its own addresses, by its name. */
export const statesAddresses = ({ name }: File): boolean => {
  const format = firmwareFormatOf(name);
  return format !== null && format !== 'bin';
};

export interface Added<Holder extends FileRows = VersionDraft> {
  readonly draft: Holder;
  /** Reason why some files were refused; null if all were accepted. */
  readonly refusal: string | null;
}

/**
 * Adds files after the existing rows.
 * @param rowId Row that receives the first file.
 */
export function addFiles<Holder extends FileRows>(
  draft: Holder,
  files: readonly ChosenFile[],
  rowId: number | null = null,
  rules: FileRules = simpleRules,
): Added<Holder> {
  const [refused, good] = partition(files, rules);
  let { rows, nextRowId } = draft;
  for (const [index, { file, offset }] of good.entries()) {
    const typedOffset = offset === null ? null : addressText(offset);
    const target = index === 0 ? rows.find(({ id }) => id === rowId) : undefined;
    if (target !== undefined) {
      const changed = { ...target, file, typedOffset: typedOffset ?? target.typedOffset };
      rows = rows.map((row) => (row === target ? changed : row));
    } else {
      rows = [...rows, { id: nextRowId++, file, typedOffset }];
    }
  }
  const extra = rows.length - rules.maxFiles;
  const tooMany = extra > 0 && good.length > 0 ? [rules.tooMany(extra)] : [];
  const refusal = [...refused, ...tooMany].join(' ');
  return { draft: { ...draft, rows, nextRowId }, refusal: refusal === '' ? null : refusal };
}

/** Replaces all rows, because a folder of build output contains the complete build. */
export function replaceFiles(draft: VersionDraft, files: readonly ChosenFile[]): Added {
  return addFiles({ ...draft, rows: [] }, files);
}

function partition(files: readonly ChosenFile[], rules: FileRules): readonly [refusals: string[], good: ChosenFile[]] {
  const refusals: string[] = [];
  const good = files.filter(({ file }) => {
    const fault = fileFault(file, rules);
    if (fault !== null) {
      refusals.push(`${fault}.`);
    }
    return fault === null;
  });
  return [refusals, good];
}

/** Returns the reason why the server would refuse a file at any offset; null if it would accept it. */
function fileFault({ name, size }: File, { nameFault }: FileRules): string | null {
  const fault = nameFault(name);
  if (fault !== null) {
    return fault;
  }
  if (name.length > releaseLimits.fileNameMaxLength) {
    return `A file name cannot exceed ${releaseLimits.fileNameMaxLength} characters`;
  }
  if (size > releaseLimits.fileSize) {
    return `"${name}" is larger than ${memoryText(releaseLimits.fileSize)}`;
  }
  return size === 0 ? `"${name}" is empty` : null;
}

/** Sets an offset. A row without file and offset is removed, because the form adds its own empty one. */
export function setOffset<Holder extends FileRows>(draft: Holder, id: number, offset: string): Holder {
  const known = draft.rows.some((row) => row.id === id);
  const rows = known
    ? draft.rows.map((row) => (row.id === id ? { ...row, typedOffset: offset } : row))
    : [...draft.rows, { id, file: null, typedOffset: offset }];
  return {
    ...draft,
    rows: rows.filter(({ file, typedOffset }) => file !== null || typedOffset !== ''),
    nextRowId: known ? draft.nextRowId : Math.max(draft.nextRowId, id + 1),
  };
}

export function removeRow<Holder extends FileRows>(draft: Holder, id: number): Holder {
  return { ...draft, rows: draft.rows.filter((row) => row.id !== id) };
}

/** Faults by part of the form. */
export interface DraftFaults {
  readonly version: string | null;
  readonly description: string | null;
  readonly files: string | null;
}

/**
 * Returns the faults that the form finds by itself, in the order of docs/behaviour.md, "Releases".
 * @param files Fault of the files of the simple form; null with builds, whose faults `build-drafts.ts` finds.
 */
export function draftFaults(draft: VersionDraft, files: string | null): DraftFaults {
  return {
    version: draft.version.trim() === '' ? releaseText.versionRequired : null,
    description: draft.description.trim() === '' ? releaseText.descriptionRequired : null,
    files,
  };
}

export const isFaultless = ({ version, description, files }: DraftFaults): boolean =>
  version === null && description === null && files === null;

/** A file with its address. */
export interface PlacedFile {
  readonly file: File;
  readonly offset: string;
}

/** Returns the complete rows. The offset of a file with its own addresses is empty. */
export function placedFiles(rows: readonly ShownRow[]): PlacedFile[] {
  return rows.flatMap(({ file, offset, hasAddresses }) =>
    file === null || (offset.trim() === '' && !hasAddresses) ? [] : [{ file, offset }],
  );
}

/** A file that can be checked. Its offset is null if it has its own addresses. */
export interface AddressedFile {
  readonly file: File;
  readonly offset: number | null;
}

/** Returns the rows whose offset is an address, and files with their own. The rules of a release can check them. */
export function addressedFiles(rows: readonly ShownRow[]): readonly AddressedFile[] {
  return rows.flatMap(({ file, offset: text, hasAddresses }) => {
    const offset = addressOf(text);
    return file === null || (offset === null && !hasAddresses) ? [] : [{ file, offset }];
  });
}

/** Returns the fault of too many or of incomplete rows. `release-check.ts` checks the complete ones. */
export function filesFault(rows: readonly ShownRow[], rules: FileRules = simpleRules): string | null {
  const extra = rows.filter(({ file }) => file !== null).length - rules.maxFiles;
  if (extra > 0) {
    return rules.tooMany(extra);
  }
  if (placedFiles(rows).length === 0) {
    return releaseText.fileRequired;
  }
  return rows.map(rowFault).find((fault) => fault !== null) ?? null;
}

function rowFault({ file, offset: text, hasAddresses }: ShownRow): string | null {
  if (hasAddresses) {
    return null;
  }
  if (file === null) {
    return text.trim() === '' ? null : `Choose a .bin file for the offset ${text.trim()}, or clear the offset.`;
  }
  const typed = readTypedOffset(text);
  return typed.fault === null ? null : offsetFaultText(file.name, typed);
}

function addressOf(text: string): number | null {
  const typed = readTypedOffset(text);
  return typed.fault === null ? typed.offset : null;
}
