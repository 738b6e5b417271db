import styles from './switch.module.css';

export interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean | undefined;
  /** Id of the element that describes the effect. */
  readonly describedBy?: string | undefined;
}

/** An on/off switch with immediate effect. */
export function Switch({ label, checked, onChange, disabled = false, describedBy }: SwitchProps) {
  return (
    <label className={styles['row']}>
      <input
        type="checkbox"
        role="switch"
        className={styles['switch']}
        checked={checked}
        aria-checked={checked}
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
