import { toast } from './toast.ts';

/** Names the discarded input in a message and restores it on request. */
export function offerUndo(discarded: string, onAction: () => void): void {
  toast(discarded, { level: 'info', action: { label: 'Undo', onAction } });
}
