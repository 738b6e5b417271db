/** Words in the message field whose text is hidden for one Enter, because the board asks for a password, and *Show*. */
import type { AskedSecret, PortNumber } from '@wirebench/serial';
import { Lock, LockOpen } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { canHideOn, showAnswer, useAskedSecret } from '../../../workbench/asked-secret.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { blockedText, portStates } from '../open-ports-of.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import styles from './send-bar.module.css';

export interface HiddenAnswer {
  readonly secret: AskedSecret;
  /** True: the person wants to see the answer, and it is kept as other text is. */
  readonly isShown: boolean;
  /** False: the port belongs to a host whose log shows what is sent. */
  readonly canHide: boolean;
}

/** Returns what the field hides for one Enter, or shows because the person wants to see it; null for nothing. */
export function useHiddenAnswer(port: PortNumber): HiddenAnswer | null {
  const prompt = useAskedSecret(port);
  const state = useBenchStatus((view) => portStates(view)[port]);
  const canHide = useBenchStatus((view) => canHideOn(view, port));
  const draftSecret = useTerminalSession((session) => session.draftSecret);
  const hideInput = useTerminalSession((session) => session.hideInput);
  const asked = state === 'connected' && blockedText(port, state) === null ? prompt : null;
  // Text that was typed as dots stays hidden when the prompt ends.
  const secret = asked !== null && !asked.isShown ? asked.secret : draftSecret;
  const named = secret ?? asked?.secret ?? null;
  return hideInput || named === null ? null : { secret: named, isShown: secret === null, canHide };
}

/** The words, in the field or, in a narrow window, in the line below the log. */
export function HiddenAnswerWords({ answer }: { readonly answer: HiddenAnswer }) {
  const { secret, isShown, canHide } = answer;
  return (
    <span className={styles['answer']} role="status">
      {isShown ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
      {isShown ? (
        <span title="It is sent and kept like other text.">Shown: {secret}.</span>
      ) : canHide ? (
        <span title="For one Enter. What the board echoes is not hidden.">Hidden: {secret}.</span>
      ) : (
        <span title="The host has an older Wirebench.">Dots: {secret}. The host's log shows it.</span>
      )}
    </span>
  );
}

interface ShowAnswerProps {
  readonly port: PortNumber;
  readonly answer: HiddenAnswer;
  /** Called afterwards. */
  readonly onDone: () => void;
}

export function ShowAnswer({ port, answer, onDone }: ShowAnswerProps) {
  return (
    <Button
      size="sm"
      variant="quiet"
      pressed={answer.isShown}
      onClick={() => {
        showAnswer(port, !answer.isShown);
        changeTerminalSession({ draftSecret: null });
        onDone();
      }}
    >
      Show
    </Button>
  );
}
