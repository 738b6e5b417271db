import { moderationLimits, moderationText } from '@wirebench/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useExplainedAttempt } from '../../shared/ui/use-attempt.ts';

export interface ReasonButtonProps {
  /** The verb: `Take down`. */
  readonly action: string;
  /** What it is done to, as the title names it. */
  readonly what: string;
  /** What comes of it. */
  readonly explanation: string;
  /** Takes something away from somebody. */
  readonly danger?: boolean;
  /** Said when it was done. */
  readonly done: string;
  readonly act: (reason: string) => Promise<void>;
}

/** An act of an operator, which asks for its reason first: the audit list keeps it. */
export function ReasonButton(props: ReasonButtonProps) {
  const [open, setOpen] = useState(false);
  const { action, what, danger = false } = props;
  return (
    <>
      <Button
        size="sm"
        variant={danger ? 'danger' : undefined}
        aria-haspopup="dialog"
        aria-label={`${action} ${what}`}
        onClick={() => setOpen(true)}
      >
        {action}
      </Button>
      <ReasonDialog {...props} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

interface ReasonDialogProps extends ReasonButtonProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function ReasonDialog({ action, what, explanation, danger = false, done, act, open, onClose }: ReasonDialogProps) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const { busy, failure, run } = useExplainedAttempt(errorMessage);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    void run(async () => {
      await act(reason.trim());
      setReason('');
      toast(done);
      onClose();
    });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={`${action} ${what}?`}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant={danger ? 'danger-fill' : 'primary'} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <p>{explanation}</p>
      <form id={formId} noValidate aria-label="Reason" onSubmit={submit}>
        <Field label="Reason" error={missing ? moderationText.reasonRequired : null} hint="Kept in the audit list.">
          {(ids) => (
            <TextInput
              {...ids}
              ref={field}
              autoComplete="off"
              maxLength={moderationLimits.reasonMaxLength}
              value={reason}
              onChange={(event) => {
                setReason(event.currentTarget.value);
                setMissing(false);
              }}
            />
          )}
        </Field>
      </form>
      {failure === null ? null : (
        <Notice level="error" title="Nothing was changed.">
          {failure}
        </Notice>
      )}
    </Dialog>
  );
}
