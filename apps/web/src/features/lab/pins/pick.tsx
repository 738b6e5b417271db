/** Select with a label for a setting of a bus: a pin, a clock, a mode. */
import { type ReactNode, useId } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Select } from '../../../shared/ui/select.tsx';
import styles from './pick.module.css';

export interface PickProps {
  readonly label: string;
  readonly value: number;
  readonly disabled?: boolean | undefined;
  /** True: wide enough for more than two digits. */
  readonly wide?: boolean;
  readonly onChange: (value: number) => void;
  /** Options with numeric values. */
  readonly children: ReactNode;
}

export function Pick({ label, value, disabled, wide, onChange, children }: PickProps) {
  const id = useId();
  return (
    <span className={classNames(styles['pick'], wide && styles['wide'])}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <Select
        id={id}
        mono
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {children}
      </Select>
    </span>
  );
}

/** @param hertz Clocks to choose from, in Hz. */
export function ClockPick({
  hertz,
  ...props
}: Omit<PickProps, 'label' | 'children'> & { readonly hertz: readonly number[] }) {
  return (
    <Pick label="Clock" wide {...props}>
      {hertz.map((clock) => (
        <option key={clock} value={clock}>
          {clock / 1_000} kHz
        </option>
      ))}
    </Pick>
  );
}
