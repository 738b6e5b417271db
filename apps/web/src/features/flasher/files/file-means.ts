/** Ways to add files that the answer and the list of files share. */
import { createContext } from 'react';
import type { MenuAction } from '../../../shared/ui/menu.tsx';

export interface FileMeans {
  /** Opens the browser's dialog for files. */
  readonly choose: () => void;
  /** Opens the dialog for the files, or the folder, that cannot be read as they were chosen. */
  readonly chooseAgain: () => void;
  /** A folder, a release's link. */
  readonly others: readonly MenuAction[];
  /** True: files are dragged over the page. */
  readonly over: boolean;
  /** Adds the demo firmware; null unless a demo board waits for files. */
  readonly demo: (() => void) | null;
}

export const FileMeansContext = createContext<FileMeans>({
  choose: () => undefined,
  chooseAgain: () => undefined,
  others: [],
  over: false,
  demo: null,
});
