/** Dialogs of projects and versions that few visits open. They are fetched together when one of them is opened first. */
import { loadedDialog } from '../../shared/ui/loaded-dialog.tsx';

const load = () => import('./dialogs/rare-dialogs.ts');

export const CompareDialog = loadedDialog(async () => (await load()).CompareDialog);
export const ConsoleDialog = loadedDialog(async () => (await load()).ConsoleDialog);
export const CrashesDialog = loadedDialog(async () => (await load()).CrashesDialog);
export const ElfDialog = loadedDialog(async () => (await load()).ElfDialog);
export const FlashesDialog = loadedDialog(async () => (await load()).FlashesDialog);
export const HistoryDialog = loadedDialog(async () => (await load()).HistoryDialog);
export const MakePrivateDialog = loadedDialog(async () => (await load()).MakePrivateDialog);
export const PageDialog = loadedDialog(async () => (await load()).PageDialog);
export const PullDialog = loadedDialog(async () => (await load()).PullDialog);
export const ShareDialog = loadedDialog(async () => (await load()).ShareDialog);
export const TokensDialog = loadedDialog(async () => (await load()).TokensDialog);
