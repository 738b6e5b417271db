/** The browser's dialog for the drive of a board, as a folder (File System Access, `showDirectoryPicker`). */
import { errorName } from '@wirebench/port';

interface FolderDialogs {
  showDirectoryPicker?(options: {
    readonly mode: 'readwrite';
    readonly id: string;
  }): Promise<FileSystemDirectoryHandle>;
}

export const canPickDrive = (): boolean => (window as FolderDialogs).showDirectoryPicker !== undefined;

/**
 * Lets the person pick a folder. Call it directly in a click or key handler. Returns null if the dialog was closed without
 * a choice. Throws the browser's error if it refuses.
 */
export async function pickDrive(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const pick = (window as FolderDialogs).showDirectoryPicker;
    return (await pick?.call(window, { mode: 'readwrite', id: 'board-drive' })) ?? null;
  } catch (error) {
    if (errorName(error) === 'AbortError') {
      return null;
    }
    throw error;
  }
}
