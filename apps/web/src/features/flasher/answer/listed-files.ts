/** The chosen files as the answer names them. */
import { type ListedFile, overlapCount } from '../files/write-list.ts';
import type { PageFamily } from '../page-family.ts';

/** Returns what has to be put right at the files before they can be written; null if nothing has to. */
export function listFault(list: readonly ListedFile[], { addresses }: PageFamily): string | null {
  if (!list.some(({ typed }) => typed.fault !== null)) {
    return null;
  }
  return `Fix ${overlapCount(list) > 0 ? 'the overlap' : `the ${addresses.word}`}`;
}

/** Size of all files in bytes. */
export const listSize = (list: readonly ListedFile[]) => list.reduce((sum, { size }) => sum + size, 0);

export const filesText = (count: number) => (count === 1 ? '1 file' : `${count} files`);
