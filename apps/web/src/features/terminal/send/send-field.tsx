/**
 * The message field: flag of the target, text or history search, and what can be said about the text: its length or
 * its bytes, and Pin.
 */
import { maxInputLength, type PortNumber } from '@wirebench/serial';
import { EyeOff, Search } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { type HiddenAnswer, HiddenAnswerWords, ShowAnswer } from './hidden-answer.tsx';
import styles from './send-bar.module.css';
import { type BytesPreview, hexPreview, type Message } from './send-message.ts';
import type { HistorySearch } from './use-history-search.ts';

export interface SendFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  /** Port that Enter sends to. */
  readonly port: PortNumber;
  readonly flag: ReactNode;
  readonly message: Message;
  readonly search: HistorySearch | null;
  /** True: the text is shown as dots. */
  readonly hidden: boolean;
  /** Answer that is hidden for one Enter; null for none. */
  readonly answer: HiddenAnswer | null;
  /** True: no port is open. */
  readonly idle: boolean;
  readonly readOnly: boolean;
  readonly placeholder: string;
  /** Sentence about what Enter does. */
  readonly target: string;
  readonly hasFault: boolean;
  /** Id of the element with the fault. */
  readonly faultId: string;
  /** Bytes of a text that is typed as a frame; null: it is no frame, or no frame is typed. */
  readonly frame: BytesPreview | null;
  readonly pin: ReactNode;
  readonly onType: (text: string) => void;
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
  readonly onBlur: () => void;
  /** Called after *Show* was pressed. */
  readonly onShowAnswer: () => void;
}

export function SendField(props: SendFieldProps) {
  const { input, flag, message, search, hidden, answer, idle, readOnly, placeholder, target, hasFault, faultId } =
    props;
  const targetId = `${faultId}-target`;
  const foundId = `${faultId}-found`;
  const isTyped = search === null && message.text !== '';
  return (
    // The field is named by its own label. The flag and Pin inside are buttons of their own.
    <label
      htmlFor="skip-target"
      data-port={props.port}
      className={classNames(styles['field'], idle && styles['idle'], hasFault && styles['wrong'])}
    >
      {search === null ? flag : <Search className={styles['searching']} aria-hidden />}
      <span id={targetId} hidden>
        {target}
      </span>
      <input
        ref={input}
        id="skip-target"
        aria-label={search === null ? 'Message' : 'Search the history'}
        className={hidden ? styles['dots'] : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint={search === null ? 'send' : 'done'}
        placeholder={search === null ? placeholder : 'Part of a sent message'}
        readOnly={readOnly}
        value={search === null ? message.text : search.query}
        aria-invalid={hasFault || undefined}
        aria-describedby={search === null ? (hasFault ? faultId : targetId) : foundId}
        onChange={(event) => props.onType(event.currentTarget.value)}
        onKeyDown={props.onKey}
        onPaste={props.onPaste}
        onBlur={props.onBlur}
        // A browser refuses to copy from a password field. These dots are text to it.
        onCopy={hidden ? (event) => event.preventDefault() : undefined}
        onCut={hidden ? (event) => event.preventDefault() : undefined}
      />
      {search === null ? null : (
        <output id={foundId} className={styles['found']} aria-live="polite">
          {search.found === null ? (
            'No match'
          ) : (
            <>
              <code className="ellipsis">{search.found.text}</code>
              <span className={styles['count']}>
                {search.place} / {search.count}
              </span>
            </>
          )}
        </output>
      )}
      {answer !== null ? (
        <>
          <HiddenAnswerWords answer={answer} />
          <ShowAnswer port={props.port} answer={answer} onDone={props.onShowAnswer} />
        </>
      ) : hidden ? (
        <span className={styles['hiding']} title="Input is hidden">
          <EyeOff role="img" aria-label="Input is hidden" />
        </span>
      ) : null}
      {isTyped ? <TextFacts message={message} frame={props.frame} hidden={hidden} /> : null}
      {isTyped && !hidden ? props.pin : null}
    </label>
  );
}

/** Characters from which the length is shown. */
const countFrom = 200;

interface TextFactsProps extends Pick<SendFieldProps, 'message' | 'frame' | 'hidden'> {}

/** Length of a long text, or the bytes of hex input and of a frame. Bytes of hidden input are only counted. */
function TextFacts({ message, frame, hidden }: TextFactsProps) {
  const { text, mode } = message;
  const isPasted = useTerminalSession((session) => session.draftPasted);
  const hex = mode === 'hex' ? hexPreview(text) : frame;
  if ((mode === 'hex' || mode === 'frame') && hex === null) {
    return <span className={styles['count']}>{mode === 'hex' ? 'Not hex' : 'No frame yet'}</span>;
  }
  if (hex === null || (text.length > maxInputLength && !isPasted)) {
    const length =
      isPasted && text.length > maxInputLength ? `${text.length} characters` : `${text.length} / ${maxInputLength}`;
    return text.length < countFrom ? null : <span className={styles['count']}>{length}</span>;
  }
  return (
    <output className={styles['preview']} aria-label="Bytes to be sent">
      {hidden || hex.count === 0 ? null : <code className="ellipsis">{hex.pairs.slice(0, 3 * maxInputLength)}</code>}
      <span className={styles['count']}>
        {hidden || hex.count === 0 ? null : '· '}
        {byteCount(hex.count)}
      </span>
    </output>
  );
}

const byteCount = (count: number) => (count === 1 ? '1 byte' : `${count} bytes`);
