import { toast } from './toast.ts';

/** Shows a toast that names the discarded input and offers to restore it. */
export function offerUndo(discarded: string, onAction: () => void): void {
  toast(discarded, { level: 'info', action: { label: 'Undo', onAction } });
}
