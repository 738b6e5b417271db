import { useEffect, useRef } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import styles from './ask.module.css';
import type { JkitAct } from './model/library-texts.ts';
import { useAct } from './use-act.ts';

export interface Question {
  readonly act: JkitAct;
  /** "Share gnss-m10-lab?" */
  readonly title: string;
  /** What comes of it. */
  readonly text: string;
  /** The verb on the button. */
  readonly action: string;
  /** Rejects when it fails. */
  readonly run: () => Promise<void>;
}

export interface AskProps {
  readonly question: Question;
  /** It was done, or given up. */
  readonly onClose: () => void;
}

/** Asks before something is done, in the place of the buttons that led here. When it fails it stays, with the reason. */
export function Ask({ question: { act, title, text, action, run }, onClose }: AskProps) {
  const { busy, failure, run: attempt } = useAct(act);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const danger = act === 'delete';
  const confirm = () =>
    void attempt(async () => {
      await run();
      onClose();
    });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that looks like one.
    <div role="group" aria-label={title} className={styles['ask']}>
      <p>
        <b>{title}</b> {text}
      </p>
      {failure === null ? null : <Notice level="error" title={failure} />}
      <div className={styles['buttons']}>
        <Button ref={danger ? first : undefined} size="sm" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={danger ? undefined : first}
          size="sm"
          variant={danger ? 'danger-fill' : 'primary'}
          busy={busy}
          onClick={confirm}
        >
          {failure === null ? action : 'Try again'}
        </Button>
      </div>
    </div>
  );
}
