/** Folders of a user as variables name them (XDG Base Directory Specification). */
import { isAbsolute } from 'node:path';
import { withoutOuterSpace } from '@wirebench/contract/setting-text';

/** Returns the folder of a variable; null if it is not set. The specification ignores relative paths. */
export function baseFolder(text: string | undefined): string | null {
  const folder = withoutOuterSpace(text ?? '');
  return isAbsolute(folder) ? folder : null;
}
