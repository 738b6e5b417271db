/** Differences between local files and the board, and *Send* for them. */
import { useEffect, useRef } from 'react';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import styles from './board-files-panel.module.css';
import type { BoardPartProps } from './board-part.ts';
import { closeComparison, uploadToBoard } from './board-store.ts';

export function BoardComparison({ port, view: { comparison }, isBusy }: BoardPartProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The tree may have been scrolled away from it.
    if (comparison !== null) {
      section.current?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [comparison]);
  if (comparison === null) {
    return null;
  }
  const { fresh, changed, equal, onlyOnBoard } = comparison;
  const different = [...fresh, ...changed];
  const list = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? null : (
      <p>
        <b>{title}:</b> {paths.join(', ')}
      </p>
    );
  return (
    <section ref={section} className={styles['comparison']} aria-label="Comparison with the board">
      {list(
        'New',
        fresh.map(({ path }) => path),
      )}
      {list(
        'Changed',
        changed.map(({ path }) => path),
      )}
      {list('Only on the board', onlyOnBoard)}
      <p>{counted(equal, 'file')} equal by hash. Nothing has been written.</p>
      <span className="buttons">
        {different.length === 0 ? null : (
          <Button size="sm" variant="primary" disabled={isBusy} onClick={() => void uploadToBoard(port, different)}>
            Send {counted(different.length, 'file')}
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => closeComparison(port)}>
          Close
        </Button>
      </span>
    </section>
  );
}
