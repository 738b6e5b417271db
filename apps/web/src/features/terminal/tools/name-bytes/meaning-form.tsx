/** Form for selected bytes, and its parts for the entries of the table of Modbus registers. Each change is tried at once. */
import type { DecoderFieldOrGroup } from '@wirebench/contract/decoders';
import type { OrderedNumber } from '@wirebench/frames/guess';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { nameFrom, namesFrom, namesText } from './decoder-draft.ts';
import styles from './name-bytes-panel.module.css';

/** Entries of a field that its form has. */
export type Meaning = Pick<
  DecoderFieldOrGroup,
  'name' | 'scale' | 'offset' | 'unit' | 'values' | 'flags' | 'bit' | 'bits'
>;

export interface MeaningFormProps {
  /** Words for the bytes: `Bytes 4 to 7`. */
  readonly title: string;
  readonly meaning: Meaning;
  /** Names that others have. */
  readonly taken: ReadonlySet<string>;
  readonly type: string;
  readonly types: readonly { readonly value: string; readonly label: string }[];
  readonly onType: (type: string) => void;
  readonly onChange: (change: Partial<Meaning>) => void;
  readonly onRemove: () => void;
  /** Word orders and values, below the type. */
  readonly children: ReactNode;
}

const numbers = /^[uif]\d+$|^bcd$|^bits$/;

export function MeaningForm(props: MeaningFormProps) {
  const { title, meaning, taken, type, types, onType, onChange, onRemove, children } = props;
  const isNumber = numbers.test(type) && !(type === 'bits' && meaning.bits === undefined);
  const name = useRef<HTMLInputElement>(null);
  const [typedName, setTypedName] = useState<string | null>(null);
  const isTaken = typedName !== null && taken.has(nameFrom(typedName, ''));
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the name that was made up, once for each selection.
  useEffect(() => {
    if (/^(value|count)_\d+$/.test(meaning.name)) {
      name.current?.select();
    }
  }, [title]);
  return (
    <section className={styles['form']} aria-label={title}>
      <div className={styles['pair']}>
        <Field label="Name" error={isTaken ? `The name ${nameFrom(typedName, '')} is taken.` : null}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={name}
              mono
              autoComplete="off"
              spellCheck={false}
              maxLength={32}
              value={typedName ?? meaning.name}
              onChange={({ currentTarget: { value } }) => {
                setTypedName(value);
                const next = nameFrom(value, '');
                if (next !== '' && !taken.has(next)) {
                  onChange({ name: next });
                }
              }}
              onBlur={() => setTypedName(null)}
            />
          )}
        </Field>
        <Field label="Read as">
          {(ids) => (
            <Select {...ids} value={type} onChange={({ currentTarget }) => onType(currentTarget.value)}>
              {types.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {children}
      {meaning.bits === undefined && meaning.bit === undefined ? null : (
        <div className={styles['pair']}>
          <NumberField
            label="Lowest bit"
            value={meaning.bit}
            otherwise={0}
            isStated
            onChange={(bit) => onChange({ bit })}
          />
          <NumberField
            label="Bits"
            value={meaning.bits}
            otherwise={1}
            isStated
            onChange={(bits) => onChange({ bits })}
          />
        </div>
      )}
      {isNumber ? (
        <>
          <div className={styles['triple']}>
            <ScaleFields meaning={meaning} onChange={onChange} />
            <UnitField meaning={meaning} onChange={onChange} />
          </div>
          <ValueNamesField meaning={meaning} onChange={onChange} />
        </>
      ) : null}
      {meaning.flags === undefined ? null : <BitNamesField meaning={meaning} onChange={onChange} />}
      <div className="buttons tight">
        <Button size="sm" variant="quiet" onClick={onRemove}>
          Remove {meaning.name}
        </Button>
      </div>
    </section>
  );
}

/** Entries for the meaning of a number, which fields of messages and registers have alike. */
type ValueMeaning = Pick<Meaning, 'scale' | 'offset' | 'unit' | 'values' | 'flags'>;

interface MeaningPartProps {
  readonly meaning: ValueMeaning;
  readonly onChange: (change: Partial<ValueMeaning>) => void;
}

/** The two numbers that make the value from the bytes. */
export function ScaleFields({ meaning, onChange }: MeaningPartProps) {
  return (
    <>
      <NumberField label="Times" value={meaning.scale} otherwise={1} onChange={(scale) => onChange({ scale })} />
      <NumberField label="Plus" value={meaning.offset} otherwise={0} onChange={(offset) => onChange({ offset })} />
    </>
  );
}

export function UnitField({ meaning, onChange }: MeaningPartProps) {
  return (
    <Field label="Unit">
      {(ids) => (
        <TextInput
          {...ids}
          autoComplete="off"
          maxLength={12}
          value={meaning.unit ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ unit: value === '' ? undefined : value })}
        />
      )}
    </Field>
  );
}

export function ValueNamesField({ meaning, onChange }: MeaningPartProps) {
  return (
    <NamesField
      label="Names of values"
      placeholder="0 off, 1 on"
      names={meaning.values}
      onChange={(values) => onChange({ values: Object.keys(values).length === 0 ? undefined : values })}
    />
  );
}

export function BitNamesField({ meaning, onChange }: MeaningPartProps) {
  return (
    <NamesField
      label="Names of bits"
      placeholder="0 ready, 1 running"
      names={meaning.flags}
      onChange={(flags) => onChange({ flags })}
    />
  );
}

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  /** Number of an empty field. */
  readonly otherwise: number;
  /** True: that number is stated as any other. */
  readonly isStated?: boolean;
  /** Undefined: that of an empty field, unless it is stated. */
  readonly onChange: (value: number | undefined) => void;
}

/** A number. What is no number yet waits until it is. */
export function NumberField({ label, value, otherwise, isStated = false, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label}>
      {(ids) => (
        <TextInput
          {...ids}
          mono
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? String(value ?? otherwise)}
          aria-invalid={typed !== null && !Number.isFinite(numberOf(typed, otherwise)) ? true : undefined}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const next = numberOf(currentTarget.value, otherwise);
            if (Number.isFinite(next)) {
              onChange(next === otherwise && !isStated ? undefined : next);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

const numberOf = (text: string, otherwise: number) =>
  text.trim() === '' ? otherwise : Number(text.trim().replace(',', '.').replace('−', '-'));

interface NamesFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly names: Readonly<Record<string, string>> | undefined;
  readonly onChange: (names: Record<string, string>) => void;
}

function NamesField({ label, placeholder, names, onChange }: NamesFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && namesFrom(typed) === null;
  return (
    <Field label={label} error={isWrong ? 'Begin each with its number: 0 off, 1 on' : null}>
      {(ids) => (
        <TextInput
          {...ids}
          autoComplete="off"
          placeholder={placeholder}
          value={typed ?? namesText(names)}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            const parsed = namesFrom(value);
            if (parsed !== null) {
              onChange(parsed);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

export interface WordOrdersProps {
  /** All readings of the bytes. */
  readonly readings: readonly OrderedNumber[];
  /** Orders that differ for a number of this size. */
  readonly orders: readonly OrderedNumber['order'][];
  /** The one in use. */
  readonly order: OrderedNumber['order'];
  /** Words for an order. */
  readonly nameOf: (order: OrderedNumber['order']) => string;
  readonly textOf: (value: number | bigint) => string;
  readonly onPick: (reading: OrderedNumber) => void;
}

/** A number in its byte orders: the right one is pressed. */
export function WordOrders({ readings, orders, order, nameOf, textOf, onPick }: WordOrdersProps) {
  return (
    <div className={styles['orders']}>
      <table aria-label="The number in each byte order">
        <thead>
          <tr>
            {orders.map((one) => (
              <th key={one} scope="col">
                {nameOf(one)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {orders.map((column) => {
              const reading = readings.find((one) => one.order === column);
              return reading === undefined ? (
                <td key={column} />
              ) : (
                <td key={column}>
                  <button
                    type="button"
                    className={styles['reading']}
                    aria-pressed={column === order}
                    aria-label={`${textOf(reading.value)}, ${nameOf(column)}`}
                    onClick={() => onPick(reading)}
                  >
                    {textOf(reading.value)}
                  </button>
                </td>
              );
            })}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
