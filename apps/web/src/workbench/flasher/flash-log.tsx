/** The log of a flash: what was done, and what the board said meanwhile. */
import { Copy, Download } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from './card.tsx';
import styles from './flash-log.module.css';
import type { FlashLine } from './flash-protocol.ts';

export interface FlashLogProps {
  readonly title?: string;
  readonly lines: readonly FlashLine[];
  /** Of the file that it is saved as, without an ending. */
  readonly fileName: string;
}

export function FlashLog({ title = 'Log', lines, fileName }: FlashLogProps) {
  const list = useRef<HTMLDivElement>(null);
  useFollow(list, lines);
  const copy = () => copyText(logFileText(lines), 'Log copied');
  const save = () => saveFile(new Blob([logFileText(lines)], { type: 'text/plain' }), `${fileName}.txt`);
  return (
    <Card
      title={title}
      flush
      actions={
        <>
          <Button variant="quiet" size="sm" icon={<Copy />} disabled={lines.length === 0} onClick={() => void copy()}>
            Copy
          </Button>
          <Button variant="quiet" size="sm" icon={<Download />} disabled={lines.length === 0} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div
        ref={list}
        className={`ring-inside ${styles['log']}`}
        role="log"
        aria-live="off"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
      >
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
          <LogLine key={index} line={line} />
        ))}
      </div>
    </Card>
  );
}

/** A line never changes: of a long log, a new one costs no more than of a short one. */
const LogLine = memo(({ line: { level, at, text } }: { readonly line: FlashLine }) => (
  <div className={styles[level]}>
    <time>{timeText(at)}</time>
    <span>{text}</span>
  </div>
));
LogLine.displayName = 'LogLine';

/** Stays at the end, unless somebody has scrolled up to read. */
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

/** Time of day in the person's own time zone: `14:31:02.640`. @param at milliseconds since the Unix epoch */
function timeText(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => digits(value, 2)).join(':');
  return `${time}.${digits(date.getMilliseconds(), 3)}`;
}

/** As it is copied and saved; what the board itself said has a bar in front. */
function logFileText(lines: readonly FlashLine[]): string {
  return lines.map(({ at, level, text }) => `${timeText(at)} ${level === 'board' ? '| ' : ''}${text}\n`).join('');
}
