import { moderationLimits, moderationText } from '@wirebench/contract';
import { useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useModeration } from './moderation-calls.ts';

export interface ReasonButtonProps {
  /** The verb: `Take down`. */
  readonly action: string;
  /** Object of the action in the title. */
  readonly what: string;
  /** Consequence of the action. */
  readonly explanation: string;
  /** True: the action takes something away from a user. */
  readonly danger?: boolean;
  /** Toast after success. */
  readonly done: string;
  /** One of `moderate`. */
  readonly run: (reason: string) => Promise<void>;
}

/** Button for an action of an operator. It asks for a reason, which the audit list keeps. */
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

function ReasonDialog({ action, what, explanation, danger = false, done, run, open, onClose }: ReasonDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const moderation = useModeration(run, {
    onSuccess: () => {
      setReason('');
      toast(done);
      onClose();
    },
  });
  const confirm = () => {
    if (reason.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else {
      moderation.mutate(reason.trim());
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`${action} ${what}?`}
      text={explanation}
      action={action}
      harmless={!danger}
      initialFocus={field}
      busy={moderation.isPending}
      failure={moderation.error && { title: 'Nothing was changed.', reason: errorMessage(moderation.error) }}
      onConfirm={confirm}
    >
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
    </ConfirmDialog>
  );
}
