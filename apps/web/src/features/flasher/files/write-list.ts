/** Lists the chosen files with their offsets and conflicts. The list is derived from the state, never stored. */
import type { FlashRange } from '@wirebench/flasher/core';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import type { MapRegion } from '../../../workbench/map-segments.ts';
import type { AddressRule } from '../page-family.ts';
import { type FileOffset, fileOffset, placeText } from './offset-text.ts';

export interface ListedFile extends FileFacts {
  readonly typed: FileOffset;
  /** Ranges of its bytes, in address order; empty without an offset. */
  readonly ranges: readonly FlashRange[];
  /** Address after the last byte; null without an offset. */
  readonly end: number | null;
}

/** Returns every file, with the fault that prevents its write. */
export function writeList(
  files: readonly FileFacts[],
  typedOffsets: Readonly<Record<number, string>>,
  rule: AddressRule,
): readonly ListedFile[] {
  const listed = files.map((file) => placed(file, typedOffsets[file.id], rule));
  return listed.map((file) => {
    const other = listed.find(
      (candidate) => candidate !== file && overlap(file, candidate) && isBefore(candidate, file),
    );
    return other === undefined ? file : { ...file, typed: { ...file.typed, fault: `Overlaps ${other.name}` } };
  });
}

function placed(file: FileFacts, text: string | undefined, rule: AddressRule): ListedFile {
  const typed = file.places === null ? fileOffset(file, text, rule) : ownPlace(file.places, rule);
  const whole = typed.offset === null ? [] : [{ offset: typed.offset, length: file.size }];
  const ranges = file.places ?? whole;
  const last = ranges.at(-1);
  return { ...file, typed, ranges, end: last === undefined ? null : last.offset + last.length };
}

/** Returns the offset that the file itself prescribes, which the user cannot change. */
function ownPlace(places: readonly FlashRange[], rule: AddressRule): FileOffset {
  const offset = places[0]?.offset ?? 0;
  return { text: placeText(offset, rule), offset, fault: null };
}

function overlap(one: ListedFile, other: ListedFile): boolean {
  return one.ranges.some((a) =>
    other.ranges.some((b) => a.offset < b.offset + b.length && b.offset < a.offset + a.length),
  );
}

/**
 * Returns true if an overlap is reported at `other`: the file with the higher offset, or the one added later at equal
 * offsets.
 */
function isBefore(one: ListedFile, other: ListedFile): boolean {
  const difference = (one.typed.offset ?? 0) - (other.typed.offset ?? 0);
  return difference < 0 || (difference === 0 && one.id < other.id);
}

/** Returns the boxes for the map. Files without an offset are left out. */
export function plannedRegions(list: readonly ListedFile[]): MapRegion[] {
  return list.flatMap(({ name, ranges }) =>
    ranges.map(({ offset, length }) => ({
      label: name,
      start: offset,
      end: offset + length,
      state: 'planned' as const,
      done: 0,
    })),
  );
}

/** Counts the files that overlap a file before them. */
export function overlapCount(list: readonly ListedFile[]): number {
  return list.filter(({ typed }) => typed.fault?.startsWith('Overlaps ')).length;
}
