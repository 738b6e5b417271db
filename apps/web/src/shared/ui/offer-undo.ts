import { toast } from './toast.ts';

/** Says what was discarded of what somebody typed, and gives it back when asked. */
export function offerUndo(discarded: string, onAction: () => void): void {
  toast(discarded, { level: 'info', action: { label: 'Undo', onAction } });
}
