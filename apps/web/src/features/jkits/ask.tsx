import { useState } from 'react';
import type { ApiMutation } from '../../shared/api/use-api-mutation.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { failedActText } from './failed-act.ts';
import type { JkitAct } from './model/library-texts.ts';

export interface Question {
  /** "Share gnss-m10-lab?" */
  readonly title: string;
  /** What comes of it. */
  readonly text: string;
  /** The verb on the button. */
  readonly action: string;
  readonly call: Pick<ApiMutation<unknown>, 'error' | 'isPending' | 'reset'>;
  readonly run: () => void;
}

export interface AskProps<Act extends JkitAct> {
  /** What is asked; null for nothing. */
  readonly asked: Act | null;
  readonly questions: Readonly<Record<Act, Question>>;
  /** It was given up. */
  readonly onClose: () => void;
}

/** Asks before something is done with a jkit. When it fails it stays, with the reason. */
export function Ask<Act extends JkitAct>({ asked, questions, onClose }: AskProps<Act>) {
  // While it closes, it says what it said.
  const [shown, setShown] = useState(asked);
  if (asked !== null && asked !== shown) {
    setShown(asked);
  }
  if (shown === null) {
    return null;
  }
  const { title, text, action, call, run } = questions[shown];
  return (
    <ConfirmDialog
      open={asked !== null}
      onClose={() => {
        call.reset();
        onClose();
      }}
      title={title}
      text={text}
      action={call.error === null ? action : 'Try again'}
      harmless={shown !== 'delete'}
      busy={call.isPending}
      failure={call.error && { title: failedActText(shown, call.error) }}
      onConfirm={run}
    />
  );
}
