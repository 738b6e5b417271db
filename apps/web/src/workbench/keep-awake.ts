/** Keeps the screen on during work that changes a board, for every tool. */
import { backgroundText, whileAwake } from '@wirebench/port/wake-lock';
import { toast } from '../shared/ui/toast.ts';
import { CallError } from './bench-client.ts';

/** Says what to do when the work fails after the page was in the background. A cancel needs no words. */
export function keepAwake<Result>(act: () => Promise<Result>): Promise<Result> {
  const { wakeLock } = navigator as { readonly wakeLock?: WakeLock };
  return whileAwake({ wakeLock, document }, act, (error) => {
    if (!(error instanceof CallError && error.code === 'cancelled')) {
      toast(backgroundText.what, { level: 'error', detail: backgroundText.remedy });
    }
  });
}
