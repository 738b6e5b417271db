/**
 * Marks the time in a line of an opened log. The form of the time follows from the marked characters; where they do not tell
 * day and month apart, the person says it. The form is kept for files of this kind.
 */
import {
  guessTime,
  type MarkedRange,
  markedForms,
  markedTimes,
  markRefusals,
  withoutColours,
} from '@wirebench/serial/opened-log';
import { ChevronDown, ChevronUp, Clock } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { OpenedLog } from '../../protocol/log-protocol.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { keepForm } from '../../workbench/opened-log/kept-forms.ts';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';
import { markedTimeText, wayText } from './log-words.ts';
import styles from './mark-time.module.css';

/** Lines below the marked one that are shown as they will be read. */
const MORE_LINES = 10;

/** Button that opens the dialog. */
export function MarkTime({ log }: { readonly log: OpenedLog }) {
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const open = async () => setLines((await getLogs().call('firstLines', log.log)).map(withoutColours).filter(isText));
  return (
    <>
      <Button size="sm" icon={<Clock />} onClick={() => void toastLogError(open())}>
        Mark the time…
      </Button>
      {lines === null ? null : <MarkDialog log={log} lines={lines} onClose={() => setLines(null)} />}
    </>
  );
}

const isText = (line: string) => line.trim() !== '';

interface MarkDialogProps {
  readonly log: OpenedLog;
  /** Lines of the file with text, without colours. */
  readonly lines: readonly string[];
  readonly onClose: () => void;
}

function MarkDialog({ log, lines, onClose }: MarkDialogProps) {
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      lines.findIndex((line) => guessTime(line) !== null),
    ),
  );
  const line = lines[index] ?? '';
  const [range, setRange] = useState<MarkedRange>(() => guessTime(line) ?? nothing);
  const [chosen, setChosen] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(range);
  // Called once the dialog is there, which is loaded when it first opens.
  const attach = useCallback(
    (field: HTMLInputElement | null) => {
      input.current = field;
      field?.setSelectionRange(first.from, first.to, 'forward');
    },
    [first],
  );
  const { ways, refusal } = useMemo(() => markedForms(line, range, lines), [line, range, lines]);
  const pattern = ways.length === 1 ? ways[0]?.pattern : ways.find((way) => way.pattern === chosen)?.pattern;
  const show = (next: number) => {
    const shown = lines[next] ?? '';
    const guess = guessTime(shown) ?? nothing;
    setIndex(next);
    setRange(guess);
    setChosen('');
    // The field has the other line only after this render.
    requestAnimationFrame(() => input.current?.setSelectionRange(guess.from, guess.to, 'forward'));
  };
  const use = (form: string) => {
    keepForm(form);
    onClose();
    void toastLogError(getLogs().call('choose', log.log, { marked: form }));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mark the time"
      initialFocus={input}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={pattern === undefined} onClick={() => use(pattern ?? '')}>
            Use
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        <div className={styles['line']}>
          <Field
            label={`Line ${index + 1} of the first ${lines.length}`}
            error={refusal === null || refusal === 'empty' ? null : markRefusals[refusal]}
            hint="Select the time and its date, with the mouse or with Shift and the arrow keys."
          >
            {(ids) => (
              <TextInput
                {...ids}
                ref={attach}
                mono
                readOnly
                value={line}
                onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
                  const next = { from: selectionStart ?? 0, to: selectionEnd ?? 0 };
                  if (next.to > next.from && (next.from !== range.from || next.to !== range.to)) {
                    setRange(next);
                    setChosen('');
                  }
                }}
              />
            )}
          </Field>
          <IconButton label="Line above" icon={<ChevronUp />} disabled={index === 0} onClick={() => show(index - 1)} />
          <IconButton
            label="Line below"
            icon={<ChevronDown />}
            disabled={index >= lines.length - 1}
            onClick={() => show(index + 1)}
          />
        </div>
        <p className={styles['marked']}>
          Marked: {range.to > range.from ? <mark>{line.slice(range.from, range.to)}</mark> : 'nothing'}
        </p>
        {ways.length > 1 ? (
          <div className={styles['ways']}>
            <p>Its digits mean several dates. Which one is it?</p>
            <Segmented
              label="Date of the marked line"
              value={chosen}
              onChange={setChosen}
              options={ways.map((way) => ({
                value: way.pattern,
                label: wayText(way.pattern, markedTimes(way.pattern, [line], log.day)[0] ?? Number.NaN),
              }))}
            />
          </div>
        ) : null}
        {pattern === undefined ? null : <Readings pattern={pattern} lines={lines} from={index} day={log.day} />}
      </div>
    </Dialog>
  );
}

const nothing: MarkedRange = { from: 0, to: 0 };

interface ReadingsProps {
  readonly pattern: string;
  readonly lines: readonly string[];
  /** Index of the marked line. */
  readonly from: number;
  readonly day: number;
}

/** The marked line and the ones below it as they will be read, and how many lines have the form. */
function Readings({ pattern, lines, from, day }: ReadingsProps) {
  const times = markedTimes(pattern, lines, day);
  const count = times.filter((time) => time !== null).length;
  const shown = lines.slice(from, from + MORE_LINES + 1);
  return (
    <>
      {/* A region that scrolls has to be reached by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={styles['scroll']} aria-label="Lines as they will be read" tabIndex={0}>
        <table className={styles['readings']}>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line, index) => {
              const time = times[from + index] ?? null;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: equal lines have no other key
                <tr key={index} data-read={time !== null}>
                  <td>{time === null ? 'no time' : markedTimeText(pattern, time)}</td>
                  <td>{line}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <p className={styles['note']}>
        Read in {count} of {lines.length} lines
        {count < lines.length ? '. The others show the time of the line above, with ↑' : ''}. The form is kept in this
        browser for files of this kind.
      </p>
    </>
  );
}
