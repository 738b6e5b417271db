/**
 * Table of the decoded transfers. It has the same content as the boxes below the lanes, for reading, searching and
 * screen readers.
 */
import { type Captured, captureNow, showSpan } from './capture-store.ts';
import styles from './capture-view.module.css';
import type { DecodedLine } from './decoding.ts';
import { timeOf } from './lanes.tsx';
import { zoomed } from './time-axis.ts';

/** Limit on rows: the page would be slow with all of them. */
const maxLines = 300;

export interface DecodedTableProps {
  readonly captured: Captured;
  readonly lines: readonly DecodedLine[];
}

export function DecodedTable({ captured, lines }: DecodedTableProps) {
  if (lines.length === 0) {
    return (
      <p className={styles['empty']}>
        Nothing decoded. Check which pins are decoded, and that a whole transfer was captured.
      </p>
    );
  }
  const find = (at: number) => {
    const { span } = captureNow();
    const length = span.to - span.from;
    showSpan(zoomed({ from: at - length * 0.1, to: at + length * 0.9 }, 1, 0, captured.end));
  };
  return (
    <>
      <table className={styles['table']} aria-label="Decoded transfers">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Bus</th>
            <th scope="col">Bytes</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, maxLines).map(({ at, protocol, text }) => (
            <tr key={`${protocol} ${at} ${text}`}>
              <td>
                <button type="button" className={styles['jump']} onClick={() => find(at)}>
                  {timeOf(captured, at)}
                </button>
              </td>
              <td>{protocol}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > maxLines ? (
        <p className={styles['empty']}>
          The first {maxLines} of {lines.length} are listed. Save as VCD to look at all of them.
        </p>
      ) : null}
    </>
  );
}
