/**
 * The checks of files for an STM32 that need no board: whether each looks like a program, whether they overlap, whether they lie in
 * flash. A plan and a release are checked by the same functions.
 */
import { addressText } from '../../core/bytes.ts';
import { endOf, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { VectorTable } from '../../images/formats/memory-file.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmFindings } from './stm-plan-finding.ts';

/** Before a board is connected: no STM32 of the families here has more flash than this. */
export const largestStmFlash: FlashRange = { offset: flashStart, length: 2 * 1_048_576 };

/** A file as the checks see it. */
export interface StmContents {
  readonly name: string;
  /** Where its bytes go, the lowest address first; none when it is empty. */
  readonly ranges: readonly FlashRange[];
  /** At its lowest address; null when it has none. */
  readonly vectors: VectorTable | null;
}

/** A stretch of bytes of a file. */
export interface StmStretch extends FlashRange {
  readonly file: string;
}

/** Whether it looks like a program where a part starts, or where it goes. */
export function checkProgram({ name, ranges, vectors }: StmContents, findings: StmFindings): void {
  const [first] = ranges;
  if (first === undefined || first.length === 0) {
    findings.refuse('file-empty', { files: [name] });
    return;
  }
  const at = addressText(first.offset);
  if (vectors === null) {
    const detail = { files: [name], at };
    if (first.offset === flashStart) {
      findings.refuse('not-an-image', detail);
    } else {
      findings.warn('no-vector-table', detail);
    }
    return;
  }
  const isInside = ranges.some((range) => overlapOf(range, { offset: vectors.reset, length: 1 }) !== null);
  // Flash is seen at zero as well, and some programs are linked there (RM0008 section 3.4, "Boot configuration").
  if (!isInside && vectors.reset >= flashStart) {
    findings.warn('linked-elsewhere', { files: [name], at, wanted: addressText(vectors.reset) });
  }
}

/** @param stretches in the order of addresses */
export function checkOverlaps(stretches: readonly StmStretch[], findings: StmFindings): void {
  let furthest: StmStretch | undefined;
  for (const stretch of stretches) {
    if (furthest !== undefined && overlapOf(furthest, stretch) !== null) {
      const files = [...new Set([furthest.file, stretch.file])];
      findings.refuse('overlap', { files, at: addressText(stretch.offset) });
    }
    if (furthest === undefined || endOf(stretch) > endOf(furthest)) {
      furthest = stretch;
    }
  }
}

/** @param sectors those of the board, or `largestStmFlash`; none when they are not known */
export function checkPlaces(
  stretches: readonly StmStretch[],
  sectors: readonly FlashRange[],
  findings: StmFindings,
): void {
  const last = sectors.at(-1);
  if (last === undefined) {
    return;
  }
  for (const { file, ...range } of stretches) {
    const [outside] = without(range, sectors);
    if (outside === undefined) {
      continue;
    }
    const startsInside = sectors.some((sector) => overlapOf(sector, { offset: range.offset, length: 1 }) !== null);
    if (startsInside && outside.offset >= endOf(last)) {
      const [wanted, found] = [endOf(range), endOf(last)].map(addressText);
      findings.refuse('does-not-fit', { files: [file], wanted: wanted ?? '', found: found ?? '' });
    } else {
      findings.refuse('outside-flash', { files: [file], at: addressText(outside.offset) });
    }
  }
}
