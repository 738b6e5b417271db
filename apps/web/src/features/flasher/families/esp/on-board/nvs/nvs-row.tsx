/** One key: its value is edited in place, and becomes part of the plan while it is typed. */
import {
  bitsText,
  formOf,
  hiddenText,
  isChanged,
  meaningOf,
  type NvsRow,
  type NvsValue,
  shortText,
} from '@wirebench/flasher/esp/nvs';
import { Eye, EyeOff, Undo2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { classNames } from '../../../../../../shared/ui/class-names.ts';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import { useNextRowFocus } from '../../../../../../shared/ui/use-next-row-focus.ts';
import styles from './nvs.module.css';
import { ValueEditor } from './value-editor.tsx';

/** Longest value in a row, in characters. The layout cuts it earlier. */
const MAX_VALUE_LENGTH = 200;
/** Longest earlier value beside a changed one, in characters. */
const MAX_WAS_LENGTH = 24;

export interface NvsRowItemProps {
  readonly row: NvsRow;
  readonly locked: boolean;
  /** True: a secret value is shown. */
  readonly revealed: boolean;
  readonly onReveal: () => void;
  /**
   * Puts a value into the plan. Null deletes the key.
   *
   * @returns The reason why it cannot be written; null if it is in the plan.
   */
  readonly onEdit: (value: NvsValue | null) => string | null;
  /** Takes the change of this key out of the plan. @returns The reason why it stays. */
  readonly onUndo: () => string | null;
}

export function NvsRowItem({ row, locked, revealed, onReveal, onEdit, onUndo }: NvsRowItemProps) {
  const { namespace, key, before, after, secret } = row;
  const [editing, setEditing] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const action = useRef<HTMLButtonElement>(null);
  const value = useRef<HTMLButtonElement>(null);
  useNextRowFocus(action);
  const changed = isChanged(row);
  const shown = after ?? before?.value ?? null;
  const hidden = secret && !revealed;
  const text = shown === null ? '' : hidden ? hiddenText : shortText(namespace, key, shown, MAX_VALUE_LENGTH);
  const close = (how: 'key' | 'outside') => {
    setEditing(false);
    if (how === 'key') {
      requestAnimationFrame(() => value.current?.focus());
    }
  };
  return (
    <li className={classNames(styles['row'], after === null && styles['deleted'])}>
      <span className={styles['key']}>{key}</span>
      <span className={styles['type']}>{shown?.type}</span>
      <span className={styles['cell']}>
        {editing && after !== null ? (
          <ValueEditor
            key={`${hidden}`}
            label={`Value of ${key}`}
            value={after}
            form={formOf(namespace, key, after)}
            hidden={hidden}
            locked={locked}
            onValue={onEdit}
            onInvalid={() => {
              if (before === null) {
                return 'The plan keeps the value before it.';
              }
              onUndo();
              return null;
            }}
            onClose={close}
          />
        ) : after === null || locked ? (
          <span className={classNames(styles['value'], hidden && styles['dots'])}>
            <span className="ellipsis">{text}</span>
          </span>
        ) : (
          <button
            ref={value}
            type="button"
            className={classNames(styles['value'], hidden && styles['dots'], changed && styles['boxed'])}
            aria-label={`${key}: ${hidden ? 'hidden' : text === '' ? 'empty' : text}. Change`}
            onClick={() => {
              setFault(null);
              setEditing(true);
            }}
          >
            <span className="ellipsis">{text}</span>
          </button>
        )}
        {secret ? (
          <IconButton
            label={`${hidden ? 'Show' : 'Hide'} ${key}`}
            size="sm"
            variant="quiet"
            icon={hidden ? <Eye /> : <EyeOff />}
            onClick={onReveal}
          />
        ) : null}
      </span>
      <span className={classNames(styles['note'], changed && styles['diff'])}>{noteOf(row, hidden)}</span>
      <span className={styles['action']}>
        {locked ? null : changed ? (
          <IconButton
            ref={action}
            data-row
            label={`Undo the change of ${key}`}
            size="sm"
            variant="quiet"
            icon={<Undo2 />}
            onClick={() => {
              setEditing(false);
              setFault(onUndo());
            }}
          />
        ) : (
          <IconButton
            ref={action}
            data-row
            label={`Delete ${key}`}
            className={styles['onRow']}
            size="sm"
            variant="quiet"
            icon={<X />}
            onClick={() => {
              setEditing(false);
              setFault(onEdit(null));
            }}
          />
        )}
      </span>
      <span role="alert" className={styles['fault']}>
        {fault}
      </span>
    </li>
  );
}

/** Returns the words beside a value: what it was, what it means, or its size. */
function noteOf({ namespace, key, before, after }: NvsRow, hidden: boolean): string | null {
  if (after === null) {
    return 'will be deleted';
  }
  if (before === null) {
    return 'added';
  }
  if (isChanged({ before, after })) {
    if (hidden) {
      return 'changed';
    }
    const was = shortText(namespace, key, before.value, MAX_WAS_LENGTH);
    return `was ${was === '' ? 'empty' : was}`;
  }
  if ('value' in after) {
    return meaningOf(namespace, key, after) ?? (hidden ? null : bitsText(after));
  }
  if (after.type === 'str') {
    return null;
  }
  const size = `${after.bytes.length} B`;
  return hidden || formOf(namespace, key, after) === 'hex' ? size : `${size}, shown as text`;
}
