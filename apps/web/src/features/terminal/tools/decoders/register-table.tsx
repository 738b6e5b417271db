/** Table of a decoder's Modbus registers: names, addresses, types, word order, scale, unit. */
import { byteOrders, type DecoderRegister, registerTypes } from '@wirebench/contract/decoders';
import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { exportRegisters, importRegisters } from '@wirebench/frames/register-table';
import { FileDown, Plus, X } from 'lucide-react';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { decoderText } from '../../../../workbench/decoders/decoder-text.ts';
import { changeKept, type KeptDecoder } from '../../../../workbench/decoders/kept-decoders.ts';
import styles from './decoders-panel.module.css';

/** Rows that are drawn. Longer tables are edited as a file. */
const maxRows = 100;

/** Columns with a text field. `type` and `order` are lists. */
const typed = ['name', 'address', 'scale', 'unit'] as const;
type Column = (typeof typed)[number] | 'type' | 'order';

const titles = {
  name: 'Name',
  address: 'Address',
  type: 'Type',
  order: 'Order',
  scale: 'Scale',
  unit: 'Unit',
} satisfies Record<Column, string>;

const usual = { type: 'u16', order: 'big' } as const;

/** Draws nothing for a decoder of another protocol, and while the content is no JSON. */
export function RegisterTable({ decoder: { id, text } }: { readonly decoder: KeptDecoder }) {
  const content = parseJson(text);
  const steps = fieldsOf(content)['steps'];
  if (!isRecord(content) || !Array.isArray(steps) || !steps.includes('modbus')) {
    return null;
  }
  const registers: readonly unknown[] = Array.isArray(content['registers']) ? content['registers'] : [];
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
  return (
    <div className={styles['registers']}>
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
                {Object.values(titles).map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {registers.slice(0, maxRows).map((register, index) => (
                <Row
                  // biome-ignore lint/suspicious/noArrayIndexKey: a register is known by its place; its name is being typed.
                  key={index}
                  register={fieldsOf(register)}
                  onChange={(column, value) => change(index, column, value)}
                  onRemove={() => write(registers.filter((_, at) => at !== index))}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {registers.length > maxRows ? (
        <p className="small">{`The first ${maxRows} of ${registers.length} registers. Save the table, edit it as CSV, and add it as a file.`}</p>
      ) : null}
      <div className="buttons tight">
        <Button size="sm" icon={<Plus />} onClick={() => write([...registers, next()])}>
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

/** Registers that are right. */
const readable = (registers: readonly unknown[]): readonly DecoderRegister[] =>
  importRegisters(JSON.stringify(registers)).registers;

interface RowProps {
  readonly register: Readonly<Record<string, unknown>>;
  readonly onChange: (column: Column, value: string) => void;
  readonly onRemove: () => void;
}

function Row({ register, onChange, onRemove }: RowProps) {
  const name = String(register['name'] ?? '');
  const cell = (column: Column) => String(register[column] ?? '');
  const label = (column: Column) => `${titles[column]} of ${name}`;
  const field = (column: (typeof typed)[number]) => (
    <td key={column}>
      <input
        className={styles['cell']}
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
    </td>
  );
  const choice = (column: 'type' | 'order', values: readonly string[]) => (
    <td key={column}>
      <select
        className={styles['cell']}
        aria-label={label(column)}
        value={cell(column) || usual[column]}
        onChange={(event) => onChange(column, event.currentTarget.value)}
      >
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </td>
  );
  return (
    <tr>
      {field('name')}
      {field('address')}
      {choice('type', registerTypes)}
      {choice('order', byteOrders)}
      {field('scale')}
      {field('unit')}
      <td>
        <IconButton label={`Remove ${name}`} size="sm" variant="quiet" icon={<X />} onClick={onRemove} />
      </td>
    </tr>
  );
}

const isNumeric = (column: Column) => column === 'address' || column === 'scale';

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
