import { endingOf, type MessageText, type MessageType, messageFault } from '@wirebench/runs';
import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { portStates } from '../open-ports-of.ts';
import { prepareMessage } from '../send/send-message.ts';
import styles from './add-message.module.css';
import { panelFailureText } from './model/panel-failure.ts';
import { panelOf } from './model/panels.ts';
import { openTarget } from './run/prepare-run.ts';
import { pinMessage } from './store/panel-actions.ts';
import { setAddition, usePanelsSession } from './store/panels-session.ts';
import { panelsNow } from './store/panels-store.ts';

const nothing: MessageText = { content: '', type: 'ascii' };

/** Form that pins the typed text on Enter. The text is kept in the session store, so it survives hiding the panels. */
export function AddMessage({ panelId }: { readonly panelId: string }) {
  const { content, type } = usePanelsSession(({ additions }) => additions[panelId] ?? nothing);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const errorId = useId();
  // Shown while typing. All other failures are shown only when the message is submitted.
  const tooLong = messageFault({ content, type }) === 'too-long' ? panelFailureText['too-long'] : null;
  const error = tooLong ?? refusal;
  return (
    <form
      className={styles['form']}
      aria-label="Add a command"
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget }) => {
        // Once the focus has moved: if the element with the focus goes before, Tab stays in this form.
        setTimeout(() => setFocused(currentTarget.contains(document.activeElement)));
      }}
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
      {isFocused || content !== '' || type === 'hex' ? (
        <Segmented<MessageType>
          label="Command format"
          value={type}
          options={[
            { value: 'ascii', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          onChange={(chosen) => {
            setAddition(panelId, { content, type: chosen });
            setRefusal(null);
          }}
        />
      ) : null}
      <div id={errorId} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
      {tooLong === null ? null : (
        <Button
          size="sm"
          title="Sends it once, and adds nothing to the panel"
          onClick={() => {
            const refused = sendOnce(panelId, { content, type });
            setRefusal(refused);
            if (refused === null) {
              setAddition(panelId, { content: '', type });
            }
          }}
        >
          {type === 'hex' ? 'Send as bytes' : 'Send as text'}
        </Button>
      )}
    </form>
  );
}

/** Sends a text of any length to the panel's port. Returns the reason for a refusal, or null. */
function sendOnce(panelId: string, { content, type }: MessageText): string | null {
  const panel = panelOf(panelsNow().panels, panelId);
  if (panel === undefined) {
    return panelFailureText['panel-not-found'];
  }
  const states = portStates(benchStatus.tick);
  const target = openTarget(panel, states);
  if (!target.ok) {
    return target.reason;
  }
  const message = { text: content, mode: type === 'hex' ? 'hex' : 'text', lineEnding: endingOf(panel) } as const;
  for (const port of target.ports) {
    const prepared = prepareMessage(message, port, states, { isLong: true });
    if (!prepared.ok) {
      return prepared.message;
    }
    void reportingFailure(port, getBench().call('send', port, prepared.bytes));
  }
  return null;
}
