import { useState } from 'react';
import type { ApiMutation } from '../../shared/api/use-api-mutation.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { failedActText } from './failed-act.ts';
import type { JkitAct } from './model/library-texts.ts';

export interface Question {
  /** Example: "Share gnss-m10-lab?" */
  readonly title: string;
  /** Sentence about the consequences. */
  readonly text: string;
  /** Verb on the confirming button. */
  readonly action: string;
  readonly call: Pick<ApiMutation<unknown>, 'error' | 'isPending' | 'reset'>;
  readonly run: () => void;
}

export interface AskProps<Act extends JkitAct> {
  /** The action to confirm. Null: the dialog is closed. */
  readonly asked: Act | null;
  readonly questions: Readonly<Record<Act, Question>>;
  /** Called when the user cancels. */
  readonly onClose: () => void;
}

/** Dialog that confirms an action on a JKit. If the action fails, the dialog stays open and shows the reason. */
export function Ask<Act extends JkitAct>({ asked, questions, onClose }: AskProps<Act>) {
  // Keeps the question while the dialog fades out.
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
