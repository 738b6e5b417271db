/** Compares the chip that the files were built for with the chip of the board, also while its program runs. */
import type { ConnectedBoard } from '../../../workbench/families.ts';
import type { ListedFile } from '../files/write-list.ts';
import { joined } from './plan-words.ts';

export interface WrongChip {
  /** Ids of the files that do not fit. */
  readonly files: readonly number[];
  /** Title without a full stop: `These files are for ESP32-C3, this board is an ESP32-S3`. */
  readonly title: string;
  readonly remedy: string;
}

/** Returns the chip that a file says it was built for; null if it names none. */
const chipOf = ({ chip }: ListedFile): string | null => chip ?? null;

/** Returns null if every file fits, or if neither a file nor the board names a chip. */
export function wrongChipFiles(list: readonly ListedFile[], board: ConnectedBoard | null): WrongChip | null {
  if (board === null) {
    return null;
  }
  const wrong = list.filter((file) => chipOf(file) !== null && chipOf(file) !== board.name);
  if (wrong.length === 0) {
    return null;
  }
  const chips = joined([...new Set(wrong.flatMap((file) => chipOf(file) ?? []))]);
  const subject = wrong.length === 1 ? 'This file is' : 'These files are';
  return {
    files: wrong.map(({ id }) => id),
    title: `${subject} for ${chips}, this board is an ${board.name}`,
    remedy: `Choose the files for ${board.name}, or connect the board that they are for: ${wrong.length} of ${list.length} ${list.length === 1 ? 'file does' : 'files do'} not fit.`,
  };
}
