/**
 * Bytes of a frame in a grid, for selecting with the mouse, by touch, and with the keyboard: arrow keys move, with Shift
 * they select.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { classNames } from '../../../../shared/ui/class-names.ts';
import styles from './byte-grid.module.css';
import type { ByteRange } from './decoder-draft.ts';

/** A named stretch of bytes. */
interface GridField extends ByteRange {
  readonly name: string;
}

export interface ByteGridProps {
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly fields: readonly GridField[];
  readonly selected: ByteRange | null;
  /** Called with the grid, to focus it. */
  readonly onMount?: (grid: HTMLElement) => void;
  /** Called with each change while a person drags or holds Shift. Null: Escape. */
  readonly onSelect: (selected: ByteRange | null) => void;
}

/** Bytes that are drawn. */
const MAX_SHOWN = 1_024;

const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0');

export function ByteGrid({ label, bytes, fields, selected, onSelect, onMount }: ByteGridProps) {
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const dragFrom = useRef<number | null>(null);
  const mounted = useEffectEvent((element: HTMLElement) => onMount?.(element));
  useEffect(() => {
    if (grid.current !== null) {
      mounted(grid.current);
    }
  }, []);
  /** Byte where the selection began, and the one that moves. */
  const [places, setPlaces] = useState({ anchor: 0, cursor: 0 });
  const shown = bytes.subarray(0, MAX_SHOWN);
  const last = Math.max(0, shown.length - 1);
  // A selection from elsewhere has its own ends.
  const isOwn =
    selected === null ||
    (Math.min(places.anchor, places.cursor) === selected.from &&
      Math.max(places.anchor, places.cursor) === selected.to - 1);
  const anchor = Math.min(isOwn ? places.anchor : selected.from, last);
  const cursor = Math.min(isOwn ? places.cursor : selected.to - 1, last);
  const select = (from: number, to: number) => {
    setPlaces({ anchor: from, cursor: to });
    onSelect({ from: Math.min(from, to), to: Math.max(from, to) + 1 });
  };
  const byteAt = ({ clientX, clientY }: PointerEvent): number | null => {
    const found = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-byte]');
    return found == null || !grid.current?.contains(found) ? null : Number(found.dataset['byte']);
  };
  const press = (event: PointerEvent<HTMLDivElement>) => {
    const byte = (event.target as Element).closest<HTMLElement>('[data-byte]')?.dataset['byte'];
    if (byte !== undefined && event.button === 0) {
      dragFrom.current = event.shiftKey ? anchor : Number(byte);
      select(dragFrom.current, Number(byte));
    }
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const byte = dragFrom.current === null ? null : byteAt(event);
    if (byte !== null && dragFrom.current !== null && byte !== cursor) {
      select(dragFrom.current, byte);
    }
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape' && selected !== null) {
      event.stopPropagation();
      onSelect(null);
      return;
    }
    const to = target(event, cursor, last, columnsOf(grid.current));
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    select(event.shiftKey ? anchor : to, to);
    grid.current?.children[to]?.scrollIntoView?.({ block: 'nearest' });
  };
  return (
    <div className={styles['frame']}>
      <div
        ref={grid}
        className={styles['grid']}
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        aria-activedescendant={shown.length === 0 ? undefined : `${id}-${cursor}`}
        tabIndex={0}
        onKeyDown={move}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={() => {
          dragFrom.current = null;
        }}
        onPointerCancel={() => {
          dragFrom.current = null;
        }}
      >
        {Array.from(shown, (byte, index) => {
          const field = fields.findIndex(({ from, to }) => index >= from && index < to);
          const name = fields[field]?.name;
          const isSelected = selected !== null && index >= selected.from && index < selected.to;
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a byte has no other name than its place.
              key={index}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={isSelected}
              aria-label={`Byte ${index}: ${hex(byte)}${name === undefined ? '' : `, ${name}`}`}
              title={name}
              className={classNames(styles['byte'], index === cursor && styles['cursor'])}
              data-byte={index}
              data-field={field === -1 ? undefined : field % 2}
            >
              {hex(byte)}
            </span>
          );
        })}
      </div>
      {bytes.length > MAX_SHOWN ? <p className="small">{bytes.length - MAX_SHOWN} more bytes are not shown.</p> : null}
    </div>
  );
}

/** Returns the number of bytes in a line of the grid. */
function columnsOf(grid: HTMLElement | null): number {
  const [first, ...rest] = [...(grid?.children ?? [])] as HTMLElement[];
  const next = rest.findIndex(({ offsetTop }) => offsetTop !== first?.offsetTop);
  return next === -1 ? rest.length + 1 : next + 1;
}

/** Returns the byte to which a key leads; null for other keys. */
function target({ key }: KeyboardEvent, cursor: number, last: number, columns: number): number | null {
  const within = (to: number) => Math.max(0, Math.min(last, to));
  switch (key) {
    case 'ArrowLeft':
      return within(cursor - 1);
    case 'ArrowRight':
      return within(cursor + 1);
    case 'ArrowUp':
      return cursor < columns ? cursor : cursor - columns;
    case 'ArrowDown':
      return cursor + columns > last ? cursor : cursor + columns;
    case 'Home':
      return 0;
    case 'End':
      return last;
    case ' ':
    case 'Enter':
      return cursor;
    default:
      return null;
  }
}
