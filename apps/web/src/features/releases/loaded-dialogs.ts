/** Dialogs of projects and versions that few visits open. Each is fetched when it is opened first. */
import { loadedDialog } from '../../shared/ui/loaded-dialog.tsx';

export const CompareDialog = loadedDialog(async () => (await import('./compare-dialog.tsx')).CompareDialog);
export const ConsoleDialog = loadedDialog(async () => (await import('./console-dialog.tsx')).ConsoleDialog);
export const CrashesDialog = loadedDialog(async () => (await import('./crashes-dialog.tsx')).CrashesDialog);
export const ElfDialog = loadedDialog(async () => (await import('./elf-dialog.tsx')).ElfDialog);
export const FlashesDialog = loadedDialog(async () => (await import('./flashes-dialog.tsx')).FlashesDialog);
export const HistoryDialog = loadedDialog(async () => (await import('./history-dialog.tsx')).HistoryDialog);
export const TokensDialog = loadedDialog(async () => (await import('./tokens-dialog.tsx')).TokensDialog);
