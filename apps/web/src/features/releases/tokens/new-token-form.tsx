import { type NewTokenAnswer, tokenLimits, tokenText } from '@wirebench/contract';
import { type FormEvent, useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { useProjects } from '../calls/projects.ts';
import { useCreateToken } from '../calls/tokens.ts';
import { useUser } from '../use-user.ts';
import styles from './token-form.module.css';

/** In days. Includes the server's default. */
const lifetimes = [7, 30, tokenLimits.defaultDays, tokenLimits.maxDays];

export interface NewTokenFormProps {
  readonly onCreated: (answer: NewTokenAnswer) => void;
}

export function NewTokenForm({ onCreated }: NewTokenFormProps) {
  const { data: projects = [] } = useProjects(useUser());
  const projectField = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState('');
  // A single project is preselected.
  const [only, ...others] = projects;
  const projectId = chosen === '' && only !== undefined && others.length === 0 ? only._id : chosen;
  const [unchosen, setUnchosen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(tokenLimits.defaultDays);
  const [mayReplace, setMayReplace] = useState(false);
  const [missing, setMissing] = useState(false);
  const { isPending, error, mutate, reset } = useCreateToken({ onSuccess: onCreated });
  useNextAction(missing || unchosen || error !== null, () => {
    setMissing(false);
    setUnchosen(false);
    if (error !== null) {
      reset();
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else if (projectId === '') {
      setUnchosen(true);
      projectField.current?.focus();
    } else {
      mutate({ name: name.trim(), projectId, expiresInDays: days, ...(mayReplace ? { mayReplace } : {}) });
    }
  };
  return (
    <form aria-label="New token" noValidate onSubmit={submit} className={styles['form']}>
      <Field label="Name" error={missing ? tokenText.nameRequired : null}>
        {(ids) => (
          <TextInput
            {...ids}
            ref={field}
            autoComplete="off"
            placeholder="Build server"
            maxLength={tokenLimits.nameMaxLength}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Project" error={unchosen ? tokenText.projectRequired : null}>
        {(ids) => (
          <Select
            {...ids}
            ref={projectField}
            value={projectId}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">{projects.length === 0 ? 'No project yet' : 'Choose a project'}</option>
            {projects.map(({ _id, name: projectName }) => (
              <option key={_id} value={_id}>
                {projectName}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Expires after">
        {(ids) => (
          <Select {...ids} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {lifetimes.map((lifetime) => (
              <option key={lifetime} value={lifetime}>
                {lifetime} days
              </option>
            ))}
          </Select>
        )}
      </Field>
      <label className={styles['replace']}>
        <input type="checkbox" checked={mayReplace} onChange={(event) => setMayReplace(event.currentTarget.checked)} />
        <span>May replace the oldest version when the project is full (its link and files are deleted)</span>
      </label>
      <Button variant="primary" type="submit" busy={isPending} className={styles['button']}>
        Create token
      </Button>
      {error === null ? null : (
        <div className={styles['reason']}>
          <Notice level="error" title="Failed to create the token">
            {errorMessage(error)}
          </Notice>
        </div>
      )}
    </form>
  );
}
