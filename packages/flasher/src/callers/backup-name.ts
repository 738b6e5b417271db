/** Names of files that are read from a board. */
import { addressText } from '../core/bytes.ts';
import type { FlashRange } from '../core/region.ts';
import type { BoardDescription } from '../family-values.ts';

/** Names of contents that no partition table names. Many backups of one board are made, so theirs have the time. */
const MANY_OF_ONE_BOARD: ReadonlySet<string> = new Set(['flash', 'region']);

/**
 * Returns a file name with the offset in it. Dropped on the flasher, such a file gets the offset that it was read from.
 *
 * @param board Null for one that is not connected any more.
 * @param at Time of the reading; null leaves it out.
 */
export function backupFileName(
  board: Pick<BoardDescription, 'name' | 'id'> | null,
  name: string,
  { offset }: FlashRange,
  at: Date | null,
): string {
  const id = board?.id?.replaceAll(':', '') ?? 'board';
  const of = at === null ? id : `${board === null ? id : boardFileName(board)}-${fileTimeText(at)}`;
  return `${of}-${name.replaceAll(/[^\w.-]+/g, '-')}-${addressText(offset)}.bin`;
}

/** Returns the name of a backup set: `esp32-240ac4000110-backup-2026-11-27-1431.zip`. */
export const backupSetName = (board: Pick<BoardDescription, 'name' | 'id'>, created: Date): string =>
  `${boardFileName(board)}-backup-${fileTimeText(created)}.zip`;

/** True: the file's name has the time. */
export const isOneOfMany = (name: string): boolean => MANY_OF_ONE_BOARD.has(name);

/** Returns the chip and the id of a board for the names of its files: `esp32-240ac4000110`. */
export function boardFileName({ name, id }: Pick<BoardDescription, 'name' | 'id'>): string {
  const chip = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
  return id === null ? chip : `${chip}-${id.replaceAll(':', '').toLowerCase()}`;
}

/** Returns a time of day in this machine's time zone for the names of files: `2026-11-27-1431`. */
export function fileTimeText(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}-${two(at.getHours())}${two(at.getMinutes())}`;
}
