/** An act on a jkit whose failure stays to be read, in the words of that act. */
import { type ExplainedAttempt, useExplainedAttempt } from '../../shared/ui/use-attempt.ts';
import { failedActText } from './failed-act.ts';
import type { JkitAct } from './model/library-texts.ts';

export function useAct(name: JkitAct): ExplainedAttempt {
  return useExplainedAttempt((error) => failedActText(name, error));
}
