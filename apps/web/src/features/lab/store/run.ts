/** Doing something with an instrument: what it is refused for, or what fails, is shown and changes nothing else. */
import type { LabFailure } from '@wirebench/lab';
import { useState } from 'react';
import { toast } from '../../../shared/ui/toast.ts';
import { labStore } from './lab-store.ts';
import { mishapFrom } from './mishap.ts';

export interface Running {
  readonly busy: boolean;
  /** Does nothing while something runs already. */
  readonly run: (act: () => Promise<unknown>) => Promise<void>;
}

/** One thing at a time, for the buttons that begin it. */
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

/** What ends a board. The bench says so by itself, a moment after whoever waited for an answer. */
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
] satisfies LabFailure[];

/** Runs it, and says what it failed with. A loss of the board has a remedy of its own, and is not said twice. */
export async function tell(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code, message, remedy, detail } = mishapFrom(error);
    if (code !== 'cancelled' && !losses.includes(code) && labStore.getState().phase === 'open') {
      const text = code === 'refused' && detail !== null ? detail : message;
      toast(text, {
        level: 'error',
        detail: [detail === text ? null : detail, remedy].filter(Boolean).join(' ') || undefined,
      });
    }
  }
}
