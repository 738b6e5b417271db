import { releaseLimits, releaseText } from '@wirebench/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../../shared/api/api-error.ts';
import { copyText } from '../../../shared/files/copy-text.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextArea } from '../../../shared/ui/text-input.tsx';
import { useDescribe } from '../calls/items.ts';
import { type ItemType, releaseFailureText } from '../release-texts.ts';
import styles from './description-editor.module.css';
import type { DescriptionEdit, EditHandle } from './edits-store.ts';

export interface DescriptionEditorProps {
  readonly edit: DescriptionEdit;
  readonly handle: EditHandle;
  /** Current description. It differs from `edit.before` if it was changed elsewhere during the edit. */
  readonly description: string;
  /** Called after saving or cancelling. `leave` shows the text in place of the editor. */
  readonly onLeave: (leave: () => void) => void;
}

/** Editor in place of a description. After a failed save, the typed text stays and the reason is shown. */
export function DescriptionEditor({ edit, handle, description, onLeave }: DescriptionEditorProps) {
  const { type, id, what, text, before, dropped } = edit;
  const field = useRef<HTMLTextAreaElement>(null);
  const [missing, setMissing] = useState(false);
  const saving = useDescribe(type, id, { onSuccess: () => onLeave(handle.done) });
  const { isPending: busy, error } = saving;
  const refusedFor = currentDescription(error);
  const reason = error === null || refusedFor !== null ? null : failureText(error, type);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const theirs = refusedFor ?? (description === before ? null : description);
  const cancel = () => onLeave(handle.cancel);
  const store = (over: string) => saving.mutate({ description: text.trim(), before: over });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    if (type === 'version' && text.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else {
      store(before);
    }
  };
  const copy = (
    <Button size="sm" onClick={() => void copyText(text, 'Text copied')}>
      Copy my text
    </Button>
  );
  return (
    <form
      className={styles['editor']}
      aria-label={`Description of ${what}`}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) {
          event.stopPropagation();
          cancel();
        }
      }}
    >
      <Field
        label="Description"
        error={missing ? releaseText.descriptionRequired : null}
        hint={type === 'version' ? 'Markdown: **bold**, lists, `code`, links.' : null}
      >
        {(ids) => (
          <TextArea
            {...ids}
            ref={field}
            rows={type === 'version' ? 6 : 3}
            maxLength={releaseLimits.descriptionMaxLength}
            value={text}
            onChange={(event) => {
              handle.change(event.currentTarget.value);
              setMissing(false);
            }}
          />
        )}
      </Field>
      {dropped === null || dropped === text ? null : (
        <Notice
          level="info"
          title="You discarded changes to this description."
          action={
            <Button size="sm" onClick={handle.restore}>
              Restore them
            </Button>
          }
        />
      )}
      {reason === null ? null : (
        <Notice level="error" title={releaseFailureText.describe(type)} action={copy}>
          {reason}
        </Notice>
      )}
      {theirs === null ? null : (
        <Notice
          level={refusedFor === null ? 'warning' : 'error'}
          title={
            refusedFor === null
              ? 'This description was changed in the meantime.'
              : `${releaseFailureText.describe(type)}: it was changed in the meantime.`
          }
        >
          <p>Your text is kept. The description now reads:</p>
          <blockquote className={styles['theirs']}>{theirs === '' ? 'No description.' : theirs}</blockquote>
          <div className="buttons">
            <Button size="sm" disabled={busy} onClick={() => store(theirs)}>
              Save mine instead
            </Button>
            <Button
              size="sm"
              disabled={busy}
              onClick={() => {
                handle.rebase(theirs, theirs);
                saving.reset();
              }}
            >
              Use this one
            </Button>
            {copy}
          </div>
        </Notice>
      )}
      <div className="buttons at-end">
        <Button size="sm" onClick={cancel} disabled={busy}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

function failureText(error: unknown, type: ItemType): string {
  return error instanceof ApiError && error.status === 404
    ? `This ${type} no longer exists. Your text is kept.`
    : errorMessage(error);
}

/** Returns the server's current description if it differs from the edited one. Null for other failures. */
function currentDescription(error: unknown): string | null {
  const body: unknown = error instanceof ApiError && error.status === 409 ? error.body : null;
  const current: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'current') : null;
  return typeof current === 'string' ? current : null;
}
