import { useId, useState } from 'react';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './add-message.module.css';
import { panelFailureText } from './model/panel-failure.ts';
import { type MessageType, messageFault } from './model/pinned-message.ts';
import { pinMessage } from './store/panel-actions.ts';

/** Pins what is typed: Enter adds it. */
export function AddMessage({ panelId }: { readonly panelId: string }) {
  const [content, setContent] = useState('');
  const [type, setType] = useState<MessageType>('ascii');
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorId = useId();
  // Said while it is typed; everything else only when it is to be pinned.
  const tooLong = messageFault({ content, type }) === 'too-long' ? panelFailureText['too-long'] : null;
  const error = tooLong ?? refusal;
  return (
    <form
      className={styles['form']}
      aria-label="Pin a message"
      onSubmit={(event) => {
        event.preventDefault();
        const refused = pinMessage(panelId, { content, type });
        setRefusal(refused);
        if (refused === null) {
          setContent('');
        }
      }}
    >
      <TextInput
        mono
        className={styles['input']}
        aria-label="Add a command"
        placeholder="Add a command"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        value={content}
        data-control="add"
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : errorId}
        onChange={(event) => {
          setContent(event.currentTarget.value);
          setRefusal(null);
        }}
      />
      <Segmented
        label="Command format"
        value={type}
        options={[
          { value: 'ascii', label: 'ASC' },
          { value: 'hex', label: 'HEX' },
        ]}
        onChange={(chosen) => {
          setType(chosen);
          setRefusal(null);
        }}
      />
      <div id={errorId} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
    </form>
  );
}
