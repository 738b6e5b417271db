/** One press, one call: what is pressed twice runs once, and what fails is told. */
import { useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { toast } from '../../shared/ui/toast.ts';
import { refreshProjects } from './calls/projects.ts';

export interface Act {
  readonly busy: boolean;
  /** Does nothing while the last one runs. Resolves when it is over, well or not. */
  readonly run: (act: () => Promise<void>) => Promise<void>;
}

/** @param failure the sentence above the reason. */
export function useAct(failure: string): Act {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (act: () => Promise<void>) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      toast(failure, { level: 'error', detail: errorMessage(error) });
      refreshAfter(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, run };
}

/** What is gone or has changed in another tab is shown as it is now. */
export function refreshAfter(error: unknown): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    void refreshProjects();
  }
}
