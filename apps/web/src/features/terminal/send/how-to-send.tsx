/** The button that says how the typed text is sent, and its popover: kind, ending, pace, repetition, hiding and files. */
import { type LineEnding, longestRepeat, type PortNumber, shortestRepeat } from '@wirebench/serial';
import { ChevronDown, Eraser, FileDown, FileUp, Repeat, Search, SlidersHorizontal } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { changeTyping } from '../settings/settings-store.ts';
import { lineEndings, type SendMode, sendModes } from '../settings/terminal-settings.ts';
import { changeTerminalSession, sendHistory, useTerminalSession } from '../terminal-session.ts';
import styles from './how-to-send.module.css';
import { PiecesField } from './pieces-field.tsx';
import { readRepeatTime } from './repeat-time.ts';
import type { TypedAs } from './send-message.ts';
import { chooseTyping } from './typed-ending.ts';

const modeNames = { text: 'Text', escapes: 'Escapes', hex: 'Hex' } satisfies Record<SendMode, string>;
const endingNames = { none: 'None', lf: 'LF', cr: 'CR', crlf: 'CRLF' } satisfies Record<LineEnding, string>;

export interface HowToSendProps {
  readonly how: TypedAs;
  /** Port that keeps the chosen kind and ending. */
  readonly port: PortNumber;
  /** True: what is typed can be kept out of the log. False: the port's host would show it. */
  readonly canHide: boolean;
  /** Opens the browser's file dialog. Null: the selected port takes no file now. */
  readonly onFile: (() => void) | null;
  /** Offers to receive a file by a protocol. Null: the selected port cannot receive one now. */
  readonly onReceive: (() => void) | null;
  readonly onRepeat: () => void;
  readonly onSearch: () => void;
  /** Called after the kind or the ending was chosen. */
  readonly onChange: () => void;
}

interface RepeatFieldProps {
  /** Repeats the content of the send field. */
  readonly onStart: () => void;
}

/** Interval of a repetition, and the button that starts one with the content of the send field. */
function RepeatField({ onStart }: RepeatFieldProps) {
  const id = useId();
  const value = useTerminalSession((session) => session.repeatTime);
  const wrong = readRepeatTime(value) === null;
  return (
    <div className={styles['row']}>
      <span className="silk">Repeat</span>
      <span className={styles['repeat']}>
        <label htmlFor={id}>every</label>
        <TextInput
          id={id}
          mono
          aria-label="Repeat interval in milliseconds"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          aria-invalid={wrong || undefined}
          title={wrong ? `From ${shortestRepeat} to ${longestRepeat}` : undefined}
          onChange={(event) => changeTerminalSession({ repeatTime: event.currentTarget.value })}
        />
        ms
        <Button size="sm" icon={<Repeat />} aria-label="Start repeating" onClick={onStart}>
          Start
        </Button>
      </span>
    </div>
  );
}

export function HowToSend({ how, port, canHide, onFile, onReceive, onRepeat, onSearch, onChange }: HowToSendProps) {
  const { mode, lineEnding } = how;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const hideInput = useTerminalSession((session) => session.hideInput);
  const choose = (chosen: Partial<TypedAs>) => {
    // A change of the kind chooses no ending, which may follow the board.
    if (chosen.lineEnding === undefined) {
      changeTyping(port, { inputMode: chosen.mode ?? mode });
    } else {
      chooseTyping(port, { ...how, ...chosen });
    }
    changeTerminalSession({ draftAs: null });
    onChange();
  };
  /** Closes the popover before `action`, which moves the focus. */
  const then = (action: () => void) => () => {
    setOpen(false);
    action();
  };
  return (
    <>
      <Button
        ref={anchor}
        className={styles['kind']}
        aria-label={`Send options: ${modeNames[mode]}${mode === 'hex' ? '' : ` · ${endingNames[lineEnding]}`}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles['words']}>
          {modeNames[mode]}
          {mode === 'hex' ? null : <span className={styles['ending']}> · {endingNames[lineEnding]}</span>}
        </span>
        <ChevronDown className={styles['chevron']} />
        <SlidersHorizontal className={styles['sliders']} />
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="top" title="How to send">
        <div className={styles['section']}>
          <div className={styles['row']}>
            <span className="silk">Typed as</span>
            <Segmented
              label="Typed as"
              value={mode}
              options={sendModes.map((value) => ({ value, label: modeNames[value] }))}
              onChange={(value) => choose({ mode: value })}
            />
          </div>
          {mode === 'hex' ? null : (
            <div className={styles['row']}>
              <span className="silk">Ending</span>
              <Segmented
                label="Line ending"
                value={lineEnding}
                options={lineEndings.map((value) => ({ value, label: endingNames[value] }))}
                onChange={(value) => choose({ lineEnding: value })}
              />
            </div>
          )}
          <div className={styles['row']}>
            <span className="silk">Pace</span>
            <PiecesField port={port} />
          </div>
          {hideInput ? null : <RepeatField onStart={then(onRepeat)} />}
        </div>
        {canHide || hideInput ? (
          <div className={styles['section']}>
            <label className={styles['hide']}>
              <input
                type="checkbox"
                checked={hideInput}
                onChange={(event) => setHideInput(event.currentTarget.checked)}
              />
              Hide input
              <span>dots here, no text in the log, no history</span>
            </label>
          </div>
        ) : (
          <p className={styles['foot']}>
            Hide input needs a newer Wirebench at the host: this one would show what you type.
          </p>
        )}
        {onFile === null && onReceive === null && sendHistory.isEmpty ? null : (
          <div className={styles['actions']}>
            {onFile === null ? null : (
              <Button size="sm" icon={<FileUp />} onClick={then(onFile)}>
                Send a file…
              </Button>
            )}
            {onReceive === null ? null : (
              <Button size="sm" icon={<FileDown />} onClick={then(onReceive)}>
                Receive a file…
              </Button>
            )}
            {sendHistory.isEmpty ? null : (
              <>
                <Button size="sm" icon={<Search />} aria-keyshortcuts="Control+R" onClick={then(onSearch)}>
                  Search history
                </Button>
                <Button
                  size="sm"
                  icon={<Eraser />}
                  onClick={then(() => {
                    sendHistory.forget();
                    toast('History forgotten');
                  })}
                >
                  Forget history
                </Button>
              </>
            )}
          </div>
        )}
        <p className={styles['foot']}>{footOf[mode]} Pin keeps what is typed as a button of a panel.</p>
      </Popover>
    </>
  );
}

const footOf = {
  text: 'Text goes as UTF-8.',
  escapes: String.raw`Escapes are \n \r \t \0 \\ \xNN \u{…}.`,
  hex: String.raw`Hex takes 0D 0A, 0x0D, 0x0A and \x0D, and no ending is sent.`,
} satisfies Record<SendMode, string>;

/** Deletes text that was typed as dots when hiding ends, so that it never appears. */
function setHideInput(hideInput: boolean): void {
  changeTerminalSession(hideInput ? { hideInput } : { hideInput, draft: '', draftAs: null });
}
