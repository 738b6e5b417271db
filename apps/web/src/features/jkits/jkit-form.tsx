import { jkitLimits, jkitText } from '@wirebench/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { offerUndo } from '../../shared/ui/offer-undo.ts';
import { TextArea, TextInput } from '../../shared/ui/text-input.tsx';
import { failedActText } from './failed-act.ts';
import styles from './jkit-form.module.css';
import type { LibraryProps } from './jkit-panel.ts';
import { type JkitDraft, setDraft, useLibrary } from './library-store.ts';
import { useSavePanel } from './use-save-panel.ts';

export interface JkitFormProps extends Pick<LibraryProps, 'panel' | 'jkits'> {
  /** JKit to update. Null: create one. */
  readonly id: string | null;
  readonly title: string;
  readonly text: string;
  /** Key of the draft in the library store. */
  readonly draftKey: string;
  readonly initial: JkitDraft;
  /** Called after saving and after cancelling. */
  readonly onClose: () => void;
  /** Called after the user has undone a cancellation. The draft is already restored. */
  readonly onReopen: () => void;
  readonly onSaved?: () => void;
}

/** Form for a JKit's name, description, tags and version, which saves the panel. */
export function JkitForm(props: JkitFormProps) {
  const { panel, jkits, id, title, text, draftKey, initial, onClose, onReopen, onSaved } = props;
  const act = id === null ? 'save' : 'update';
  const { isPending, error, mutate } = useSavePanel({ panel, jkits }, id, {
    onSuccess: () => {
      onSaved?.();
      setDraft(draftKey, null);
      onClose();
    },
    onError: (reason, sent) => {
      if (reason instanceof ApiError && reason.status === 409) {
        // Without `basedOn`, the next attempt overwrites the other change. The failure text warns about that.
        setDraft(draftKey, { ...sent, basedOn: undefined });
      }
    },
  });
  const failure = error === null ? null : failedActText(act, error);
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
    // Stores the draft before sending: the form may be unmounted before the answer arrives.
    setDraft(draftKey, draft);
    mutate(draft);
  };
  const cancel = () => {
    setDraft(draftKey, null);
    onClose();
    if (!isPending && isTyped(draft, initial)) {
      offerUndo(id === null ? 'New JKit discarded' : `Changes to ${initial.name} discarded`, () => {
        setDraft(draftKey, draft);
        onReopen();
      });
    }
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
      <div className="buttons tight at-end">
        <Button size="sm" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" size="sm" variant="primary" busy={isPending}>
          {failure === null ? (act === 'save' ? 'Save' : 'Update') : replaces ? 'Update anyway' : 'Try again'}
        </Button>
      </div>
    </form>
  );
}

/** Returns true if the draft differs from the initial values, so that cancelling would lose input. */
function isTyped(draft: JkitDraft, initial: JkitDraft): boolean {
  return (['name', 'description', 'tags', 'version'] as const).some((field) => draft[field] !== initial[field]);
}
