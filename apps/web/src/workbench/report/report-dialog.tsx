import {
  moderationLimits,
  type NewReport,
  type ReportedType,
  type ReportReason,
  reportReasons,
  reportsPath,
} from '@wirebench/contract';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { readPublic } from '../../shared/api/api.ts';
import { errorMessage } from '../../shared/api/api-error.ts';
import { useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { TextArea } from '../../shared/ui/text-input.tsx';
import { useNextAction } from '../../shared/ui/use-next-action.ts';
import styles from './report-dialog.module.css';

export interface ReportDialogProps {
  readonly type: ReportedType;
  /** The share id, or the id of a jkit. */
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

const reasons = Object.entries(reportReasons) as [ReportReason, string][];

/** Invalidates no query, because no list on this page shows reports. */
function useSendReport() {
  return useApiMutation<void, NewReport>({
    mutationFn: async (report) => {
      await readPublic((client) => client.send(reportsPath, { method: 'POST', body: report }));
    },
  });
}

/** Reports a problem with a public item. It requires no sign-in. */
export function ReportDialog({ type, id, name, open, onClose }: ReportDialogProps) {
  const formId = useId();
  const [reason, setReason] = useState<ReportReason | ''>('');
  const [missing, setMissing] = useState(false);
  const [note, setNote] = useState('');
  const { isPending, isSuccess: sent, error, mutate, reset } = useSendReport();
  const reasonField = useRef<HTMLSelectElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  useNextAction(missing || error !== null, () => {
    setMissing(false);
    if (error !== null) {
      reset();
    }
  });
  // Moves the focus, because the button that sent the report is gone.
  useEffect(() => {
    if (sent) {
      closeButton.current?.focus();
    }
  }, [sent]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === '') {
      setMissing(true);
      reasonField.current?.focus();
    } else {
      mutate({ type, id, reason, note });
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={`Report ${name}`}
      footer={
        sent ? (
          <Button ref={closeButton} onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formId} variant="primary" busy={isPending}>
              Send report
            </Button>
          </>
        )
      }
    >
      {sent ? (
        <div role="status">
          <Notice level="success" title="Report sent.">
            Whoever runs this server will look at it.
          </Notice>
        </div>
      ) : (
        <form id={formId} noValidate aria-label="Report" className={styles['form']} onSubmit={submit}>
          <p>Whoever runs this server reads your report. It does not say who sent it.</p>
          <Field label="Reason" error={missing ? 'Please choose a reason' : null}>
            {(ids) => (
              <Select
                {...ids}
                ref={reasonField}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value as ReportReason | '')}
              >
                <option value="">Choose a reason</option>
                {reasons.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Note (optional)">
            {(ids) => (
              <TextArea
                {...ids}
                rows={4}
                maxLength={moderationLimits.noteMaxLength}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
              />
            )}
          </Field>
          {error === null ? null : (
            <Notice level="error" title="The report was not sent.">
              {errorMessage(error)}
            </Notice>
          )}
        </form>
      )}
    </Dialog>
  );
}
