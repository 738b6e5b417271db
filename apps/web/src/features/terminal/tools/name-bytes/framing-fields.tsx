/** Parameters of a framing, as a person types them. */
import type { DecoderFraming } from '@wirebench/contract/decoders';
import { useState } from 'react';
import { Field } from '../../../../shared/ui/field.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import styles from './name-bytes-panel.module.css';

export interface FramingFieldsProps {
  readonly framing: DecoderFraming;
  readonly onChange: (framing: DecoderFraming) => void;
}

export function FramingFields({ framing, onChange }: FramingFieldsProps) {
  switch (framing.kind) {
    case 'until':
      return (
        <div className={styles['parameters']}>
          <Bytes
            label="Begins with"
            markers={framing.start}
            onChange={(start) => onChange(withStart(framing, start))}
          />
          <Bytes
            label="Ends with"
            markers={framing.end}
            onChange={(end) => (end === null ? undefined : onChange({ ...framing, end: [end] }))}
          />
        </div>
      );
    case 'length': {
      const { length } = framing;
      return (
        <div className={styles['parameters']}>
          <Bytes
            label="Begins with"
            markers={framing.start}
            onChange={(start) => onChange(withStart(framing, start))}
          />
          {typeof length === 'number' ? (
            <Whole
              label="Bytes"
              value={length}
              least={1}
              onChange={(value) => onChange({ ...framing, length: value })}
            />
          ) : (
            <>
              <Whole
                label="Length at byte"
                value={length.at}
                least={0}
                onChange={(at) => onChange({ ...framing, length: { ...length, at } })}
              />
              <LengthType
                value={`${length.type} ${length.order}`}
                onChange={(type, order) => onChange({ ...framing, length: { ...length, type, order } })}
              />
              <Whole
                label="Bytes to add"
                value={length.add}
                least={-255}
                onChange={(add) => onChange({ ...framing, length: { ...length, add } })}
              />
            </>
          )}
        </div>
      );
    }
    case 'lines':
      return (
        <div className={styles['parameters']}>
          <Separator value={framing.separator} onChange={(separator) => onChange({ ...framing, separator })} />
        </div>
      );
    case 'gap':
      return (
        <div className={styles['parameters']}>
          <Whole label="Silence in ms" value={framing.ms} least={1} onChange={(ms) => onChange({ ...framing, ms })} />
        </div>
      );
    default:
      return null;
  }
}

function withStart<Framing extends { readonly start?: string[] | undefined }>(
  { start: _, ...framing }: Framing,
  start: string | null,
): Framing {
  return { ...framing, ...(start !== null && { start: [start] }) } as Framing;
}

interface BytesProps {
  readonly label: string;
  readonly markers: readonly string[] | undefined;
  /** Called with pairs of hex digits; null: the field is empty. */
  readonly onChange: (marker: string | null) => void;
}

/** Bytes as hex digits. What is no pair of digits yet waits until it is. */
function Bytes({ label, markers, onChange }: BytesProps) {
  const given = markers?.[0] ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label}>
      {({ id }) => (
        <TextInput
          id={id}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="hex, empty: any"
          value={typed ?? given}
          aria-invalid={typed !== null && parsed(typed) === undefined ? true : undefined}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            const marker = parsed(value);
            if (marker !== undefined) {
              onChange(marker);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

/** Undefined: no pairs of hex digits, or more than 8. */
function parsed(text: string): string | null | undefined {
  const digits = text.replaceAll(/\s/g, '').toUpperCase();
  if (digits === '') {
    return null;
  }
  return /^([\dA-F]{2}){1,8}$/.test(digits) ? (digits.match(/../g) ?? []).join(' ') : undefined;
}

interface WholeProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly onChange: (value: number) => void;
}

function Whole({ label, value, least, onChange }: WholeProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label}>
      {({ id }) => (
        <TextInput
          id={id}
          mono
          type="number"
          min={least}
          value={typed ?? value}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const next = currentTarget.valueAsNumber;
            if (Number.isInteger(next) && next >= least && next <= 10_000) {
              onChange(next);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

const lengthTypes = ['u8', 'u16', 'u24', 'u32'] as const;
const orders = ['big', 'little'] as const;

interface LengthTypeProps {
  readonly value: string;
  readonly onChange: (type: (typeof lengthTypes)[number], order: (typeof orders)[number]) => void;
}

function LengthType({ value, onChange }: LengthTypeProps) {
  return (
    <Field label="Length is">
      {({ id }) => (
        <Select
          id={id}
          value={value}
          onChange={({ currentTarget }) => {
            const [type, order] = currentTarget.value.split(' ');
            onChange(lengthTypes.find((one) => one === type) ?? 'u8', orders.find((one) => one === order) ?? 'big');
          }}
        >
          {lengthTypes.flatMap((type) =>
            (type === 'u8' ? (['big'] as const) : orders).map((order) => (
              <option key={`${type} ${order}`} value={`${type} ${order}`}>
                {type === 'u8' ? 'u8' : `${type}, ${order}-endian`}
              </option>
            )),
          )}
        </Select>
      )}
    </Field>
  );
}

interface SeparatorProps {
  readonly value: string;
  readonly onChange: (separator: string) => void;
}

function Separator({ value, onChange }: SeparatorProps) {
  return (
    <Field label="Between values">
      {({ id }) => (
        <Select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {Object.entries(separators).map(([separator, words]) => (
            <option key={separator} value={separator}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

const separators = { ',': 'comma', ';': 'semicolon', '\t': 'tab', ' ': 'space', '|': 'bar', ':': 'colon' };
