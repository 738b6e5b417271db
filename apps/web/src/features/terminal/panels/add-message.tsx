import { useId, useState } from 'react';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './add-message.module.css';
import { panelFailureText } from './model/panel-failure.ts';
import { type MessageText, type MessageType, messageFault } from './model/pinned-message.ts';
import { pinMessage } from './store/panel-actions.ts';
import { setAddition, usePanelsSession } from './store/panels-session.ts';

const nothing: MessageText = { content: '', type: 'ascii' };

/** Form that pins the typed text on Enter. The text is kept in the session store, so it survives hiding the panels. */
export function AddMessage({ panelId }: { readonly panelId: string }) {
  const { content, type } = usePanelsSession(({ additions }) => additions[panelId] ?? nothing);
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorId = useId();
  // Shown while typing. All other failures are shown only when the message is submitted.
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
          setAddition(panelId, { content: '', type });
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
          setAddition(panelId, { content: event.currentTarget.value, type });
          setRefusal(null);
        }}
      />
      <Segmented<MessageType>
        label="Command format"
        value={type}
        options={[
          { value: 'ascii', label: 'ASC' },
          { value: 'hex', label: 'HEX' },
        ]}
        onChange={(chosen) => {
          setAddition(panelId, { content, type: chosen });
          setRefusal(null);
        }}
      />
      <div id={errorId} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
    </form>
  );
}
