/** Boards that get each new build of a folder by themselves. Small, because every flasher's page loads it. */
import type { PortNumber } from '@wirebench/serial';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { usedNames } from './file-actions.ts';
import { type FlasherState, flashOf, pageFamily } from './flasher-store.ts';

export const watchedBoardsKey = 'wirebench-watched-boards';

/** Names a board by its family and its id. Boards without an id share one name for each chip. */
export function watchKey(port: PortNumber): string {
  const { board } = flashOf(port);
  return `${pageFamily().name} ${board?.id ?? board?.name ?? ''}`;
}

export function watchedBoards(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(browserStorage.getItem(watchedBoardsKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** `handles`: the chosen files can be watched. `none`: the browser gave no handles. Null: they are not from a disk. */
export function watchability({ given, chosen }: FlasherState): 'handles' | 'none' | null {
  const used = usedNames(chosen);
  const files = given.flat().filter(({ name }) => used.has(name));
  if (files.length === 0 || !files.every(({ content }) => content instanceof File)) {
    return null;
  }
  return files.every(({ root }) => root !== undefined) ? 'handles' : 'none';
}
