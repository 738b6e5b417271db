/** Checks of all families for planned changes to what a board holds: sectors, overlaps, size of the flash. */
import type { BoardChange } from './board-change.ts';
import { addressText } from './bytes.ts';
import { type FindingDetail, type FindingText, quoted } from './findings.ts';
import { endOf, inSectors, overlapOf } from './ranges.ts';
import { type FlashRange, sectorSize } from './region.ts';

export type ChangeRefusal =
  | 'change-not-in-sectors'
  | 'change-does-not-fit'
  | 'change-overlaps-file'
  | 'changes-overlap'
  | 'change-outdated'
  | 'change-erased';

export const undoChange = 'Undo the change.';

export const changeRefusalText = {
  'change-not-in-sectors': ({ files }) => ({
    what: `The change to ${quoted(files)} does not consist of whole sectors of 4 KB within it.`,
    remedy: undoChange,
  }),
  'change-does-not-fit': ({ files, wanted, found }) => ({
    what: `The change to ${quoted(files)} ends at ${wanted}, but the flash of this board ends at ${found}.`,
    remedy: undoChange,
  }),
  'change-overlaps-file': ({ files: [file = '', change = ''] = [], at }) => ({
    what: `${quoted([file])} and the change to ${quoted([change])} are both written at ${at}.`,
    remedy: 'Remove the file or undo the change.',
  }),
  'changes-overlap': ({ files, at }) => ({
    what: `The changes to ${quoted(files)} overlap at ${at}.`,
    remedy: 'Undo one of them.',
  }),
  'change-outdated': ({ files }) => ({
    what: `The contents of ${quoted(files)} have changed since they were read.`,
    remedy: 'Undo the change, read the contents again, and make the change again.',
  }),
  'change-erased': ({ files }) => ({
    what: `The change to ${quoted(files)} builds on contents that are erased before.`,
    remedy: 'Erase only what is needed, or undo the change.',
  }),
} satisfies Record<ChangeRefusal, FindingText>;

export interface ChangesContext {
  /** Address behind the flash; null if its size is unknown. */
  readonly end: number | null;
  /** Stretches that the files write, each extended to whole sectors by the check. */
  readonly pieces: readonly (FlashRange & { readonly file: string })[];
  /** Names of the changes whose contents on the board differ from those that they were made from. */
  readonly outdated: readonly string[];
  /** Returns true if the contents of a range are erased before the changes are written. */
  readonly isErased: (range: FlashRange) => boolean;
  /** Checks of the family for a change that consists of whole sectors. */
  readonly checkOwn: (change: BoardChange) => void;
}

export function checkChanges(
  changes: readonly BoardChange[],
  { end, pieces, outdated, isErased, checkOwn }: ChangesContext,
  findings: { refuse(code: ChangeRefusal, detail: FindingDetail): void },
): void {
  for (const change of changes) {
    const { name, range } = change;
    const files = [name];
    if (!isInSectors(change)) {
      findings.refuse('change-not-in-sectors', { files });
      continue;
    }
    if (end !== null && endOf(range) > end) {
      findings.refuse('change-does-not-fit', { files, wanted: addressText(endOf(range)), found: addressText(end) });
    }
    for (const { file, ...piece } of pieces) {
      const common = overlapOf(range, inSectors(piece));
      if (common !== null) {
        findings.refuse('change-overlaps-file', { files: [file, name], at: addressText(common.offset) });
      }
    }
    if (outdated.includes(name)) {
      findings.refuse('change-outdated', { files });
    }
    if (change.basis !== null && isErased(range)) {
      findings.refuse('change-erased', { files });
    }
    checkOwn(change);
  }
  for (const [index, one] of changes.entries()) {
    for (const other of changes.slice(index + 1)) {
      const common = overlapOf(one.range, other.range);
      if (common !== null) {
        findings.refuse('changes-overlap', { files: [one.name, other.name], at: addressText(common.offset) });
      }
    }
  }
}

/** Returns true if the change consists of whole sectors within its range. */
function isInSectors({ range, erases, writes }: BoardChange): boolean {
  const written = writes.map(({ offset, bytes }) => ({ offset, length: bytes.length }));
  return [range, ...erases, ...written].every(
    (one) =>
      Number.isSafeInteger(one.offset) &&
      one.offset >= 0 &&
      one.length > 0 &&
      one.offset % sectorSize === 0 &&
      one.length % sectorSize === 0 &&
      one.offset >= range.offset &&
      endOf(one) <= endOf(range),
  );
}
