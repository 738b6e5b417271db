/** Earlier flashes of the board in view, as far as this browser remembers them, or the reason why it cannot. */
import { useState } from 'react';
import { exactText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { forgetBoard, readHistory } from '../state/history.ts';
import { useFlash } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import styles from './history.module.css';

/** Number of entries shown. Older ones stay stored. */
const maxShown = 5;

export function History() {
  const board = useFlash((flash) => flash.board);
  const id = board?.id ?? null;
  // Renders again after a flash, which adds an entry.
  const flashed = useReceipts(({ all }) => all.length);
  const [forgotten, setForgotten] = useState<string | null>(null);
  const now = `${id} after ${flashed}`;
  const entries = id === null ? [] : readHistory().filter((entry) => entry.board === id);
  if (board !== null && id === null) {
    return (
      <p className={styles['none']}>No history is kept: this board reports no ID by which it could be recognised.</p>
    );
  }
  if (id === null || entries.length === 0 || forgotten === now) {
    return null;
  }
  return (
    <section className={styles['history']} aria-label="History of this board">
      <div className={`row ${styles['head']}`}>
        <h3>History of this board</h3>
        <Button
          size="sm"
          variant="quiet"
          onClick={() => {
            forgetBoard(id);
            setForgotten(now);
          }}
        >
          Forget this board
        </Button>
      </div>
      <ol className={styles['list']}>
        {entries.slice(0, maxShown).map(({ at, firmware, verified, already }) => (
          <li key={at}>
            <b>{firmware}</b>
            <time dateTime={at}>{exactText(at)}</time>
            {verified ? null : <span>not verified</span>}
            {already === true ? <span>was there already</span> : null}
          </li>
        ))}
      </ol>
      <p className={styles['note']}>Kept in this browser only.</p>
    </section>
  );
}
