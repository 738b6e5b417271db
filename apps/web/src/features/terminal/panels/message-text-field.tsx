import { useId } from 'react';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './message-form.module.css';
import type { MessageText, MessageType } from './model/pinned-message.ts';

export interface MessageTextFieldProps {
  readonly label: string;
  /** Placeholder that explains the meaning of an empty field. */
  readonly hint?: string;
  readonly text: MessageText;
  readonly error: string | null;
  readonly autoFocus?: boolean;
  readonly onChange: (text: MessageText) => void;
}

/** Field for a text to send or to wait for, with the choice between text and hex. */
export function MessageTextField({ label, hint, text, error, autoFocus, onChange }: MessageTextFieldProps) {
  const id = useId();
  return (
    <div className={styles['text']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <TextInput
        id={id}
        mono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={hint}
        value={text.content}
        autoFocus={autoFocus}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange({ content: event.currentTarget.value, type: text.type })}
      />
      <Segmented<MessageType>
        label={`${label}: format`}
        value={text.type}
        options={[
          { value: 'ascii', label: 'ASC' },
          { value: 'hex', label: 'HEX' },
        ]}
        onChange={(type) => onChange({ content: text.content, type })}
      />
      <div id={`${id}-error`} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
    </div>
  );
}
