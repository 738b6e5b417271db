import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './confirm-by-name.module.css';
import { confirmationMismatch } from './release-texts.ts';
import { useDialogAct } from './use-act.ts';
import { useOpenings } from './use-openings.ts';

export interface ConfirmByNameProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What must be typed. */
  readonly name: string;
  /** The verb on the button. */
  readonly action: string;
  /** The sentence above the reason when it fails. */
  readonly failure: string;
  readonly act: () => Promise<void>;
  /** What is lost by it. */
  readonly children: ReactNode;
}

/** Asks for the name of what is about to be lost to somebody, and stays open with the reason when the act fails. */
export function ConfirmByName(props: ConfirmByNameProps) {
  return <Confirmation key={useOpenings(props.open)} {...props} />;
}

function Confirmation({ open, onClose, title, name, action, failure, act, children }: ConfirmByNameProps) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const { busy, failure: reason, run } = useDialogAct();
  const confirm = async () => {
    await act();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    if (typed.trim() === name) {
      void run(confirm);
    } else {
      setMismatch(true);
      field.current?.focus();
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={title}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="danger-fill" busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <form id={formId} noValidate onSubmit={submit} className={styles['form']}>
        <p>
          Type <code className={styles['name']}>{name}</code> to confirm.
        </p>
        <Field label="Name" error={mismatch ? confirmationMismatch : null}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={field}
              mono
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setMismatch(false);
              }}
            />
          )}
        </Field>
      </form>
      {reason === null ? null : (
        <Notice level="error" title={failure}>
          {reason}
        </Notice>
      )}
    </Dialog>
  );
}
