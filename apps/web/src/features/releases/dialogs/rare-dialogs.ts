/** Dialogs of projects and versions that few visits open, in one chunk (`loaded-dialogs.ts`). */

export { TokensDialog } from '../tokens/tokens-dialog.tsx';
export { CompareDialog } from './compare-dialog.tsx';
export { ConsoleDialog } from './console-dialog.tsx';
export { CrashesDialog } from './crashes-dialog.tsx';
export { ElfDialog } from './elf-dialog.tsx';
export { FlashesDialog } from './flashes-dialog.tsx';
export { HistoryDialog } from './history-dialog.tsx';
export { MakePrivateDialog } from './make-private-dialog.tsx';
export { PageDialog } from './page-dialog.tsx';
export { PullDialog } from './pull-dialog.tsx';
export { ShareDialog } from './share-dialog.tsx';
