/** Runs an action of an instrument. A refusal or a failure is shown and changes nothing else. */
import type { LabFailureCode } from '@wirebench/lab';
import { useState } from 'react';
import { toast } from '../../../shared/ui/toast.ts';
import { failureFrom } from './lab-failures.ts';
import { labNow } from './lab-store.ts';

export interface Running {
  readonly busy: boolean;
  /** Does nothing while an action is running. */
  readonly run: (act: () => Promise<unknown>) => Promise<void>;
}

/** Runs one action at a time, and reports `busy` for its buttons. */
export function useRun(): Running {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (act) => {
      if (busy) {
        return;
      }
      setBusy(true);
      await tell(act);
      setBusy(false);
    },
  };
}

/** Codes for the loss of a board. The bench reports the loss itself, a moment after the pending calls have failed. */
const losses: readonly (string | null)[] = [
  'unplugged',
  'port-failed',
  'rom-crashed',
  'rom-stopped',
  'program-stopped',
  'restarted',
  'printing',
  'brown-out',
  'left',
] satisfies LabFailureCode[];

/**
 * Runs an action, and shows its failure as a toast. The loss of the board has a remedy of its own, so it is not shown
 * here.
 */
export async function tell(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code, message, remedy, detail } = failureFrom(error);
    if (code !== 'cancelled' && !losses.includes(code) && labNow().phase === 'open') {
      const text = code === 'refused' && detail !== null ? detail : message;
      toast(text, {
        level: 'error',
        detail: [detail === text ? null : detail, remedy].filter(Boolean).join(' ') || undefined,
      });
    }
  }
}
