import { sizeText } from '../../shared/format/bytes.ts';
import type { ListedFile } from './symbol-files.ts';

/** Returns one line about an open ELF file: its size, machine and build, or why it is of no use yet. */
export function elfFileWords({ size, state, outdated = false }: ListedFile): string {
  if (state.kind === 'reading') {
    return 'It is being read';
  }
  if (state.kind === 'failed') {
    return 'It could not be read';
  }
  const { machine, hash } = state.facts;
  const build = hash === null ? '' : ` ${hash.slice(0, 9)}`;
  return outdated ? 'It has changed since it was opened' : `${sizeText(size)}, ${machine}${build}`;
}
