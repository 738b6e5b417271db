/** A password that can be shown by its eye. It is stored nowhere. */
import { Eye, EyeOff } from 'lucide-react';
import { type Ref, useState } from 'react';
import { Field } from '../../shared/ui/field.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './improv.module.css';

interface PasswordFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

export function PasswordField({ label, hint, value, error, onChange, ref }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span className={styles['password']}>
          <TextInput
            {...ids}
            ref={ref}
            mono
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <IconButton
            label={isShown ? 'Hide the password' : 'Show the password'}
            size="sm"
            variant="quiet"
            pressed={isShown}
            icon={isShown ? <EyeOff /> : <Eye />}
            onClick={() => setShown(!isShown)}
          />
        </span>
      )}
    </Field>
  );
}
