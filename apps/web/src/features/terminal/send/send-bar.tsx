/** What is typed and where it goes. Enter sends to the selected port, each button to its own. */
import { longestRepeat, maxInputLength, type PortNumber, portNumbers, shortestRepeat } from '@wirebench/serial';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { told } from '../../../workbench/port-picker/connect-port.ts';
import { portStates } from '../open-ports-of.ts';
import { PinButton } from '../panels/pin-button.tsx';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { sendHistory, terminalSession, useTerminalSession } from '../terminal-session.ts';
import { FileButton } from './file-button.tsx';
import { FileStrip } from './file-strip.tsx';
import { RepeatField } from './repeat-field.tsx';
import { RepeatStrips } from './repeat-strips.tsx';
import { readRepeatTime } from './repeat-time.ts';
import { startRepeat } from './repeats.ts';
import styles from './send-bar.module.css';
import { SendButton } from './send-button.tsx';
import { hexBytes, lengthFault, prepareMessage } from './send-message.ts';

export function SendBar() {
  const draft = useTerminalSession((session) => session.draft);
  const selected = useTerminalSession((session) => session.selectedPort);
  const mode = useTerminalSettings((settings) => settings.inputMode);
  const lineEnding = useTerminalSettings((settings) => settings.lineEnding);
  const states = useBenchStatus(portStates);
  const [repeatTime, setRepeatTime] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const error = lengthFault(draft) ?? refusal;
  const idle = portNumbers.every((port) => states[port] !== 'connected' && states[port] !== 'disconnecting');

  const type = (text: string) => {
    terminalSession.setState({ draft: text });
    setRefusal(null);
  };
  const send = (port: PortNumber) => {
    // The newest states, not those of the last rendering: a port may have gone since.
    const message = prepareMessage({ text: draft, mode, lineEnding }, port, portStates(benchStatus.tick));
    if (!message.ok) {
      setRefusal(message.message);
      input.current?.focus();
      return;
    }
    const every = repeatTime === null ? 0 : readRepeatTime(repeatTime);
    if (every === null) {
      setRefusal(`Repeat takes whole milliseconds from ${shortestRepeat} to ${longestRepeat}.`);
      return;
    }
    sendHistory.add(draft);
    type('');
    if (message.bytes.length === 0) {
      return;
    }
    if (every > 0) {
      startRepeat(port, draft, message.bytes, every);
    } else {
      void told(port, getBench().call('send', port, message.bytes));
    }
  };
  const walk = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    const walked =
      event.key === 'ArrowUp' ? sendHistory.older(draft) : event.key === 'ArrowDown' ? sendHistory.newer() : null;
    if (walked !== null) {
      event.preventDefault();
      type(walked);
    }
  };

  return (
    <form
      className={styles['bar']}
      aria-label="Send"
      onSubmit={(event) => {
        event.preventDefault();
        send(selected);
      }}
    >
      {/* With two fields in the form, Enter only sends where there is a button for it. */}
      <button type="submit" hidden aria-label={`Send to port ${selected}`} />
      <RepeatStrips />
      <FileStrip />
      <label className={classNames(styles['field'], idle && styles['idle'], error !== null && styles['wrong'])}>
        <ChevronRight />
        <input
          ref={input}
          id="skip-target"
          aria-label="Message"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="send"
          placeholder={idle ? 'Connect a port to send' : ''}
          value={draft}
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? undefined : errorId}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={walk}
        />
        <span className={styles['count']}>
          {mode === 'hex' ? bytes(hexBytes(draft)) : `${draft.length} / ${maxInputLength}`}
        </span>
      </label>
      <div id={errorId} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
      <div className={styles['row']}>
        <div className={styles['how']}>
          <Segmented
            label="Input"
            value={mode}
            options={[
              { value: 'text', label: 'ASCII' },
              { value: 'escapes', label: 'Escapes' },
              { value: 'hex', label: 'HEX' },
            ]}
            onChange={(inputMode) => {
              changeSettings({ inputMode });
              setRefusal(null);
            }}
          />
          <Segmented
            label="Line ending"
            value={lineEnding}
            disabled={mode === 'hex'}
            options={[
              { value: 'none', label: 'None' },
              { value: 'lf', label: 'LF' },
              { value: 'cr', label: 'CR' },
              { value: 'crlf', label: 'CRLF' },
            ]}
            onChange={(ending) => changeSettings({ lineEnding: ending })}
          />
          <RepeatField
            value={repeatTime}
            onChange={(time) => {
              setRepeatTime(time);
              setRefusal(null);
            }}
          />
          <FileButton port={selected} connected={states[selected] === 'connected'} />
          <PinButton draft={{ text: draft, mode, lineEnding }} onRefused={setRefusal} />
          <span className={styles['hint']}>
            <Kbd>↑</Kbd> history
          </span>
        </div>
        <div className={styles['buttons']}>
          {portNumbers.map((port) => (
            <SendButton key={port} port={port} state={states[port]} onSend={() => send(port)} />
          ))}
        </div>
      </div>
    </form>
  );
}

const bytes = (count: number) => (count === 1 ? '1 byte' : `${count} bytes`);
