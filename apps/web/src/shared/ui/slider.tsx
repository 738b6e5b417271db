import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './slider.module.css';

export interface SliderProps {
  /** Accessible name. */
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Value as it is read out: `62 %`. */
  readonly valueText: string;
  readonly disabled?: boolean | undefined;
  /** Id of the element that describes it. */
  readonly describedBy?: string | undefined;
  /** The value has changed: while the slider is dragged, or by a key. */
  readonly onChange: (value: number) => void;
  /** The slider was let go, or moved by a key. */
  readonly onSettle: (value: number) => void;
}

/** Steps that Page Up and Page Down take. */
const pageSteps = 10;

/** A slider in the colour `--c` of its surroundings. Arrow keys move it by a step, Page keys by ten, Home and End to the ends. */
export function Slider(props: SliderProps) {
  const { label, min, max, step, value, valueText, disabled = false, describedBy, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const settle = useEffectEvent(props.onSettle);
  useEffect(() => {
    const { current } = input;
    // React's `onChange` is the browser's `input`, which comes while the slider is dragged.
    const changed = () => settle(Number(current?.value));
    current?.addEventListener('change', changed);
    return () => current?.removeEventListener('change', changed);
  }, []);
  return (
    <input
      ref={input}
      type="range"
      className={styles['slider']}
      style={{ '--part': (value - min) / (max - min) } as React.CSSProperties}
      aria-label={label}
      aria-valuetext={valueText}
      aria-describedby={describedBy}
      min={min}
      max={max}
      step={step}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      onKeyDown={(event) => {
        const steps = { PageUp: pageSteps, PageDown: -pageSteps }[event.key];
        const { current } = input;
        if (steps !== undefined && current !== null && !disabled) {
          // The browser's own page is a tenth of the range.
          event.preventDefault();
          current.value = String(value + steps * step);
          const next = Number(current.value);
          onChange(next);
          settle(next);
        }
      }}
    />
  );
}
