import styles from './readout.module.css';

export interface ReadoutProps {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

/** A large number with its unit, styled like the display of an instrument. */
export function Readout({ label, value, unit }: ReadoutProps) {
  return (
    <div className={styles['readout']}>
      <span className="silk">{label}</span>
      <b>
        {value}
        <small> {unit}</small>
      </b>
    </div>
  );
}
