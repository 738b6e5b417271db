/**
 * Selects the framing, which defines the end of a received line. `packages/serial` defines the framings and their
 * options.
 */
import { type Framing, type FramingOption, framingNamed, framingNames, framings, framingWith } from '@wirebench/serial';
import { useId } from 'react';
import { Select } from '../../../shared/ui/select.tsx';
import { OptionRow } from './option-row.tsx';
import styles from './port-pane.module.css';

export interface FramingFieldProps {
  readonly framing: Framing;
  readonly onChange: (framing: Framing) => void;
}

export function FramingField({ framing, onChange }: FramingFieldProps) {
  const id = useId();
  const { name } = framing;
  const options: Readonly<Record<string, FramingOption>> = framing.options;
  return (
    <>
      <div className={styles['row']}>
        <label htmlFor={id} className="silk">
          Split lines
        </label>
        <Select
          id={id}
          value={name}
          onChange={(event) => onChange(framingWith(framingNamed(event.currentTarget.value) ?? name, options))}
        >
          {framingNames.map((choice) => (
            <option key={choice} value={choice}>
              {framings[choice].title}
            </option>
          ))}
        </Select>
      </div>
      {Object.entries(framings[name].fields).map(([option, field]) => (
        <OptionRow
          key={`${name} ${option}`}
          field={field}
          value={options[option]}
          onChange={(value) => onChange(framingWith(name, { ...options, [option]: value }))}
        />
      ))}
    </>
  );
}
