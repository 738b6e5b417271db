/** The grid of orders under a row: the number in each order of its bytes and at its neighbours, and how it becomes a value. */
import type { DecoderContent } from '@wirebench/contract/decoders';
import {
  addressText,
  isFloat,
  numberText,
  type OrderedNumber,
  orderedType,
  orderLines,
  type RegisterRow,
  registersOf,
} from '@wirebench/frames/modbus-registers';
import { Fragment, type KeyboardEvent, useRef } from 'react';
import { classNames } from '../../../../shared/ui/class-names.ts';
import { BitNamesField, NumberField, ScaleFields, UnitField, ValueNamesField } from '../name-bytes/meaning-form.tsx';
import { orderText } from './read-as.ts';
import { entryOf, lettersOf, withMeaning, withReading } from './register-names.ts';
import styles from './registers-panel.module.css';

export interface OrderGridProps {
  readonly row: RegisterRow;
  /** Rows of the same unit and table. */
  readonly rows: readonly RegisterRow[];
  readonly draft: DecoderContent;
  readonly onChange: (draft: DecoderContent) => void;
  /** The name was moved to another register. */
  readonly onMoved: (draft: DecoderContent, address: number) => void;
  readonly onClose: () => void;
}

export function OrderGrid({ row, rows, draft, onChange, onMoved, onClose }: OrderGridProps) {
  const entry = entryOf(row);
  const type = orderedType(entry.type);
  const change = (meaning: Parameters<typeof withMeaning>[2]) => onChange(withMeaning(draft, row, meaning));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back from any of its controls.
    <div
      className={styles['orders']}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      {type === null ? null : (
        <Orders
          lines={orderLines(row, rows, type)}
          row={row}
          chosen={lettersOf(entry)}
          textOf={(value) => numberText(value, isFloat(type))}
          onPick={(reading) => {
            const next = withReading(draft, row, reading);
            if (reading.address === row.address) {
              onChange(next);
            } else {
              onMoved(next, reading.address);
            }
          }}
        />
      )}
      <div className={styles['meaning']}>
        {type === null ? null : (
          <>
            <ScaleFields meaning={entry} onChange={change} />
            <span className={styles['narrow']}>
              <UnitField meaning={entry} onChange={change} />
            </span>
            <ValueNamesField meaning={entry} onChange={change} />
          </>
        )}
        {entry.type === 'bits' ? <BitNamesField meaning={entry} onChange={change} /> : null}
        {entry.type === 'text' ? (
          <NumberField
            label="Registers"
            value={entry.length}
            otherwise={0}
            onChange={(length = 1) => change({ length: Math.min(125, Math.max(1, Math.round(length))) })}
          />
        ) : null}
      </div>
    </div>
  );
}

interface OrdersProps {
  readonly lines: ReturnType<typeof orderLines>;
  readonly row: RegisterRow;
  readonly chosen: OrderedNumber['order'];
  readonly textOf: (value: number | bigint) => string;
  readonly onPick: (reading: OrderedNumber) => void;
}

function Orders({ lines, row, chosen, textOf, onPick }: OrdersProps) {
  const group = useRef<HTMLDivElement>(null);
  const orders = lines[0]?.readings.map(({ order }) => order) ?? [];
  const isSingle = registersOf(entryOf(row)) === 1;
  const pressed = (event: KeyboardEvent) => {
    const radios = [...(group.current?.querySelectorAll<HTMLButtonElement>('[role="radio"]') ?? [])];
    const at = radios.indexOf(event.target as HTMLButtonElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -orders.length,
      ArrowDown: orders.length,
      Home: -at,
      End: radios.length - 1 - at,
    };
    const step = steps[event.key];
    if (step !== undefined && at !== -1) {
      event.preventDefault();
      // Choosing another register moves a name, so arrow keys only move the focus.
      radios[at + step]?.focus();
    }
  };
  if (lines.length === 0) {
    return <p className={styles['say']}>Not all of these registers were seen yet.</p>;
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label="Order of bytes"
      className={styles['readings']}
      data-orders-of={orders.length}
      onKeyDown={pressed}
    >
      <span className={styles['silk']}>Register</span>
      {orders.map((order) => (
        <span key={order} className={styles['silk']}>
          {orderText(order, isSingle)}
        </span>
      ))}
      {lines.map(({ address, readings }) => {
        const registers = addressText({ address, count: row.count });
        const isOwn = address === row.address;
        const words = `${isSingle ? 'Register' : 'Registers'} ${registers.replace('–', ' to ')}`;
        return (
          <Fragment key={address}>
            <span className={styles['mono']}>{registers}</span>
            {readings.map((reading) => {
              const isChosen = isOwn && reading.order === chosen;
              return (
                // biome-ignore lint/a11y/useSemanticElements: a reading looks like a cell, and is chosen by a press alone.
                <button
                  key={reading.order}
                  type="button"
                  role="radio"
                  aria-checked={isChosen}
                  aria-label={`${words}, order ${orderText(reading.order, isSingle)}: ${textOf(reading.value)}`}
                  tabIndex={isChosen ? 0 : -1}
                  className={classNames(styles['reading'], !isOwn && styles['far'])}
                  onClick={() => onPick(reading)}
                >
                  {textOf(reading.value)}
                </button>
              );
            })}
          </Fragment>
        );
      })}
    </div>
  );
}
