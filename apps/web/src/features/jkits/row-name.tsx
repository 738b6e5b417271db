import type { Jkit } from '@wirebench/contract';
import type { RefObject } from 'react';
import styles from './jkit-row.module.css';

export interface RowNameProps {
  readonly row: RefObject<HTMLButtonElement | null>;
  readonly jkit: Pick<Jkit, '_id' | 'name'>;
  readonly chosen: boolean;
  readonly onChoose: (id: string | null) => void;
  /** Called for Enter on a chosen row. */
  readonly onLoad: () => void;
}

/** Name of a JKit as a button that opens and closes its row. Enter on an open row loads the JKit. */
export function RowName({ row, jkit, chosen, onChoose, onLoad }: RowNameProps) {
  return (
    <button
      ref={row}
      type="button"
      data-row=""
      className={`ellipsis ${styles['name']}`}
      aria-expanded={chosen}
      onClick={() => onChoose(chosen ? null : jkit._id)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && chosen) {
          event.preventDefault();
          onLoad();
        }
      }}
    >
      {jkit.name}
    </button>
  );
}
