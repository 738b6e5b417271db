/** Text that is edited in place, with numbered lines. Lines that differ from the board are marked. */
import { useMemo, useState } from 'react';
import { classNames } from '../../../../../../shared/ui/class-names.ts';
import { changedLines } from './file-contents.ts';
import styles from './files-view.module.css';

interface TextEditorProps {
  readonly label: string;
  /** Text at the start. */
  readonly text: string;
  /** Text on the board; null marks no lines. */
  readonly before: string | null;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
}

export function TextEditor({ label, text: start, before, readOnly, onChange }: TextEditorProps) {
  const [text, setText] = useState(start);
  const lines = useMemo(() => text.split('\n'), [text]);
  const changed = useMemo(
    () => (before === null || before === text ? new Set<number>() : changedLines(before, text)),
    [before, text],
  );
  const longest = useMemo(() => lines.reduce((length, line) => Math.max(length, columnsOf(line)), 0), [lines]);
  return (
    <div className={styles['editor']}>
      <div className={styles['lines']}>
        <div className={styles['numbers']} aria-hidden="true">
          {lines.map((_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <span key={line} className={classNames(changed.has(line) && styles['changed'])}>
              {line + 1}
            </span>
          ))}
        </div>
        <textarea
          className={`ring-inside ${styles['text']}`}
          aria-label={label}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          readOnly={readOnly}
          rows={lines.length}
          cols={longest + 2}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            onChange(value);
          }}
        />
      </div>
    </div>
  );
}

/** Width of a tab in columns, as browsers show it. */
const tabWidth = 8;

/** Returns the columns that a line takes at most: letters outside of Latin, Greek and Cyrillic may take two. */
function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    columns += character === '\t' ? tabWidth : character > '\u0fff' ? 2 : 1;
  }
  return columns;
}
