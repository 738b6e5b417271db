/** The chosen files as the answer names them. */
import { type ListedFile, overlapCount } from '../files/write-list.ts';
import type { PageFamily } from '../page-family.ts';

/** Returns what has to be put right at the files before they can be written; null if nothing has to. */
export function listFault(list: readonly ListedFile[], { addresses }: PageFamily): string | null {
  if (!list.some(({ typed }) => typed.fault !== null)) {
    return null;
  }
  // Nothing says where it goes, and nothing was typed yet.
  const unplaced = list.find(({ offset, typed }) => offset === null && typed.text === '');
  if (unplaced !== undefined) {
    return `Choose where ${unplaced.name} goes`;
  }
  return `Fix ${overlapCount(list) > 0 ? 'the overlap' : `the ${addresses.word}`}`;
}

/** Size of all files in bytes. */
export const listSize = (list: readonly ListedFile[]) => list.reduce((sum, { size }) => sum + size, 0);

export const filesText = (count: number) => (count === 1 ? '1 file' : `${count} files`);
