import { type Jkit, jkitLimits, jkitText } from '@wirebench/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import type { CallEnds } from '../../shared/api/use-api-mutation.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { offerUndo } from '../../shared/ui/offer-undo.ts';
import { TextArea, TextInput } from '../../shared/ui/text-input.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useSaveJkit } from './calls/own-jkits.ts';
import { failedActText, LoadRefused } from './failed-act.ts';
import styles from './jkit-form.module.css';
import { type LibraryProps, typeOf } from './jkit-panel.ts';
import { type JkitDraft, setDraft, useLibrary } from './library-store.ts';
import { doneText } from './model/library-texts.ts';

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

/** Saves a panel as a new JKit, which is private until it is shared, or as a new version of a JKit. */

/**
 * Mutation that saves a panel.
 *
 * @param id JKit to update. Null: create one.
 */
function useSavePanel(
  { panel, jkits }: Pick<LibraryProps, 'panel' | 'jkits'>,
  id: string | null,
  { onSuccess, onError }: CallEnds<Jkit, JkitDraft>,
) {
  return useSaveJkit(
    id,
    (draft: JkitDraft) => ({
      ...draftBody(draft),
      ...(id === null && { type: typeOf(panel) }),
      ...(id !== null && draft.basedOn !== undefined && { basedOn: draft.basedOn }),
      content: jkits.contentOf(panel.id) ?? contentGone(),
    }),
    {
      onSuccess: (jkit, draft) => {
        if (id !== null) {
          jkits.refresh(jkit);
        }
        jkits.attach(panel.id, jkit);
        toast(doneText(id === null ? 'save' : 'update', jkit.name));
        onSuccess?.(jkit, draft);
      },
      onError,
    },
  );
}

/**
 * Reports that the panel was removed in another tab while its library was open.
 *
 * @throws LoadRefused always.
 */
function contentGone(): never {
  throw new LoadRefused('This panel no longer exists. Close the library, then open it on another one.');
}

/** Converts a draft to the fields of the request. */
function draftBody({ name, description, tags, version }: JkitDraft) {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    name: name.trim(),
    description,
    tags: list,
    ...(version.trim() !== '' && { version: version.trim() }),
  };
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
    <form className={`stack ${styles['form']}`} aria-label={title} noValidate onSubmit={confirm}>
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
      <div className={`stack ${styles['pair']}`}>
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
