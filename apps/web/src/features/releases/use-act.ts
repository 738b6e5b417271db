/** Acts on releases: what fails is told, and what is gone or has changed in another tab is shown as it is now. */
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { toast } from '../../shared/ui/toast.ts';
import { type Attempt, type ExplainedAttempt, useAttempt, useExplainedAttempt } from '../../shared/ui/use-attempt.ts';
import { refreshProjects } from './calls/projects.ts';

/** Tells of a failure in passing. @param failure the sentence above the reason. */
export function useAct(failure: string): Attempt {
  return useAttempt((error) => {
    toast(failure, { level: 'error', detail: errorMessage(error) });
    refreshAfter(error);
  });
}

/** Keeps the reason of a failure, for a dialog that stays open with it. */
export function useDialogAct(): ExplainedAttempt {
  return useExplainedAttempt((error) => {
    refreshAfter(error);
    return errorMessage(error);
  });
}

/** What is gone or has changed in another tab is shown as it is now. */
export function refreshAfter(error: unknown): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    void refreshProjects();
  }
}
