/** Draft of a change that replaces or erases a whole partition. No view of its contents can continue it. */
import type { PlannedChange } from '../../../store/board-changes.ts';

export interface WholeDraft {
  readonly whole: 'erase' | 'restore';
}

export function isWhole({ draft }: PlannedChange): boolean {
  return typeof draft === 'object' && draft !== null && 'whole' in draft;
}
