/** Returns every address at which a file has code, for exhaustive tests. */
import type { SymbolFile } from '../symbol-file.ts';

export function codeAddresses(file: SymbolFile): number[] {
  return file.codeRanges.flatMap(({ low, high }) => Array.from({ length: high - low }, (_, index) => low + index));
}
