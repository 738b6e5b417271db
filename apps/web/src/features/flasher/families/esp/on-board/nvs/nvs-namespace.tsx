/** A namespace with its keys, which folds. */
import { isChanged, knownNamespace, type NvsGroup, type NvsRow, type NvsValue } from '@wirebench/flasher/esp/nvs';
import { ChevronDown, ChevronRight, Undo2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { counted } from '../../../../../../shared/format/numbers.ts';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import styles from './nvs.module.css';
import { NvsRowItem } from './nvs-row.tsx';

/** Keys of a library's namespace that are shown before *more* is pressed. */
const FIRST_KNOWN = 3;
/** Keys of other namespaces that are shown before *more* is pressed. */
const FIRST_OWN = 100;

export interface NvsNamespaceProps {
  readonly group: NvsGroup;
  /** Rows that the search finds; null without a search. */
  readonly found: readonly NvsRow[] | null;
  readonly locked: boolean;
  readonly isRevealed: (row: NvsRow) => boolean;
  readonly onReveal: (row: NvsRow) => void;
  readonly onEdit: (row: NvsRow, value: NvsValue | null) => string | null;
  readonly onUndo: (row: NvsRow) => string | null;
  readonly onRemove: () => string | null;
  readonly onKeep: () => string | null;
}

export function NvsNamespace(props: NvsNamespaceProps) {
  const { group, found, locked, isRevealed, onReveal, onEdit, onUndo, onRemove, onKeep } = props;
  const { namespace, rows, removed } = group;
  const known = knownNamespace(namespace);
  const [unfolded, setUnfolded] = useState(!(known?.leaveAlone ?? false));
  const [all, setAll] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const list = useId();
  const changed = rows.filter(isChanged).length;
  const isOpen = unfolded || found !== null;
  const first = known === null ? FIRST_OWN : FIRST_KNOWN;
  const shown = found ?? (all ? rows : rows.filter((row, index) => index < first || isChanged(row)));
  const rest = (found ?? rows).length - shown.length;
  return (
    <section aria-label={`Namespace ${namespace}`}>
      <div className={styles['namespace']}>
        <h4>
          <button
            type="button"
            className="ring-inside"
            aria-expanded={isOpen}
            aria-controls={isOpen ? list : undefined}
            disabled={found !== null}
            onClick={() => setUnfolded(!unfolded)}
          >
            {isOpen ? <ChevronDown /> : <ChevronRight />}
            <span className={styles['name']}>{namespace}</span>
            <span className="small ellipsis">
              {[
                counted(rows.length, 'key'),
                known?.words,
                removed ? 'will be deleted' : changed === 0 ? undefined : `${changed} changed`,
              ]
                .filter((part) => part !== undefined)
                .join(', ')}
            </span>
          </button>
        </h4>
        {locked ? null : removed ? (
          <IconButton
            label={`Keep the namespace ${namespace}`}
            size="sm"
            variant="quiet"
            icon={<Undo2 />}
            onClick={() => setFault(onKeep())}
          />
        ) : (
          <IconButton
            label={`Delete the namespace ${namespace}`}
            className={styles['onRow']}
            size="sm"
            variant="quiet"
            icon={<X />}
            onClick={() => setFault(onRemove())}
          />
        )}
      </div>
      <span role="alert" className={styles['fault']}>
        {fault}
      </span>
      {isOpen ? (
        <ul id={list} className={styles['rows']}>
          {shown.map((row) => (
            <NvsRowItem
              key={row.key}
              row={row}
              locked={locked}
              revealed={isRevealed(row)}
              onReveal={() => onReveal(row)}
              onEdit={(value) => onEdit(row, value)}
              onUndo={() => onUndo(row)}
            />
          ))}
        </ul>
      ) : null}
      {isOpen && rest > 0 ? (
        <button type="button" className={`row ring-inside ${styles['more']}`} onClick={() => setAll(true)}>
          <ChevronRight />
          {rest} more
        </button>
      ) : null}
    </section>
  );
}
