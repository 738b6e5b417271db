/** Shows the log of a flash: the flasher's own lines, and the output of the board. */
import { Copy, Download } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import type { FlashLine } from '../../protocol/flash-protocol.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './flash-log.module.css';
import { Fold } from './fold.tsx';

export interface FlashLogProps {
  readonly lines: readonly FlashLine[];
  /** Name of the saved file, without its extension. */
  readonly fileName: string;
}

export function FlashLog({ lines, fileName }: FlashLogProps) {
  const [open, setOpen] = useState(false);
  const last = lines.at(-1);
  const copy = () => copyText(logFileText(lines), 'Log copied');
  const save = () => saveFile(new Blob([logFileText(lines)], { type: 'text/plain' }), `${fileName}.txt`);
  return (
    <Fold
      title="Log"
      open={open}
      onToggle={setOpen}
      summary={
        open || last === undefined ? null : (
          <span className={classNames(styles['last'], styles[last.level])}>
            <time>{timeText(last.at)}</time>
            {last.text}
          </span>
        )
      }
      actions={
        open ? (
          <>
            <Button variant="quiet" size="sm" icon={<Copy />} onClick={() => void copy()}>
              Copy
            </Button>
            <Button variant="quiet" size="sm" icon={<Download />} onClick={save}>
              Save
            </Button>
          </>
        ) : null
      }
    >
      <Lines lines={lines} />
    </Fold>
  );
}

function Lines({ lines }: Pick<FlashLogProps, 'lines'>) {
  const list = useRef<HTMLDivElement>(null);
  useFollow(list, lines);
  return (
    <div
      ref={list}
      className={`ring-inside ${styles['log']}`}
      role="log"
      aria-live="off"
      aria-label="Log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
      tabIndex={0}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
        <LogLine key={index} line={line} />
      ))}
    </div>
  );
}

/** Memoised: a line never changes, so a new line does not render the older ones again. */
const LogLine = memo(({ line: { level, at, text } }: { readonly line: FlashLine }) => (
  <div className={styles[level]}>
    <time>{timeText(at)}</time>
    <span>{text}</span>
  </div>
));
LogLine.displayName = 'LogLine';

/** Keeps the list scrolled to its end, unless the user has scrolled up to read. */
function useFollow(list: React.RefObject<HTMLElement | null>, lines: readonly FlashLine[]): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = list.current;
    const scrolled = () => {
      if (element !== null) {
        atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
      }
    };
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, [list]);
  useEffect(() => {
    if (lines.length > 0 && atEnd.current && list.current !== null) {
      list.current.scrollTop = list.current.scrollHeight;
    }
  }, [lines, list]);
}

/**
 * Formats the time of day in the user's time zone: `14:31:02.640`.
 * @param at Milliseconds since the Unix epoch.
 */
function timeText(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => digits(value, 2)).join(':');
  return `${time}.${digits(date.getMilliseconds(), 3)}`;
}

/** Formats the log as text to copy or save. Lines that the board printed begin with a bar. */
function logFileText(lines: readonly FlashLine[]): string {
  return lines.map(({ at, level, text }) => `${timeText(at)} ${level === 'board' ? '| ' : ''}${text}\n`).join('');
}
