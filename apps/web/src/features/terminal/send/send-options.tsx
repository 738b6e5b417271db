/** Options in the popover of `how-to-send.tsx`: kind, ending, pace, repetition, hiding and history. */
import { longestRepeat, type PortNumber, pieceLimits, type SendPieces, shortestRepeat } from '@wirebench/serial';
import { Eraser, Repeat, Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { changePort, useTerminalSettings } from '../settings/settings-store.ts';
import {
  endingNames,
  firstPieces,
  lineEndings,
  modeNames,
  type SendMode,
  sendModes,
} from '../settings/terminal-settings.ts';
import { changeTerminalSession, sendHistory, useTerminalSession } from '../terminal-session.ts';
import { controlKeys, sendControlKey } from './control-keys.ts';
import styles from './how-to-send.module.css';
import { readRepeatTime } from './repeat-time.ts';
import type { TypedAs } from './send-message.ts';
import { hasTypedFrames } from './typed-frames.ts';

export interface HowToSendProps {
  readonly how: TypedAs;
  /** Port that keeps the chosen kind and ending. */
  readonly port: PortNumber;
  /** False: the port takes nothing now. */
  readonly canSend: boolean;
  /** True: what is typed can be kept out of the log. False: the port's host would show it. */
  readonly canHide: boolean;
  /** True: the field shows dots. A repetition would show its text. */
  readonly hidden: boolean;
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

interface SendOptionsProps extends Omit<HowToSendProps, 'onChange'> {
  /** Keeps a kind or an ending for the port. */
  readonly onChoose: (chosen: Partial<TypedAs>) => void;
  /** Closes the popover. */
  readonly onClose: () => void;
}

export function SendOptions({
  how,
  port,
  canSend,
  canHide,
  hidden,
  onRepeat,
  onSearch,
  onChoose,
  onClose,
}: SendOptionsProps) {
  const { mode, lineEnding } = how;
  const hideInput = useTerminalSession((session) => session.hideInput);
  const canFrame = useTerminalSettings(({ ports }) => hasTypedFrames(ports[port].decoder));
  /** Closes the popover before `action`, which moves the focus. */
  const then = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <>
      <div className={styles['section']}>
        <div className={styles['row']}>
          <span className="silk">Typed as</span>
          <Segmented
            label="Typed as"
            value={mode}
            options={sendModes
              .filter((value) => value !== 'frame' || canFrame || mode === 'frame')
              .map((value) => ({ value, label: modeNames[value] }))}
            onChange={(value) => onChoose({ mode: value })}
          />
        </div>
        {mode === 'hex' || mode === 'frame' ? null : (
          <div className={styles['row']}>
            <span className="silk">Ending</span>
            <Segmented
              label="Line ending"
              value={lineEnding}
              options={lineEndings.map((value) => ({ value, label: endingNames[value] }))}
              onChange={(value) => onChoose({ lineEnding: value })}
            />
          </div>
        )}
        <div className={styles['row']}>
          <span className="silk">Pace</span>
          <PiecesField port={port} />
        </div>
        {hidden ? null : <RepeatField onStart={then(onRepeat)} />}
      </div>
      {canSend ? (
        <div className={styles['section']}>
          <div className={styles['row']}>
            <span className="silk">Keys</span>
            <span className={styles['keys']}>
              {controlKeys.map((key) => (
                <Button
                  key={key.name}
                  size="sm"
                  aria-label={`Send ${key.name}`}
                  onClick={() => sendControlKey(port, key)}
                >
                  {key.name}
                </Button>
              ))}
            </span>
          </div>
        </div>
      ) : null}
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
      {sendHistory.isEmpty ? null : (
        <div className={styles['actions']}>
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
        </div>
      )}
      <p className={styles['foot']}>{footOf[mode]} Pin keeps what is typed as a button of a panel.</p>
    </>
  );
}

/** Pieces in which text goes to a port whose board cannot take it at once. Chosen once, they are kept for the port. */
export function PiecesField({ port }: { readonly port: PortNumber }) {
  const pieces = useTerminalSettings(({ ports }) => ports[port].pieces);
  const change = (changed: Partial<SendPieces>) =>
    changePort(port, { pieces: { ...(pieces ?? firstPieces), ...changed } });
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  return (
    <span className={styles['pieces']}>
      <label title="For boards that lose text when it comes at once. All text that is sent to this port goes so.">
        <input
          type="checkbox"
          checked={pieces !== null}
          onChange={(event) => changePort(port, { pieces: event.currentTarget.checked ? firstPieces : null })}
        />
        In pieces
      </label>
      {pieces === null ? null : (
        <>
          <PieceNumber
            label="Bytes of a piece"
            value={pieces.bytes}
            least={1}
            most={mostBytes}
            onChange={(bytes) => change({ bytes })}
          />
          bytes,
          <PieceNumber
            label="Pause after a piece in milliseconds"
            value={pieces.pause}
            least={leastPause}
            most={mostPause}
            onChange={(pause) => change({ pause })}
          />
          ms <span className={styles['apart']}>apart</span>
        </>
      )}
    </span>
  );
}

interface PieceNumberProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A number that is stored as soon as it is valid. Leaving the field shows the stored one again. */
function PieceNumber({ label, value, least, most, onChange }: PieceNumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && readWhole(typed, least, most) === null;
  return (
    <TextInput
      mono
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? String(value)}
      aria-invalid={isWrong || undefined}
      title={isWrong ? `From ${least} to ${most}` : undefined}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const number = readWhole(text, least, most);
        setTyped(text);
        if (number !== null) {
          onChange(number);
        }
      }}
    />
  );
}

function readWhole(text: string, least: number, most: number): number | null {
  const number = Number(text);
  return /^\s*\d+\s*$/.test(text) && number >= least && number <= most ? number : null;
}

const footOf = {
  text: 'Text goes as UTF-8.',
  escapes: String.raw`Escapes are \n \r \t \0 \\ \xNN \u{…}.`,
  frame: 'A Modbus request in words, an NMEA sentence, or bytes in hex: the checksum is added.',
  hex: String.raw`Hex takes 0D 0A, 0x0D, 0x0A and \x0D, and no ending is sent.`,
} satisfies Record<SendMode, string>;

/** Deletes text that was typed as dots when hiding ends, so that it never appears. */
function setHideInput(hideInput: boolean): void {
  changeTerminalSession(hideInput ? { hideInput } : { hideInput, draft: '', draftAs: null, draftSecret: null });
}
