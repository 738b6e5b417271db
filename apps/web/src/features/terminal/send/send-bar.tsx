/**
 * The send bar: message field, how it is typed, and Send buttons. Enter sends to the selected port, each button to its
 * own port, and All to every open port.
 */
import { maxInputLength, type PortNumber, portNumbers } from '@wirebench/serial';
import { Plug } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, use, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { answerHiding, canHideOn, hidingInLog } from '../../../workbench/asked-secret.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFind } from '../../../workbench/console/find/find-store.ts';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { connectSource, onConnected, reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { blockedText, portStates, type SendState } from '../open-ports-of.ts';
import { useFunctionKeys } from '../panels/function-keys.ts';
import { PinButton } from '../panels/pin-button.tsx';
import { portName, terminalSettingsNow, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession, sendHistory, terminalSessionNow, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { useClosedAt } from './closed-ports.ts';
import { controlKeyOf, noteControlKey, sendControlKey } from './control-keys.ts';
import { FileInput } from './file-input.tsx';
import { FileStrip } from './file-strip.tsx';
import { useHiddenAnswer } from './hidden-answer.tsx';
import { HowToSend } from './how-to-send.tsx';
import { cancelPaste, isPasteOffered, offerPaste, sendLinesId } from './paste-dock-store.ts';
import { RepeatStrips } from './repeat-strips.tsx';
import { readRepeatTime, repeatTimeFault } from './repeat-time.ts';
import { startRepeat } from './repeats.ts';
import styles from './send-bar.module.css';
import { SendButton } from './send-button.tsx';
import { SendField } from './send-field.tsx';
import { bytesPreview, hexPreview, lengthFault, type Message, prepareMessage } from './send-message.ts';
import { PastePlace, SendStrips } from './send-strips.tsx';
import { SendingStrips } from './sending-strips.tsx';
import { stopSending } from './stop-sending.ts';
import { TargetFlag } from './target-flag.tsx';
import { useTypedEnding } from './typed-ending.ts';
import { encodeFrameFor, frameHint, hasTypedFrames, useTypedFrame, whenFramesLoad } from './typed-frames.ts';
import { useHistorySearch } from './use-history-search.ts';
import { useTypingInLog } from './use-typing-in-log.ts';

export interface SendBarProps {
  /** Called for Escape in the message field. */
  readonly onLeave?: () => void;
}

export function SendBar({ onLeave }: SendBarProps) {
  const selected = useTerminalSession((session) => session.selectedPort);
  const message = useDraft(selected);
  const isFrame = message.mode === 'frame';
  const decoder = useTerminalSettings(({ ports }) => ports[selected].decoder);
  const typed = useTypedFrame(decoder, message.text, isFrame);
  const frame = typed?.ok === true ? bytesPreview(typed.bytes) : null;
  const hideInput = useTerminalSession((session) => session.hideInput);
  const draftSecret = useTerminalSession((session) => session.draftSecret);
  const states = useBenchStatus(portStates);
  const finding = useFind(({ text }) => text !== '');
  const sharing = useSharing(({ dialog }) => dialog === 'toolbar');
  const [refusal, setRefusal] = useState<{ readonly text: string; readonly state: SendState } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const name = useTerminalSettings((settings) => portName(settings, selected));
  const isPasted = useTerminalSession((session) => session.draftPasted);
  const tooLong = isPasted ? null : lengthFault(message.text);
  const error = tooLong ?? (refusal?.state === states[selected] ? refusal.text : null);
  const shown = portNumbers.filter((port) => states[port] === 'connected' || states[port] === 'disconnecting');
  const connected = portNumbers.filter((port) => states[port] === 'connected');
  const idle = shown.length === 0;
  const open = states[selected] === 'connected';
  const blocked = blockedText(selected, states[selected]);
  const answer = useHiddenAnswer(selected);
  /** Secret that is hidden for one Enter. */
  const secret = answer === null || answer.isShown ? draftSecret : answer.secret;
  const hidden = hideInput || secret !== null;
  const watching = states[selected] === 'watching';
  const { ask } = use(TerminalSlotsContext);
  const user = useBenchStatus((view) => view.users[selected]);
  // Guests cannot connect the host's ports, and the host records what they send.
  const remote = useBenchStatus((view) => view.devices[selected]?.kind === 'remote');
  const canHide = useBenchStatus((view) => canHideOn(view, selected));
  const closed = user === null ? `${name} is not connected` : `${user} uses ${name}`;
  const away = states[selected] === 'reconnecting' ? `${name} is unplugged. Waiting for it.` : closed;
  const target = blocked ?? (open ? `Enter sends to ${name}` : away);
  const isOwn = idle && !watching && user === null && !remote;
  const closedText = useClosedText(selected);
  const wasClosed = isOwn && states[selected] === 'disconnected' && closedText !== null;
  const { search, ...searching } = useHistorySearch();
  useTypingInLog(input);
  useFunctionKeys();
  useEffect(() => onConnected(() => takeFocus(input.current)), []);

  /** Shows a refusal until the port's state changes. */
  const refuse = (text: string | null) => setRefusal(text === null ? null : { text, state: states[selected] });
  const show = ({ text, mode, lineEnding }: Message) => {
    changeTerminalSession({ draft: text, draftAs: { mode, lineEnding }, draftPasted: false, draftSecret: null });
    refuse(null);
  };
  const type = (text: string) => {
    // An emptied field forgets how a message of the history was typed.
    changeTerminalSession(
      text === ''
        ? { draft: text, draftAs: null, draftPasted: false, draftSecret: null }
        : { draft: text, draftSecret: secret },
    );
    refuse(null);
  };
  const focus = () => input.current?.focus();
  /**
   * Returns the bytes to send, or null after showing why there are none.
   *
   * @param hiding Whether the text has to be hidden; undefined: it is no answer to a prompt for a password.
   * @param isLong True: a text that may be longer than a command. The history does not keep it then.
   */
  const prepare = (given: Message, port: PortNumber, hiding: boolean | undefined, isLong = isPasted) => {
    // Uses the latest tick, not the last rendered states: a port may have disconnected since.
    const encodeFrame = (text: string) => encodeFrameFor(decoder, text);
    const rules = { cannotHide: hideInput && !canHide, isLong, encodeFrame };
    const prepared = prepareMessage(given, port, portStates(benchStatus.tick), rules);
    if (!prepared.ok) {
      refuse(prepared.message);
      focus();
      return null;
    }
    if (hiding !== true && lengthFault(given.text) === null) {
      sendHistory.add(given);
    }
    return prepared.bytes;
  };
  const send = (given: Message, port: PortNumber, ...others: PortNumber[]): void => {
    const sendNow = () => {
      const ports = [port, ...others];
      const hiding = hidingOf(ports);
      sendBytes(prepare(given, port, hiding), hiding, ports);
    };
    // Sends nothing that was typed in the meantime.
    const sendSame = () => (terminalSessionNow().draft === given.text ? sendNow() : undefined);
    if (given.mode !== 'frame' || !whenFramesLoad(sendSame)) {
      sendNow();
    }
  };
  /** Returns whether a text to these ports has to be hidden. What was typed as dots stays hidden. */
  const hidingOf = (ports: readonly PortNumber[]) => (hidden ? true : answerHiding(ports));
  /** A host that cannot hide a text refuses it only if the person has switched on *Hide input*. */
  const inLogOf = (hiding: boolean | undefined, port: PortNumber) => (hideInput ? hiding : hidingInLog(hiding, port));
  const sendBytes = (
    bytes: Uint8Array<ArrayBuffer> | null,
    hiding: boolean | undefined,
    ports: readonly PortNumber[],
  ) => {
    if (bytes === null) {
      return;
    }
    type('');
    if (bytes.length > 0) {
      for (const to of ports) {
        const inLog = inLogOf(hiding, to);
        void reportingFailure(to, getBench().call('send', to, bytes, ...(inLog === undefined ? [] : [inLog])));
      }
    }
  };
  /** Sends a text that may be longer than a command once. */
  const sendOnce = (given: Message) => {
    const hiding = hidingOf([selected]);
    sendBytes(prepare(given, selected, hiding, true), hiding, [selected]);
  };
  const sendToAll = () => {
    const [first = selected, ...others] = connected;
    send(message, first, ...others);
  };
  const repeat = () => {
    const every = readRepeatTime(terminalSessionNow().repeatTime);
    if (every === null) {
      refuse(repeatTimeFault);
      focus();
      return;
    }
    const bytes = prepare(message, selected, hidingOf([selected]));
    if (bytes !== null && bytes.length > 0) {
      startRepeat(selected, message.text, bytes, every);
      type('');
    }
    focus();
  };
  const takeFound = () => {
    if (search?.found != null) {
      show(search.found);
    }
    searching.end();
  };
  const submit = () => {
    if (search !== null) {
      takeFound();
    } else if (isPasteOffered()) {
      // Enter right after pasting must not send what was typed before, and not the lines unseen.
      document.getElementById(sendLinesId)?.focus();
    } else {
      send(message, selected);
    }
  };
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const act = (action: () => void) => {
      event.preventDefault();
      action();
    };
    if (event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey && key.toLowerCase() === 'r') {
      act(() => (search === null ? searching.begin() : searching.step(1)));
      return;
    }
    const control = search === null && open && blocked === null && message.text === '' ? controlKeyOf(event) : null;
    if (control !== null) {
      act(() => {
        if (!event.repeat) {
          sendControlKey(selected, control);
          noteControlKey(selected, control);
        }
      });
      return;
    }
    if (key === 'Escape') {
      act(() => {
        if (search !== null) {
          searching.end();
        } else if (isPasteOffered()) {
          cancelPaste();
        } else if (!stopSending(selected)) {
          onLeave?.();
        }
      });
      return;
    }
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      event.shiftKey ||
      !(key === 'ArrowUp' || key === 'ArrowDown')
    ) {
      return;
    }
    if (search !== null) {
      act(() => searching.step(key === 'ArrowUp' ? 1 : -1));
      return;
    }
    const walked = hidden ? null : key === 'ArrowUp' ? sendHistory.older(message) : sendHistory.newer();
    if (walked !== null) {
      act(() => show(walked));
    }
  };
  const pasted = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (search !== null || blocked !== null) {
      return;
    }
    if (!/[\r\n]/.test(text)) {
      // Only commands that are typed have a limit.
      if (text.length > 0 && event.currentTarget.value.length + text.length > maxInputLength) {
        changeTerminalSession({ draftPasted: true });
      }
      return;
    }
    if (isFrame) {
      event.preventDefault();
      refuse('Frames are sent one at a time. Paste one line.');
      return;
    }
    const insert = insertedInto(event.currentTarget, type);
    const hex = message.mode === 'hex' ? singleHex(text) : null;
    if (hex !== null) {
      event.preventDefault();
      insert(hex);
      return;
    }
    const { mode, lineEnding } = message;
    const insertPasted = (joined: string) => {
      insert(joined);
      changeTerminalSession({ draftPasted: true });
    };
    const isHidden = inLogOf(hidingOf([selected]), selected);
    if (offerPaste({ text, how: { mode, lineEnding }, hidden: isHidden, intoField: insertPasted })) {
      event.preventDefault();
    }
  };

  /** Folds the second row of the toolbar, which covers rows of a small log, unless something in it is in use. */
  const foldTools = () => {
    if (!finding && !sharing) {
      changeTerminalSession({ moreTools: false });
    }
  };

  return (
    <form
      className={styles['bar']}
      aria-label="Send"
      onFocus={foldTools}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {/* Browsers submit a form with several fields on Enter only if it has a submit button. */}
      <button type="submit" hidden aria-label={`Send to port ${selected}`} />
      <SendStrips>
        <RepeatStrips />
        <SendingStrips />
        <FileStrip />
        <PastePlace onOneLine={(text) => sendOnce({ ...message, text })} onLeave={focus} />
        {/* A draft in the read-only field hides the placeholder with this reason. */}
        {blocked === null || message.text === '' || error !== null ? null : (
          <p className={classNames(styles['refusal'], styles['blocked'])}>{blocked}</p>
        )}
        <div className={error === null ? styles['noRefusal'] : styles['refusal']}>
          <div id={errorId} role="alert" className={styles['error']}>
            {error === null ? null : <FieldError>{error}</FieldError>}
          </div>
          {tooLong === null || idle ? null : (
            <Button
              size="sm"
              title="Sends it once, and keeps it neither in the history nor in a panel"
              onClick={() => {
                sendOnce(message);
                focus();
              }}
            >
              {message.mode === 'hex' || isFrame ? 'Send as bytes' : 'Send as text'}
            </Button>
          )}
        </div>
      </SendStrips>
      <div
        className={styles['parts']}
        data-ports={shown.length}
        data-only-ask={(watching && connected.length === 0) || undefined}
      >
        <SendField
          input={input}
          port={selected}
          flag={<TargetFlag selected={selected} isOpen={open} open={connected} />}
          message={message}
          search={search}
          hidden={hidden}
          answer={answer}
          idle={idle}
          readOnly={blocked !== null}
          placeholder={
            wasClosed
              ? closedText
              : isOwn && states[selected] !== 'reconnecting'
                ? 'Connect a port to send'
                : open && blocked === null
                  ? isFrame
                    ? frameHint(decoder)
                    : 'Message'
                  : target
          }
          target={wasClosed ? closedText : target}
          hasFault={error !== null}
          faultId={errorId}
          frame={frame}
          pin={
            <PinButton
              draft={frame === null ? message : { ...message, mode: 'hex', text: frame.pairs }}
              onRefused={refuse}
            />
          }
          onType={search === null ? type : searching.type}
          onKey={pressed}
          onPaste={pasted}
          onBlur={searching.end}
          onShowAnswer={focus}
        />
        {watching ? ask : null}
        {wasClosed ? (
          <Button
            variant="primary"
            className={styles['again']}
            icon={<Plug />}
            onClick={() =>
              void connectSource(selected, { kind: 'same' }, terminalSettingsNow().ports[selected].settings)
            }
          >
            Connect again
          </Button>
        ) : null}
        {idle ? null : (
          <HowToSend
            how={message}
            port={selected}
            canSend={open && blocked === null}
            canHide={canHide}
            hidden={hidden}
            onRepeat={repeat}
            onSearch={() => {
              focus();
              searching.begin();
            }}
            onChange={() => refuse(null)}
          />
        )}
        <FileInput port={selected} />
        {idle ? null : (
          <div className={styles['buttons']}>
            {shown.map((port) => (
              <SendButton key={port} port={port} onSend={() => send(message, port)} />
            ))}
            {connected.length < 2 ? null : (
              <Button className={styles['all']} aria-label="Send to all open ports" onClick={sendToAll}>
                All
              </Button>
            )}
          </div>
        )}
      </div>
    </form>
  );
}

/** The content of the field, and how it is typed: as the history says, or as chosen for its target `port`. */
function useDraft(port: PortNumber): Message {
  const text = useTerminalSession((session) => session.draft);
  const draftAs = useTerminalSession((session) => session.draftAs);
  const inputMode = useTerminalSettings(({ ports }) => {
    const { inputMode: chosen, decoder } = ports[port];
    return chosen === 'frame' && !hasTypedFrames(decoder) ? 'text' : chosen;
  });
  const { lineEnding } = useTypedEnding(port);
  return { text, ...(draftAs ?? { mode: inputMode, lineEnding }) };
}

/** Returns when the port was closed, as a sentence; null for a port that is open or never was. */
function useClosedText(port: PortNumber): string | null {
  const closedAt = useClosedAt(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const hasLines = useBenchStatus(({ status }) => status.lines > 0);
  return closedAt === null
    ? null
    : `${name} was closed at ${clockTime(closedAt).slice(0, 8)}.${hasLines ? ' The log stays.' : ''}`;
}

/** Returns the bytes of several lines of hex as one message, or null if they are more than one message. */
function singleHex(text: string): string | null {
  const hex = hexPreview(text);
  if (hex === null || hex.count === 0 || hex.count * 2 > maxInputLength) {
    return null;
  }
  return hex.pairs.length <= maxInputLength ? hex.pairs : hex.pairs.replaceAll(' ', '');
}

/** Returns a function that puts text where the selection of the field is now. */
function insertedInto(field: HTMLInputElement, type: (text: string) => void): (text: string) => void {
  const { value, selectionStart, selectionEnd } = field;
  const before = value.slice(0, selectionStart ?? value.length);
  const after = value.slice(selectionEnd ?? value.length);
  return (text) => type(before + text + after);
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
