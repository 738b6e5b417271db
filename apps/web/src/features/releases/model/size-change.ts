import { sizeText } from '../../../shared/format/bytes.ts';

/** Formats a growth as ` (+1.2 KB)`, a reduction as ` (−96 B)`. Empty without a difference or a value to compare. */
export function sizeChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === after) {
    return '';
  }
  return ` (${after > before ? '+' : '−'}${sizeText(Math.abs(after - before))})`;
}
