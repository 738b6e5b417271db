/** A row of the port's form for one option, by the kind of its field. */
import { type ChoiceField, fieldFailure, type NumberField } from '@wirebench/port/option-fields';
import {
  type BytesField,
  type FramingField,
  type FramingOption,
  optionFailure,
  type TypedBytes,
  typedAs,
} from '@wirebench/serial';
import { useId, useState } from 'react';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './port-pane.module.css';

interface OptionRowProps<Field, Value> {
  readonly field: Field;
  readonly value: Value;
  readonly onChange: (value: FramingOption) => void;
}

export function OptionRow({ field, value, onChange }: OptionRowProps<FramingField, FramingOption | undefined>) {
  switch (field.kind) {
    case 'number':
      return <NumberOption field={field} value={Number(value)} onChange={onChange} />;
    case 'choice':
      return <ChoiceOption field={field} value={value} onChange={onChange} />;
    case 'switch':
      return (
        <label className={styles['check']}>
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
          {field.label}
        </label>
      );
    case 'bytes':
      return typeof value === 'object' ? <BytesOption field={field} value={value} onChange={onChange} /> : null;
  }
}

function NumberOption({ field, value, onChange }: OptionRowProps<NumberField, number>) {
  const [typed, setTyped] = useState(String(value));
  const failure = fieldFailure(field, numberOf(typed));
  return (
    <TypedOption
      label={field.label}
      hint={field.hint}
      typed={typed}
      failure={failure}
      numeric
      onType={(text) => {
        setTyped(text);
        if (fieldFailure(field, numberOf(text)) === null) {
          onChange(numberOf(text));
        }
      }}
    />
  );
}

const numberOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

function ChoiceOption({ field, value, onChange }: OptionRowProps<ChoiceField, FramingOption | undefined>) {
  const ids = { list: useId(), hint: useId() };
  const chosen = field.choices.find((choice) => choice.value === value)?.value ?? '';
  if (field.hint !== undefined) {
    return (
      <div className={styles['row']}>
        <label htmlFor={ids.list} className="silk">
          {field.label}
        </label>
        <Select
          id={ids.list}
          aria-describedby={ids.hint}
          value={chosen}
          onChange={(event) => {
            const { value: text } = event.currentTarget;
            const next = field.choices.find((choice) => String(choice.value) === text);
            if (next !== undefined) {
              onChange(next.value);
            }
          }}
        >
          {field.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
        <p id={ids.hint} className={`${styles['under']} ${styles['explanation']}`}>
          {field.hint}
        </p>
      </div>
    );
  }
  return (
    <div className={styles['row']}>
      <span className="silk">{field.label}</span>
      <Segmented label={field.name} value={chosen} options={field.choices} onChange={onChange} />
    </div>
  );
}

const notations = [
  { value: 'text', label: 'Text' },
  { value: 'hex', label: 'Hex' },
] as const;

const notationHints = {
  text: 'Escapes such as \\r, \\0 and \\x1B work.',
  hex: 'Pairs of hex digits, such as 0D 0A.',
} satisfies Record<TypedBytes['as'], string>;

function BytesOption({ field, value, onChange }: OptionRowProps<BytesField, TypedBytes>) {
  const [typed, setTyped] = useState(value);
  const take = (next: TypedBytes) => {
    setTyped(next);
    if (optionFailure(field, next) === null) {
      onChange(next);
    }
  };
  return (
    <>
      <TypedOption
        label={field.label}
        hint={notationHints[typed.as]}
        typed={typed.typed}
        failure={optionFailure(field, typed)}
        onType={(text) => take({ ...typed, typed: text })}
      />
      <div className={styles['row']}>
        <span className="silk">Given as</span>
        <Segmented
          label={`${field.label} given as`}
          value={typed.as}
          options={notations}
          onChange={(as) => take(typedAs(as, typed))}
        />
      </div>
    </>
  );
}

interface TypedOptionProps {
  readonly label: string;
  readonly hint: string;
  readonly typed: string;
  /** Reason why the typed value is invalid. Null: it is valid. */
  readonly failure: string | null;
  readonly numeric?: boolean;
  readonly onType: (text: string) => void;
}

function TypedOption({ label, hint, typed, failure, numeric = false, onType }: TypedOptionProps) {
  const ids = { input: useId(), hint: useId() };
  return (
    <div className={styles['row']}>
      <label htmlFor={ids.input} className="silk">
        {label}
      </label>
      <TextInput
        id={ids.input}
        mono
        inputMode={numeric ? 'numeric' : 'text'}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        aria-invalid={failure === null ? undefined : true}
        aria-describedby={ids.hint}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <div id={ids.hint} className={styles['under']}>
        {failure === null ? (
          <p className={styles['explanation']}>{hint}</p>
        ) : (
          <p role="alert" className={styles['error']}>
            {failure}
          </p>
        )}
      </div>
    </div>
  );
}
