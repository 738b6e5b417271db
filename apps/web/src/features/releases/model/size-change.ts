import { sizeText } from '../../../shared/format/bytes.ts';

/** ` (+1.2 KB)` for what grew, ` (−96 B)` for what shrank; empty where there is nothing to compare, or no difference. */
export function sizeChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === after) {
    return '';
  }
  return ` (${after > before ? '+' : '−'}${sizeText(Math.abs(after - before))})`;
}
