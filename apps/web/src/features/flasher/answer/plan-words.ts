/** Words for what a plan writes: files, and changes to what the board holds. */

import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import type { PlannedChange } from '../store/board-changes.ts';

const listed = new Intl.ListFormat('en');

/** Joins words as a sentence does: `nvs, ota_1 and storage`. */
export const joined = (words: readonly string[]): string => listed.format(words).replace(/, and /, ' and ');

/** Names the subjects: `Write 4 files and 3 changed keys`, `Write 3 changed keys to nvs`. */
export function changesTitle(files: number, changes: readonly PlannedChange[]): string {
  const [only] = changes;
  if (files === 0 && only !== undefined && changes.length === 1) {
    return only.title ?? `Write ${only.what} to ${only.change.name}`;
  }
  const parts = [
    ...(files === 0 ? [] : [files === 1 ? '1 file' : `${files} files`]),
    ...changes.map(({ what }) => what),
  ];
  return `Write ${joined(parts)}`;
}

/** Title of a plan that can be written, with the bytes that change. */
export function planTitle(files: number, changes: readonly PlannedChange[], plan: Pick<PlanFacts, 'toWrite'>): string {
  const title = changesTitle(files, changes);
  return plan.toWrite === 0 || changes.length > 0 ? title : `${title}, ${sizeText(plan.toWrite)}`;
}
