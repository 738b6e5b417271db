/** The grid of registers: rows are text, the row with the focus has fields, and its byte orders open under it. */

import type { DecoderContent, RegisterTable } from '@wirebench/contract/decoders';
import {
  addressText,
  isBitTable,
  type RegisterRow,
  rowValue,
  type UnitTable,
} from '@wirebench/frames/modbus-registers';
import type { PortNumber } from '@wirebench/serial';
import { ChartSpline, Ellipsis } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { classNames } from '../../../../shared/ui/class-names.ts';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu, type MenuAction } from '../../../../shared/ui/menu.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { OrderGrid } from './order-grid.tsx';
import { readAsText, typeText } from './read-as.ts';
import { entryOf, isTaken, nameOf, roomFrom, typesFor, withMeaning, withName, withType } from './register-names.ts';
import styles from './registers-panel.module.css';

/** Columns by their place. */
const columns = ['register', 'name', 'read', 'value', 'unit', 'plot'] as const;
export type Column = (typeof columns)[number];

/** The cell that the keyboard moves from. */
export interface GridPlace {
  /** Key of a row, or of the head of a unit's table. */
  readonly key: string;
  readonly column: Column;
}

const tableNames = {
  input: 'Input registers',
  holding: 'Holding registers',
  coil: 'Coils',
  discrete: 'Inputs',
} satisfies Record<RegisterTable, string>;

const headKey = ({ unit, table }: Pick<UnitTable, 'unit' | 'table'>): string => `head ${unit} ${table}`;

/** A row that was not answered when it was asked for, in words. */
interface RowFault {
  /** For the cell: `no answer`. */
  readonly short: string;
  /** Sentence. */
  readonly text: string;
}

export interface RegisterGridProps {
  readonly port: PortNumber;
  readonly label: string;
  readonly groups: readonly UnitTable[];
  /** Names of units by their identification. */
  readonly names: ReadonlyMap<number, string>;
  readonly draft: DecoderContent;
  readonly place: GridPlace | null;
  readonly onPlace: (place: GridPlace) => void;
  /** Key of the row whose orders are open; null: none. */
  readonly opened: string | null;
  readonly onOpened: (key: string | null) => void;
  readonly onChange: (draft: DecoderContent, row: RegisterRow) => void;
  readonly onMoved: (draft: DecoderContent, row: RegisterRow, address: number) => void;
  readonly isPlotted: (row: RegisterRow) => boolean;
  readonly onPlot: (row: RegisterRow) => void;
  readonly faultOf: (row: RegisterRow) => RowFault | null;
  readonly unitActions: (unit: number) => readonly MenuAction[];
}

/** Cell of the grid with the keyboard's place, or null. */
const cellAt = (grid: Element | null, { key, column }: GridPlace) =>
  grid?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] [data-column="${column}"]`) ?? null;

/** Control that stands for its cell; the cell itself if it has a text, or a field that is entered. */
const focusOf = (cell: HTMLElement) => cell.querySelector<HTMLElement>('select, button') ?? cell;

export function RegisterGrid(props: RegisterGridProps) {
  const { port, label, groups, names, place, onPlace, opened, onOpened, faultOf, unitActions } = props;
  const grid = useRef<HTMLTableElement>(null);
  const lines = groups.flatMap((group) => [headKey(group), ...group.rows.map(({ key }) => key)]);
  const rowAt = (key: string) => groups.flatMap(({ rows }) => rows).find((row) => row.key === key);
  const go = (next: GridPlace, isEntered = false) => {
    onPlace(next);
    // The cell has its control after the row became the current one.
    requestAnimationFrame(() => {
      const cell = cellAt(grid.current, next);
      const field = isEntered ? cell?.querySelector<HTMLElement>('input') : null;
      (field ?? (cell === null ? null : focusOf(cell)))?.focus();
    });
  };
  const move = (from: GridPlace, by: number) => {
    const at = lines.indexOf(from.key);
    const key = lines[Math.min(lines.length - 1, Math.max(0, at + by))];
    if (key !== undefined) {
      go({ key, column: key.startsWith('head ') ? 'plot' : from.key.startsWith('head ') ? 'name' : from.column });
    }
  };
  const pressed = (event: KeyboardEvent<HTMLTableElement>) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target.closest('[data-orders], [role="menu"]') !== null) {
      return;
    }
    const cell = target.closest<HTMLElement>('[data-column]');
    const line = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (cell === null || line === undefined) {
      return;
    }
    const from = { key: line, column: cell.dataset['column'] as Column };
    const isField = target instanceof HTMLInputElement;
    const done = () => event.preventDefault();
    if (isField && (key === 'Enter' || key === 'Escape')) {
      // A field keeps what was typed when it is left, and gives it up with Escape.
      done();
      if (key === 'Escape') {
        target.dataset['dropped'] = '';
      }
      cell.focus();
      return;
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (event.altKey && target instanceof HTMLSelectElement) {
        return;
      }
      // The button of a head opens its menu with Alt.
      if (event.altKey && from.key.startsWith('head ')) {
        return;
      }
      event.stopPropagation();
      done();
      move(from, key === 'ArrowDown' ? 1 : -1);
      return;
    }
    if (isField) {
      return;
    }
    const at = columns.indexOf(from.column);
    const isHead = from.key.startsWith('head ');
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      done();
      const next = columns[at + (key === 'ArrowLeft' ? -1 : 1)];
      if (next !== undefined && !isHead) {
        go({ ...from, column: isHidden(grid.current, { ...from, column: next }) ? skipped(next, key) : next });
      }
    } else if (key === 'Home' || key === 'End') {
      done();
      const line = event.ctrlKey ? (key === 'Home' ? lines[0] : lines.at(-1)) : from.key;
      go({
        key: line ?? from.key,
        column: isHead || line?.startsWith('head ') ? 'plot' : key === 'Home' ? 'register' : 'plot',
      });
    } else if (key === 'Escape' && opened !== null) {
      done();
      onOpened(null);
    } else if (key === 'Enter' && from.column === 'read') {
      done();
      toggle(from.key);
    } else if (from.column === 'name' || from.column === 'unit') {
      const input = cell.querySelector('input');
      if (
        input !== null &&
        (key === 'Enter' || key === 'F2' || (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey))
      ) {
        // A character that is typed replaces what the field has.
        if (key.length > 1) {
          done();
        }
        input.focus();
        input.select();
      }
    }
  };
  const toggle = (key: string) => {
    const row = rowAt(key);
    if (row !== undefined && !row.isFixed && !isBitTable(row.table)) {
      onOpened(opened === key ? null : key);
    }
  };
  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cells are moved between and edited.
      role="grid"
      className={styles['grid']}
      aria-label={label}
      data-port={port}
      onKeyDown={pressed}
      onClick={({ target }) => {
        const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-column]') : null;
        const key = cell?.closest<HTMLElement>('[data-row]')?.dataset['row'];
        if (cell !== null && key !== undefined && (target as Element).closest('input, select, button') === null) {
          // A press on a text enters its field.
          const column = cell.dataset['column'] as Column;
          go({ key, column }, column === 'name' || column === 'unit');
        }
      }}
    >
      <colgroup>
        {columns.map((column) => (
          <col key={column} data-of={column} />
        ))}
      </colgroup>
      {groups.map((group, index) => {
        const key = headKey(group);
        const faults = [...new Set(group.rows.flatMap((row) => faultOf(row)?.text ?? []))];
        const name = names.get(group.unit) ?? '';
        return (
          <tbody key={key}>
            <tr data-row={key} className={styles['unit']}>
              <th scope="rowgroup" colSpan={4}>
                <span className={styles['who']}>
                  <b>Unit {group.unit}</b>
                  <span className="ellipsis">{name}</span>
                </span>
              </th>
              <td colSpan={2} data-column="plot" className={styles['more']}>
                <span>
                  <span>{tableNames[group.table]}</span>
                  <Menu
                    align="end"
                    items={unitActions(group.unit)}
                    trigger={(button) => (
                      <IconButton
                        {...button}
                        size="sm"
                        variant="quiet"
                        tabIndex={place?.key === key ? 0 : -1}
                        label={`More about unit ${group.unit}, ${tableNames[group.table].toLowerCase()}`}
                        icon={<Ellipsis />}
                        onFocus={() => onPlace({ key, column: 'plot' })}
                      />
                    )}
                  />
                </span>
              </td>
            </tr>
            {index > 0 ? null : (
              <tr className={styles['heads']}>
                <th scope="col">Register</th>
                <th scope="col">Name</th>
                <th scope="col">Read as</th>
                <th scope="col">Value</th>
                <th scope="col" data-unit="">
                  Unit
                </th>
                <th scope="col">Plot</th>
              </tr>
            )}
            {faults.map((fault) => (
              <tr key={fault} className={styles['fault']}>
                <td colSpan={6}>{fault}</td>
              </tr>
            ))}
            {group.rows.map((row) => (
              <Fragment key={row.key}>
                <Row {...props} row={row} rows={group.rows} />
                {opened === row.key ? (
                  <tr className={styles['opened']} data-orders="">
                    <td colSpan={6}>
                      <OrderGrid
                        row={row}
                        rows={group.rows}
                        draft={props.draft}
                        onChange={(draft) => props.onChange(draft, row)}
                        onMoved={(draft, address) => props.onMoved(draft, row, address)}
                        onClose={() => {
                          onOpened(null);
                          go({ key: row.key, column: 'read' });
                        }}
                      />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

/** In a narrow dock the column *Unit* is in the grid of orders. */
function isHidden(grid: Element | null, place: GridPlace): boolean {
  return cellAt(grid, place)?.checkVisibility?.({ visibilityProperty: true }) === false;
}

const skipped = (column: Column, key: string): Column =>
  columns[columns.indexOf(column) + (key === 'ArrowLeft' ? -1 : 1)] ?? column;

interface RowProps extends RegisterGridProps {
  readonly row: RegisterRow;
  readonly rows: readonly RegisterRow[];
}

function Row(props: RowProps) {
  const { row, rows, draft, place, onPlace, onOpened, opened, onChange, isPlotted, onPlot, faultOf } = props;
  const { key, entry, at, table } = row;
  const registers = addressText(row);
  const isCurrent = place?.key === key;
  const hasFields = isCurrent && !row.isFixed;
  const isBits = isBitTable(table);
  const canPlot = entry?.type !== 'text';
  const name = nameOf(row);
  const fault = faultOf(row);
  const value = rowValue(row);
  const seen = row.bytes === null ? 'Not seen yet' : Number.isNaN(at) ? undefined : `Seen ${clockTime(at)}`;
  const cell = (
    column: Column,
    content: ReactNode,
    more: { readonly className?: string | undefined; readonly title?: string | undefined } = {},
  ) => {
    const isPlace = isCurrent && place.column === column;
    return (
      <td
        data-column={column}
        className={more.className}
        title={more.title}
        // A control in the cell takes its place.
        tabIndex={
          (column === 'read' && hasFields && !isBits) || (column === 'plot' && canPlot) ? undefined : isPlace ? 0 : -1
        }
        onFocus={() => (isPlace ? undefined : onPlace({ key, column }))}
      >
        {content}
      </td>
    );
  };
  return (
    <tr data-row={key} aria-selected={isCurrent} className={classNames(styles['row'], isCurrent && styles['current'])}>
      {cell('register', registers, { className: styles['mono'] })}
      {cell(
        'name',
        hasFields ? (
          <TextCell
            label={`Name of register ${registers}`}
            placeholder="Name it"
            value={name}
            maxLength={48}
            faultOf={(typed) =>
              typed.trim() !== '' && isTaken(draft, row, typed) ? `The name ${typed.trim()} is taken.` : null
            }
            onChange={(typed) => onChange(withName(draft, row, typed), row)}
          />
        ) : (
          <span className={classNames(styles['text'], name === '' && styles['subtle'])}>
            {name === '' ? 'Name it' : name}
          </span>
        ),
      )}
      {cell(
        'read',
        isBits ? (
          <span className={classNames(styles['text'], styles['mono'])}>bit</span>
        ) : hasFields ? (
          <select
            className={styles['select']}
            aria-label={`Register ${registers} read as ${readAsText(entryOf(row))}`}
            aria-expanded={opened === key}
            tabIndex={isCurrent && place.column === 'read' ? 0 : -1}
            value={entryOf(row).type}
            onChange={({ currentTarget }) => {
              const type = typesFor(row, roomFrom(row.address, rows)).find((one) => one === currentTarget.value);
              if (type !== undefined) {
                onChange(withType(draft, row, type), row);
                onOpened(key);
              }
            }}
          >
            {typesFor(row, roomFrom(row.address, rows)).map((type) => (
              <option key={type} value={type}>
                {type === entryOf(row).type ? readAsText(entryOf(row)) : typeText(type)}
              </option>
            ))}
          </select>
        ) : (
          <span className={classNames(styles['text'], styles['mono'])}>{readAsText(entryOf(row))}</span>
        ),
      )}
      {cell(
        'value',
        fault === null ? <b>{value === '' ? '–' : value}</b> : <span className={styles['warn']}>{fault.short}</span>,
        {
          className: classNames(styles['mono'], styles['value']),
          title:
            fault === null ? seen : `${fault.text} ${value === '' ? '' : `Before: ${value}. ${seen ?? ''}`}`.trim(),
        },
      )}
      {cell(
        'unit',
        hasFields && !isBits && canPlot ? (
          <TextCell
            label={`Unit of register ${registers}`}
            value={entry?.unit ?? ''}
            maxLength={12}
            onChange={(unit) =>
              onChange(withMeaning(draft, row, { unit: unit.trim() === '' ? undefined : unit.trim() }), row)
            }
          />
        ) : (
          <span className={styles['text']}>{entry?.unit ?? ''}</span>
        ),
      )}
      {cell(
        'plot',
        canPlot ? (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Plot register ${registers}`}
            title="Plot"
            className={styles['plot']}
            pressed={isPlotted(row)}
            tabIndex={isCurrent && place.column === 'plot' ? 0 : -1}
            icon={<ChartSpline />}
            onClick={() => onPlot(row)}
          />
        ) : null,
      )}
    </tr>
  );
}

interface TextCellProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly maxLength: number;
  readonly faultOf?: (typed: string) => string | null;
  readonly onChange: (typed: string) => void;
}

/** A field in a cell. It changes the draft when it is left, so that a curve does not get a name for each letter. */
function TextCell({ label, placeholder, value, maxLength, faultOf, onChange }: TextCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const fault = typed === null ? null : (faultOf?.(typed) ?? null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  return (
    <input
      ref={input}
      className={styles['field']}
      aria-label={label}
      aria-invalid={fault === null ? undefined : true}
      title={fault ?? undefined}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxLength}
      tabIndex={-1}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={({ currentTarget }) => {
        const isDropped = 'dropped' in currentTarget.dataset;
        delete currentTarget.dataset['dropped'];
        if (!isDropped && fault === null && typed !== null && typed.trim() !== value) {
          onChange(typed);
        }
        setTyped(null);
      }}
    />
  );
}
