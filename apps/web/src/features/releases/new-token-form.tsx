import { type NewTokenAnswer, tokenLimits, tokenText } from '@wirebench/contract';
import { type FormEvent, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { useExplainedAttempt } from '../../shared/ui/use-attempt.ts';
import { createToken } from './calls/tokens.ts';
import styles from './token-form.module.css';

/** In days, the server's default among them. */
const lifetimes = [7, 30, tokenLimits.defaultDays, tokenLimits.maxDays];

export function NewTokenForm({ onCreated }: { readonly onCreated: (answer: NewTokenAnswer) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(tokenLimits.defaultDays);
  const [missing, setMissing] = useState(false);
  const { busy, failure: reason, run } = useExplainedAttempt(errorMessage);
  const create = async () => onCreated(await createToken({ name: name.trim(), expiresInDays: days }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    if (name.trim() === '') {
      setMissing(true);
      field.current?.focus();
    } else {
      void run(create);
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
            onChange={(event) => {
              setName(event.currentTarget.value);
              setMissing(false);
            }}
          />
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
      <Button variant="primary" type="submit" busy={busy} className={styles['button']}>
        Create token
      </Button>
      {reason === null ? null : (
        <div className={styles['reason']}>
          <Notice level="error" title="Failed to create the token">
            {reason}
          </Notice>
        </div>
      )}
    </form>
  );
}
