/** Table of a decoder's Modbus registers: names, addresses, types, word order, scale, unit. */
import { byteOrders, type DecoderRegister, registerTables, registerTypes } from '@wirebench/contract/decoders';
import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { exportRegisters, importRegisters } from '@wirebench/frames/register-table';
import { FileDown, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { decoderText } from '../../../../workbench/decoders/decoder-text.ts';
import { changeKept, hasStep, type KeptDecoder } from '../../../../workbench/decoders/kept-decoders.ts';
import { endWantedRegister, useWantedRegister } from './decoder-tool.ts';
import styles from './decoders-panel.module.css';

/** Rows that are drawn at once. */
const maxRows = 100;

/** Columns with a text field. The others are lists. */
const typed = ['name', 'device', 'address', 'scale', 'unit'] as const;
type TypedColumn = (typeof typed)[number];
type Column = TypedColumn | 'table' | 'type' | 'order';

const titles = {
  name: 'Name',
  device: 'Device',
  table: 'Table',
  address: 'Address',
  type: 'Type',
  order: 'Order',
  scale: 'Scale',
  unit: 'Unit',
} satisfies Record<Column, string>;
const columns = Object.keys(titles) as readonly Column[];

const usual = { table: 'holding', type: 'u16', order: 'big' } as const;

/** Draws nothing for a decoder of another protocol, and while the content is no JSON. */
export function RegisterTable({ decoder: { id, text } }: { readonly decoder: KeptDecoder }) {
  const content = parseJson(text);
  return isRecord(content) && hasStep(content, 'modbus') ? <Registers id={id} content={content} /> : null;
}

interface RegistersProps {
  readonly id: KeptDecoder['id'];
  readonly content: Readonly<Record<string, unknown>>;
}

function Registers({ id, content }: RegistersProps) {
  const registers: readonly unknown[] = Array.isArray(content['registers']) ? content['registers'] : [];
  const wanted = useWantedRegister(id);
  const place = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState(0);
  // A table of one device's holding registers names neither in each row. Columns that were shown stay while one is typed in.
  const [hasAll, setHasAll] = useState(false);
  if (!hasAll && registers.some(isOfOneTable)) {
    setHasAll(true);
  }
  // The part that was shown may have lost its last register.
  const asked = Math.max(0, Math.min(wanted ?? from, registers.length - 1));
  const first = asked - (asked % maxRows);
  useEffect(() => {
    const name = place.current?.querySelector<HTMLInputElement>(`[data-register="${wanted}"] input`);
    if (wanted !== null && name != null) {
      name.focus();
      // The name that the search gave is replaced by what is typed.
      name.select();
      setFrom(wanted);
      endWantedRegister();
    }
  }, [wanted]);
  const write = (next: readonly unknown[]) => changeKept(id, { text: decoderText({ ...content, registers: next }) });
  const change = (index: number, column: Column, value: string) =>
    write(registers.map((register, at) => (at === index ? withCell(fieldsOf(register), column, value) : register)));
  const next = () => {
    const last = Number(fieldsOf(registers.at(-1))['address'] ?? -1);
    return {
      name: `register_${registers.length + 1}`,
      address: Number.isInteger(last) ? Math.min(last + 1, 0xffff) : 0,
    };
  };
  const shown = columns.filter((column) => hasAll || (column !== 'device' && column !== 'table'));
  return (
    <div ref={place} className={styles['registers']}>
      {registers.length === 0 ? null : (
        <section
          className={`ring-inside ${styles['scroll']}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
          tabIndex={0}
          aria-label="Table of registers"
        >
          <table className="table">
            <thead>
              <tr>
                {shown.map((column) => (
                  <th key={column} scope="col">
                    {titles[column]}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {registers.slice(first, first + maxRows).map((register, nth) => {
                const index = first + nth;
                return (
                  <Row
                    key={index}
                    index={index}
                    columns={shown}
                    register={fieldsOf(register)}
                    onChange={(column, value) => change(index, column, value)}
                    onRemove={() => write(registers.filter((_, at) => at !== index))}
                  />
                );
              })}
            </tbody>
          </table>
        </section>
      )}
      {registers.length > maxRows ? (
        <div className="buttons tight">
          <span className="small">
            Registers {first + 1} to {Math.min(first + maxRows, registers.length)} of {registers.length}
          </span>
          <Button size="sm" variant="quiet" disabled={first === 0} onClick={() => setFrom(first - maxRows)}>
            Previous
          </Button>
          <Button
            size="sm"
            variant="quiet"
            disabled={first + maxRows >= registers.length}
            onClick={() => setFrom(first + maxRows)}
          >
            Next
          </Button>
        </div>
      ) : null}
      <div className="buttons tight">
        <Button
          size="sm"
          icon={<Plus />}
          onClick={() => {
            write([...registers, next()]);
            setFrom(registers.length);
          }}
        >
          Add a register
        </Button>
        {registers.length === 0 ? null : (
          <Button
            size="sm"
            variant="quiet"
            icon={<FileDown />}
            onClick={() =>
              saveFile(new Blob([exportRegisters(readable(registers))], { type: 'text/csv' }), 'registers.csv')
            }
          >
            Save as CSV
          </Button>
        )}
      </div>
    </div>
  );
}

/** Returns true for a register of one device, or of a table other than the usual one. */
function isOfOneTable(register: unknown): boolean {
  const { device, table = usual.table } = fieldsOf(register);
  return device !== undefined || table !== usual.table;
}

/** Registers that are right. */
const readable = (registers: readonly unknown[]): readonly DecoderRegister[] =>
  importRegisters(JSON.stringify(registers)).registers;

interface RowProps {
  readonly index: number;
  readonly columns: readonly Column[];
  readonly register: Readonly<Record<string, unknown>>;
  readonly onChange: (column: Column, value: string) => void;
  readonly onRemove: () => void;
}

function Row({ index, columns: shown, register, onChange, onRemove }: RowProps) {
  const name = String(register['name'] ?? '');
  const cell = (column: Column) => String(register[column] ?? '');
  const device = cell('device');
  // Registers of several devices may have one name.
  const known = device === '' ? name : `${name} of device ${device}`;
  const label = (column: Column) => `${titles[column]} of ${known}`;
  const field = (column: TypedColumn) => (
    <input
      className={styles['cell']}
      data-column={column}
      aria-label={label(column)}
      autoComplete="off"
      spellCheck={false}
      value={cell(column)}
      onChange={(event) => onChange(column, event.currentTarget.value)}
      onBlur={(event) => {
        const { value } = event.currentTarget;
        if (
          isNumeric(column) &&
          value.trim() !== '' &&
          Number.isFinite(Number(value)) &&
          String(Number(value)) !== value
        ) {
          onChange(column, String(Number(value)));
        }
      }}
    />
  );
  const choice = (column: keyof typeof choices) => (
    <select
      className={styles['cell']}
      data-column={column}
      aria-label={label(column)}
      value={cell(column) || usual[column]}
      onChange={(event) => onChange(column, event.currentTarget.value)}
    >
      {choices[column].map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
  return (
    <tr data-register={index}>
      {shown.map((column) => (
        <td key={column}>{isChoice(column) ? choice(column) : field(column)}</td>
      ))}
      <td>
        <IconButton label={`Remove ${known}`} size="sm" variant="quiet" icon={<X />} onClick={onRemove} />
      </td>
    </tr>
  );
}

const choices = { table: registerTables, type: registerTypes, order: byteOrders } as const;
const isChoice = (column: Column): column is keyof typeof choices => column in choices;
const isNumeric = (column: Column) => column === 'device' || column === 'address' || column === 'scale';

/**
 * Returns the register with a cell. An empty one has its usual value. Text such as `0.` stays text, so that it can be typed on;
 * until then it is a fault.
 */
function withCell(register: Readonly<Record<string, unknown>>, column: Column, value: string): Record<string, unknown> {
  const { [column]: _before, ...others } = register;
  const isNumber = isNumeric(column) && Number.isFinite(Number(value)) && String(Number(value)) === value;
  if (value === '' && column !== 'name' && column !== 'address') {
    return others;
  }
  return { ...register, [column]: isNumber ? Number(value) : value };
}
