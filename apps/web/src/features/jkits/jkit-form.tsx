import { jkitLimits, jkitText } from '@wirebench/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextArea, TextInput } from '../../shared/ui/text-input.tsx';
import styles from './jkit-form.module.css';
import { type JkitDraft, setDraft, useLibrary } from './library-store.ts';
import { useAct } from './use-act.ts';

export interface JkitFormProps {
  readonly act: 'save' | 'update';
  readonly title: string;
  readonly text: string;
  /** Where what is typed is kept. */
  readonly draftKey: string;
  readonly initial: JkitDraft;
  /** Rejects when it fails: everything typed is still there then. */
  readonly submit: (draft: JkitDraft) => Promise<void>;
  readonly onClose: () => void;
}

/** What a jkit is called and says about itself, before the panel is saved as one. */
export function JkitForm({ act, title, text, draftKey, initial, submit, onClose }: JkitFormProps) {
  const { busy, failure, run } = useAct(act);
  const draft = useLibrary(({ drafts }) => drafts[draftKey]) ?? initial;
  const replaces = act === 'update' && draft.basedOn === undefined;
  const [nameless, setNameless] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.select(), []);
  const change = (part: Partial<JkitDraft>) => setDraft(draftKey, { ...draft, ...part });
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (draft.name.trim() === '') {
      setNameless(true);
      first.current?.focus();
      return;
    }
    // Kept before it is sent: its row may go while the answer is on its way.
    setDraft(draftKey, draft);
    void run(async () => {
      try {
        await submit(draft);
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) {
          // Told once: the next press replaces the other change.
          setDraft(draftKey, { ...draft, basedOn: undefined });
        }
        throw error;
      }
      setDraft(draftKey, null);
      onClose();
    });
  };
  const cancel = () => {
    setDraft(draftKey, null);
    onClose();
  };
  return (
    <form className={styles['form']} aria-label={title} noValidate onSubmit={confirm}>
      <p className={styles['question']}>
        <b>{title}</b> {text}
      </p>
      <Field label="Name" error={nameless ? jkitText.nameRequired : null}>
        {(ids) => (
          <TextInput
            {...ids}
            ref={first}
            autoComplete="off"
            maxLength={jkitLimits.nameMaxLength}
            value={draft.name}
            onChange={(event) => {
              change({ name: event.currentTarget.value });
              setNameless(false);
            }}
          />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            maxLength={jkitLimits.descriptionMaxLength}
            value={draft.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      <div className={styles['pair']}>
        <Field label="Tags" hint="Separated by commas.">
          {(ids) => (
            <TextInput
              {...ids}
              autoComplete="off"
              value={draft.tags}
              onChange={(event) => change({ tags: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Version">
          {(ids) => (
            <TextInput
              {...ids}
              mono
              autoComplete="off"
              maxLength={jkitLimits.versionMaxLength}
              value={draft.version}
              onChange={(event) => change({ version: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {failure === null ? null : (
        <Notice level="error" title={failure}>
          {replaces ? 'What you typed is still here. Update anyway to replace the other change.' : null}
        </Notice>
      )}
      <div className={styles['buttons']}>
        <Button size="sm" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          {failure === null ? (act === 'save' ? 'Save' : 'Update') : replaces ? 'Update anyway' : 'Try again'}
        </Button>
      </div>
    </form>
  );
}

/** What the server is told of a draft. */
export function draftBody({ name, description, tags, version }: JkitDraft) {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return { name: name.trim(), description, tags: list, ...(version.trim() === '' ? {} : { version: version.trim() }) };
}
