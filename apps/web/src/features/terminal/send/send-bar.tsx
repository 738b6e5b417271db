/**
 * The send bar: message field, Send buttons and options. Enter sends to the selected port, each button to its own
 * port, and Send to all to every open port.
 */
import {
  type LineEnding,
  longestRepeat,
  maxInputLength,
  type PortNumber,
  portNumbers,
  shortestRepeat,
} from '@wirebench/serial';
import { SlidersHorizontal } from 'lucide-react';
import { type KeyboardEvent, use, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { onConnected, reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { blockedText, portStates, type SendState } from '../open-ports-of.ts';
import { PinButton } from '../panels/pin-button.tsx';
import { changeSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { lineEndings, type SendMode, sendModes } from '../settings/terminal-settings.ts';
import { sendHistory, terminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { FileButton } from './file-button.tsx';
import { FileStrip } from './file-strip.tsx';
import { RepeatField } from './repeat-field.tsx';
import { RepeatStrips } from './repeat-strips.tsx';
import { readRepeatTime } from './repeat-time.ts';
import { startRepeat } from './repeats.ts';
import styles from './send-bar.module.css';
import { SendButton } from './send-button.tsx';
import { hexBytes, lengthFault, prepareMessage } from './send-message.ts';

const modeNames = { text: 'ASCII', escapes: 'Escapes', hex: 'HEX' } satisfies Record<SendMode, string>;
const endingNames = { none: 'None', lf: 'LF', cr: 'CR', crlf: 'CRLF' } satisfies Record<LineEnding, string>;

export interface SendBarProps {
  /** Called for Escape in the message field. */
  readonly onLeave?: () => void;
}

export function SendBar({ onLeave }: SendBarProps) {
  const draft = useTerminalSession((session) => session.draft);
  const selected = useTerminalSession((session) => session.selectedPort);
  const mode = useTerminalSettings((settings) => settings.inputMode);
  const lineEnding = useTerminalSettings((settings) => settings.lineEnding);
  const states = useBenchStatus(portStates);
  const repeatTime = useTerminalSession((session) => session.repeatTime);
  const [refusal, setRefusal] = useState<{ readonly text: string; readonly state: SendState } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const targetId = useId();
  const optionsId = useId();
  const optionsOpen = useTerminalSession((session) => session.sendOptions);
  const name = useTerminalSettings((settings) => portName(settings, selected));
  const error = lengthFault(draft) ?? (refusal?.state === states[selected] ? refusal.text : null);
  const idle = portNumbers.every((port) => states[port] !== 'connected' && states[port] !== 'disconnecting');
  const connected = portNumbers.filter((port) => states[port] === 'connected');
  const open = states[selected] === 'connected';
  const blocked = blockedText(selected, states[selected]);
  const watching = states[selected] === 'watching';
  const { ask } = use(TerminalSlotsContext);
  const user = useBenchStatus((view) => view.users[selected]);
  // Guests cannot connect the host's ports.
  const remote = useBenchStatus((view) => view.devices[selected]?.kind === 'remote');
  const closed = user === null ? `${name} is not connected` : `${user} uses ${name}`;
  const target = blocked ?? (open ? `Enter sends to ${name}` : closed);
  useEffect(() => onConnected(() => takeFocus(input.current)), []);

  /** Shows a refusal until the port's state changes. */
  const refuse = (text: string | null) => setRefusal(text === null ? null : { text, state: states[selected] });
  const type = (text: string) => {
    terminalSession.setState({ draft: text });
    refuse(null);
  };
  const send = (port: PortNumber, ...others: PortNumber[]) => {
    // Uses the latest tick, not the last rendered states: a port may have disconnected since.
    const message = prepareMessage({ text: draft, mode, lineEnding }, port, portStates(benchStatus.tick));
    if (!message.ok) {
      refuse(message.message);
      input.current?.focus();
      return;
    }
    const { bytes } = message;
    const every = repeatTime === null ? 0 : readRepeatTime(repeatTime);
    if (every === null) {
      refuse(`Enter a repeat interval from ${shortestRepeat} to ${longestRepeat} ms.`);
      return;
    }
    sendHistory.add(draft);
    type('');
    if (bytes.length === 0) {
      return;
    }
    for (const to of [port, ...others]) {
      if (every > 0) {
        startRepeat(to, draft, bytes, every);
      } else {
        void reportingFailure(to, getBench().call('send', to, bytes));
      }
    }
  };
  const sendToAll = () => {
    const [first = selected, ...others] = connected;
    send(first, ...others);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave?.();
      return;
    }
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
      {/* Browsers submit a form with several fields on Enter only if it has a submit button. */}
      <button type="submit" hidden aria-label={`Send to port ${selected}`} />
      <RepeatStrips />
      <FileStrip />
      <div
        className={styles['parts']}
        data-options={optionsOpen || undefined}
        data-only-ask={(watching && connected.length === 0) || undefined}
      >
        <label className={classNames(styles['field'], idle && styles['idle'], error !== null && styles['wrong'])}>
          <PortFlag port={selected} off={!open} />
          <span id={targetId} hidden>
            {target}
          </span>
          <input
            ref={input}
            id="skip-target"
            aria-label="Message"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="send"
            placeholder={idle && !watching && user === null && !remote ? 'Connect a port to send' : target}
            readOnly={blocked !== null}
            value={draft}
            aria-invalid={error === null ? undefined : true}
            aria-describedby={error === null ? targetId : errorId}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={walk}
          />
          <span className={styles['count']}>
            {mode === 'hex' ? byteCount(hexBytes(draft)) : `${draft.length} / ${maxInputLength}`}
          </span>
        </label>
        {watching ? ask : null}
        <div className={styles['buttons']}>
          {portNumbers.map((port) => (
            <SendButton key={port} port={port} state={states[port]} onSend={() => send(port)} />
          ))}
          {connected.length < 2 ? null : (
            <Button className={styles['all']} aria-label="Send to all open ports" onClick={sendToAll}>
              <span className={styles['long']}>Send to all</span>
              <span className={styles['short']}>All</span>
            </Button>
          )}
        </div>
        <Button
          variant="quiet"
          className={styles['toggle']}
          icon={<SlidersHorizontal />}
          aria-label={`Send options: ${modeNames[mode]}, line ending ${endingNames[lineEnding]}`}
          aria-expanded={optionsOpen}
          aria-controls={optionsId}
          onClick={() => terminalSession.setState({ sendOptions: !optionsOpen })}
        />
        {/* A draft in the read-only field hides the placeholder with this reason. */}
        {blocked === null || draft === '' || error !== null ? null : <p className={styles['blocked']}>{blocked}</p>}
        <div id={errorId} role="alert" className={styles['error']}>
          {error === null ? null : <FieldError>{error}</FieldError>}
        </div>
        <div id={optionsId} className={styles['how']}>
          <Segmented
            label="Input"
            value={mode}
            options={sendModes.map((value) => ({ value, label: modeNames[value] }))}
            onChange={(inputMode) => {
              changeSettings({ inputMode });
              refuse(null);
            }}
          />
          <Segmented
            label="Line ending"
            value={lineEnding}
            disabled={mode === 'hex'}
            options={lineEndings.map((value) => ({ value, label: endingNames[value] }))}
            onChange={(ending) => changeSettings({ lineEnding: ending })}
          />
          <RepeatField
            value={repeatTime}
            onChange={(time) => {
              terminalSession.setState({ repeatTime: time });
              refuse(null);
            }}
          />
          <FileButton port={selected} state={states[selected]} />
          <PinButton draft={{ text: draft, mode, lineEnding }} onRefused={refuse} />
          <span className={styles['hint']}>
            <Kbd>↑</Kbd> history
          </span>
        </div>
      </div>
    </form>
  );
}

const typingIn = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [role="dialog"] *';

/**
 * Focuses the message field after the user connected a port. Skipped on touch screens, where the keyboard would cover
 * the log.
 */
function takeFocus(field: HTMLElement | null): void {
  const typing = document.activeElement?.matches(typingIn) ?? false;
  if (!(typing || matchMedia('(pointer: coarse)').matches)) {
    field?.focus();
  }
}

const byteCount = (count: number) => (count === 1 ? '1 byte' : `${count} bytes`);
