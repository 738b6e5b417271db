import { releaseLimits, releaseText } from '@wirebench/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextArea } from '../../shared/ui/text-input.tsx';
import styles from './description-editor.module.css';
import { type ItemType, releaseFailureText } from './release-texts.ts';
import { refreshAfter } from './use-act.ts';

export interface DescriptionEditorProps {
  readonly type: ItemType;
  /** Whose it is: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  readonly description: string;
  readonly save: (description: string) => Promise<void>;
  /** Saved or cancelled: the text stands in its place again. */
  readonly onDone: () => void;
}

/** Takes the place of a description. When saving fails, what was typed stays with the reason. */
export function DescriptionEditor({ type, what, description, save, onDone }: DescriptionEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(description);
  const [missing, setMissing] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const store = async () => {
    setBusy(true);
    setReason(null);
    try {
      await save(text.trim());
      onDone();
    } catch (error) {
      setReason(errorMessage(error));
      setBusy(false);
      refreshAfter(error);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    if (type === 'version' && text.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else {
      void store();
    }
  };
  return (
    <form
      className={styles['editor']}
      aria-label={`Description of ${what}`}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) {
          event.stopPropagation();
          onDone();
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
              setText(event.currentTarget.value);
              setMissing(false);
            }}
          />
        )}
      </Field>
      {reason === null ? null : (
        <Notice level="error" title={releaseFailureText.describe(type)}>
          {reason}
        </Notice>
      )}
      <div className={styles['buttons']}>
        <Button size="sm" onClick={onDone} disabled={busy}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
