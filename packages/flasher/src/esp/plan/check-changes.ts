/** Checks the planned changes to what a board holds: sectors, overlaps, size of the flash, and what the board allows. */

import type { BoardChange } from '../../core/board-change.ts';
import { addressText } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import type { Piece } from './kept-settings.ts';

export interface ChangesContext {
  readonly board: EspPlanBoard | null;
  /** Stretches of the files that are written. */
  readonly pieces: readonly Piece[];
  readonly eraseAll: boolean;
  /** Ranges that are read before everything is erased, and written back. */
  readonly restore: readonly NamedRange[];
  /** Names of the changes whose contents on the board differ from those that they were made from. */
  readonly outdated: readonly string[];
}

export function checkChanges(changes: readonly BoardChange[], context: ChangesContext, findings: EspFindings): void {
  const { board, eraseAll, restore, outdated } = context;
  const flashSize = board?.info.flash?.size ?? null;
  for (const change of changes) {
    const { name, range } = change;
    const files = [name];
    if (!isInSectors(change)) {
      findings.refuse('change-not-in-sectors', { files });
      continue;
    }
    if (flashSize !== null && endOf(range) > flashSize) {
      const ends = { wanted: addressText(endOf(range)), found: addressText(flashSize) };
      findings.refuse('change-does-not-fit', { files, ...ends });
    }
    checkFiles(change, context.pieces, findings);
    if (outdated.includes(name)) {
      findings.refuse('change-outdated', { files });
    }
    if (eraseAll && change.basis !== null && !restore.some((kept) => isWithin(range, kept))) {
      findings.refuse('change-erased', { files });
    }
    if (board !== null) {
      checkAbility(change, board, findings);
    }
  }
  checkOverlaps(changes, findings);
}

function checkAbility({ name, erases }: BoardChange, { info, canErase, canHash }: EspPlanBoard, findings: EspFindings) {
  const { flashEncryption, secureDownload } = info.security;
  if (secureDownload) {
    findings.refuse('change-secure-download', { files: [name] });
  } else if (canHash === false) {
    findings.refuse('change-not-verifiable', { files: [name] });
  } else if (erases.length > 0 && canErase === false) {
    findings.refuse('change-cannot-erase', { files: [name] });
  }
  if (flashEncryption === true) {
    findings.refuse('change-encrypted', { files: [name] });
  }
}

function checkFiles({ name, range }: BoardChange, pieces: readonly Piece[], findings: EspFindings): void {
  for (const { file, offset, bytes } of pieces) {
    const length = Math.ceil(bytes.length / sectorSize) * sectorSize;
    const common = overlapOf(range, { offset, length });
    if (common !== null) {
      findings.refuse('change-overlaps-file', { files: [file, name], at: addressText(common.offset) });
    }
  }
}

function checkOverlaps(changes: readonly BoardChange[], findings: EspFindings): void {
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
      isWithin(one, range),
  );
}

function isWithin(inner: FlashRange, outer: FlashRange): boolean {
  return inner.offset >= outer.offset && endOf(inner) <= endOf(outer);
}
