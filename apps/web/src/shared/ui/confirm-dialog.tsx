import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';
import { TextInput } from './text-input.tsx';
import { useOpenings } from './use-openings.ts';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** States the action: "Delete weather-node?". */
  readonly title: string;
  /** Consequence of confirming. */
  readonly text: ReactNode;
  /** Verb on the button. */
  readonly action: string;
  /** True: the action loses no data. The button gets the focus first, and is not red. */
  readonly harmless?: boolean | undefined;
  /** Word to type first, so that pressing Enter twice does not confirm. */
  readonly word?: ConfirmWord | undefined;
  /** Another step beside the action, such as a backup first. */
  readonly besides?: ReactNode;
  readonly busy?: boolean | undefined;
  /** Failure of the confirmed action; null or undefined without one. */
  readonly failure?: { readonly title: string; readonly reason?: string | undefined } | null | undefined;
  readonly onConfirm: () => void;
  /** Content below the text. Its fields belong to the confirming form. */
  readonly children?: ReactNode;
  /** Element that receives the focus first, in place of the default. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

interface ConfirmWord {
  readonly text: string;
  /** Name of the word: "Name". Omitted: the field's label is the instruction. */
  readonly label?: string | undefined;
  /** True: capitals and small letters count as the same. */
  readonly anyCase?: true;
}

/** Error for a typed word that does not match. */
export const confirmationMismatch = "Confirmation text doesn't match";

function isTyped(typed: string, { text, anyCase }: ConfirmWord): boolean {
  const given = typed.trim();
  return anyCase ? given.toLowerCase() === text.toLowerCase() : given === text;
}

/** Asks before an action that cannot easily be undone. Each opening starts with an empty field. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return <Confirmation key={useOpenings(props.open)} {...props} />;
}

function Confirmation(props: ConfirmDialogProps) {
  const { open, onClose, title, text, action, harmless = false, word, besides, busy = false, failure = null } = props;
  const { onConfirm, children, initialFocus } = props;
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    if (word === undefined || isTyped(typed, word)) {
      onConfirm();
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
      initialFocus={initialFocus ?? (word !== undefined ? field : harmless ? button : undefined)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {besides}
          <Button ref={button} type="submit" form={formId} variant={harmless ? 'primary' : 'danger-fill'} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="stack">
        <p>{text}</p>
        {children}
        {word === undefined ? null : (
          <>
            {word.label === undefined ? null : (
              <p>
                Type <code className={styles['name']}>{word.text}</code> to confirm.
              </p>
            )}
            <Field
              label={word.label ?? `Type ${word.text} to confirm`}
              // The label is in capitals, so the hint shows the word's exact case.
              hint={word.label === undefined ? <code>{word.text}</code> : null}
              error={mismatch ? confirmationMismatch : null}
            >
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
          </>
        )}
      </form>
      {failure === null ? null : (
        <Notice level="error" title={failure.title}>
          {failure.reason}
        </Notice>
      )}
    </Dialog>
  );
}
