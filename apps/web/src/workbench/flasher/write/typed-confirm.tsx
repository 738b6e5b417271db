/** Asks for a word before something that is not to be done in passing: nobody gets here by pressing Enter twice. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './finding-list.module.css';

export interface TypedConfirmProps {
  readonly open: boolean;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What has to be typed. */
  readonly word: string;
  /** What stands on the button. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function TypedConfirm({ open, title, children, word, action, onClose, onConfirm }: TypedConfirmProps) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const close = () => {
    setTyped('');
    setWrong(false);
    onClose();
  };
  const confirm = () => {
    if (typed.trim() === word) {
      setTyped('');
      onConfirm();
    } else {
      setWrong(true);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="danger-fill" onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <p>{children}</p>
        <Field
          label={`Type ${word} to confirm`}
          // The label is set in capitals.
          hint={<code>{word}</code>}
          error={wrong ? "Confirmation text doesn't match" : null}
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
