import { families, familyIds } from '@wirebench/boards';
import { type Project, releaseLimits, releaseText } from '@wirebench/contract';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../../shared/api/api-error.ts';
import { Answer } from '../../../shared/ui/answer.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextArea, TextInput } from '../../../shared/ui/text-input.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { useCreateProject } from '../calls/projects.ts';
import { releaseFailureText } from '../release-texts.ts';
import type { DraftHandle, ProjectDraft } from './drafts-store.ts';
import { DroppedDraft } from './dropped-draft.tsx';
import { ModelOptions } from './model-options.tsx';
import styles from './new-project-form.module.css';

export interface NewProjectFormProps {
  readonly form: DraftHandle<ProjectDraft>;
  /** Number of the user's projects. */
  readonly count: number;
  readonly limit: number;
  /** Closes the form. */
  readonly onCreated: (project: Project) => void;
}

const familyOptions = familyIds.map((family) => ({ value: family, label: families[family].name }));

export function NewProjectForm({ form, count, limit, onCreated }: NewProjectFormProps) {
  const { draft, change, dropped, restore } = form;
  const discard = () => form.cancel('New project discarded');
  const headingId = useId();
  const nameField = useRef<HTMLInputElement>(null);
  const modelField = useRef<HTMLSelectElement>(null);
  const [checked, setChecked] = useState(false);
  const [taken, setTaken] = useState<string | null>(null);
  const {
    isPending: busy,
    error,
    mutate,
    reset,
  } = useCreateProject({
    onSuccess: onCreated,
    onError: (reason) => {
      if (isConflict(reason)) {
        setTaken(reason.message);
        nameField.current?.focus();
      }
    },
  });
  const failure = error === null || isConflict(error) ? null : releaseFailureText.createProject(errorMessage(error));
  useEffect(() => nameField.current?.focus(), []);
  useNextAction(checked || error !== null, () => {
    setChecked(false);
    setTaken(null);
    if (error !== null) {
      reset();
    }
  });

  const nameFault = draft.name.trim() === '' ? releaseText.nameRequired : null;
  const modelFault = draft.deviceModel === '' ? releaseText.modelRequired : null;

  // While a project is being created, the list may already contain it.
  const full = count >= limit && !busy;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (busy || full) {
      return;
    }
    if (nameFault !== null) {
      nameField.current?.focus();
    } else if (modelFault !== null) {
      modelField.current?.focus();
    } else {
      mutate({ ...draft, name: draft.name.trim() });
    }
  };

  return (
    <form
      className={`card ${styles['form']}`}
      aria-labelledby={headingId}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) {
          discard();
        }
      }}
    >
      <div className={styles['head']}>
        <h2 id={headingId}>New project</h2>
        <span className={`small ${styles['keys']}`}>
          <Kbd>Enter</Kbd> create <Kbd>Esc</Kbd> cancel
        </span>
      </div>
      <DroppedDraft dropped={dropped} onRestore={restore} />
      <div className={styles['fields']}>
        <Field label="Name" error={checked ? (nameFault ?? taken) : taken}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={nameField}
              autoComplete="off"
              maxLength={releaseLimits.nameMaxLength}
              value={draft.name}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change((before) => ({ ...before, name: value }));
              }}
            />
          )}
        </Field>
        <div className={styles['family']}>
          <span className="silk">Chip family</span>
          <Segmented
            label="Chip family"
            options={familyOptions}
            value={draft.deviceFamily}
            onChange={(deviceFamily) => change((before) => ({ ...before, deviceFamily, deviceModel: '' }))}
          />
          {families[draft.deviceFamily].experimental ? <span className="small">Flashing is experimental.</span> : null}
        </div>
        <Field label="Device model" error={checked ? modelFault : null}>
          {(ids) => (
            <Select
              {...ids}
              ref={modelField}
              mono
              value={draft.deviceModel}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change((before) => ({ ...before, deviceModel: value }));
              }}
            >
              <option value="">Choose a model</option>
              <ModelOptions families={[draft.deviceFamily]} />
            </Select>
          )}
        </Field>
      </div>
      <Field label="Description" hint="Optional. Shown on the release page.">
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            className={styles['description']}
            maxLength={releaseLimits.descriptionMaxLength}
            value={draft.description}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change((before) => ({ ...before, description: value }));
            }}
          />
        )}
      </Field>
      {full ? <Notice level="error" title={releaseText.projectLimit(limit)} /> : null}
      {failure === null ? null : (
        <Answer of={error} appears>
          <Notice level="error" title={failure} />
        </Answer>
      )}
      <div className="buttons at-end">
        <Button onClick={discard} disabled={busy}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" busy={busy}>
          {busy ? 'Creating…' : 'Create project'}
        </Button>
      </div>
    </form>
  );
}

/** Returns true if a project of this name exists. */
const isConflict = (error: Error): boolean => error instanceof ApiError && error.status === 409;
