/** Form for the range of a lane's value axis, above the lanes. */
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { titleOf } from './lane-heads.tsx';
import type { Scale } from './lanes.ts';
import type { PlotCurvesHandle, PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { rateKey, setRange, usePlot } from './plot-store.ts';
import { ownRange, readRange, zoomStep } from './value-range.ts';

export interface RangeFormProps {
  /** The curve that names the lane. */
  readonly series: PlotFacts['series'][number];
  readonly curves: React.RefObject<PlotCurvesHandle | null>;
  readonly onClose: () => void;
}

const kinds = [
  { label: 'Auto', value: 'auto' },
  { label: 'Grows', value: 'grows' },
  { label: 'Own', value: 'own' },
] as const;

/** Digits of the ends that the fields are filled with. */
const endDigits = 6;

export function RangeForm({ series, curves, onClose }: RangeFormProps) {
  const range = usePlot(({ ranges }) => ranges[rateKey(series)] ?? null);
  const { title, unit } = titleOf(series);
  const own = (scale: Scale | null) => {
    const made = scale === null ? null : ownRange(roundedEnd(scale.low, scale), roundedEnd(scale.high, scale));
    if (made !== null) {
      setRange(series, made);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, which the row has no room for.
    <div
      className={styles['form']}
      role="group"
      aria-label={`Range of ${title}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        }
      }}
    >
      <div>
        <span className="silk" aria-hidden="true">
          Range
        </span>
        <Segmented
          label="Range of the value axis"
          options={kinds}
          value={range?.kind ?? 'auto'}
          onChange={(kind) => {
            if (kind === 'own') {
              own(curves.current?.scaleOf(series.id) ?? null);
            } else {
              setRange(series, kind === 'auto' ? null : kind);
            }
          }}
        />
        {range?.kind === 'own' ? <OwnRange series={series} low={range.low} high={range.high} /> : null}
        <span>{unit}</span>
      </div>
      <div>
        <span className="silk" aria-hidden="true">
          Zoom
        </span>
        <IconButton
          label="Zoom in on the values"
          size="sm"
          icon={<ZoomIn />}
          onClick={() => curves.current?.zoomValues(series.id, 1 / zoomStep)}
        />
        <IconButton
          label="Zoom out of the values"
          size="sm"
          icon={<ZoomOut />}
          onClick={() => curves.current?.zoomValues(series.id, zoomStep)}
        />
        <Button size="sm" variant="quiet" onClick={() => own(curves.current?.shownValues(series.id) ?? null)}>
          Fit what is shown
        </Button>
        <Button size="sm" className={styles['done']} onClick={onClose}>
          Done
        </Button>
      </div>
      <p>{title}. Ctrl and wheel over a lane zooms its values, a double click follows them again.</p>
    </div>
  );
}

/** Rounds an end of a scale to what a hundred-thousandth of the scale needs. */
function roundedEnd(end: number, { low, high }: Scale): number {
  const decimals = endDigits - 1 - Math.floor(Math.log10(high - low));
  return high > low && decimals >= 0 && decimals <= 20 ? Number(end.toFixed(decimals)) : end;
}

interface OwnRangeProps extends Pick<RangeFormProps, 'series'>, Scale {}

/** The two ends. They apply with Enter, or when the fields are left. */
function OwnRange({ series, low, high }: OwnRangeProps) {
  const id = useId();
  const fields = useRef<HTMLSpanElement>(null);
  /** Ends as they are being typed; null: those of the range. */
  const [typed, setTyped] = useState<{ readonly from: string; readonly to: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { from, to } = typed ?? { from: endText(low), to: endText(high) };
  const apply = () => {
    const read = typed === null ? null : readRange(from, to);
    setFault(typeof read === 'string' ? read : null);
    if (read !== null && typeof read !== 'string') {
      setRange(series, read);
      setTyped(null);
    }
  };
  const end = (label: string, value: string, change: (value: string) => void) => (
    <TextInput
      mono
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={fault === null ? undefined : true}
      aria-describedby={`${id}-fault`}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={(event) => {
        if (!fields.current?.contains(event.relatedTarget)) {
          apply();
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          apply();
        }
      }}
    />
  );
  return (
    <>
      <span ref={fields} className={styles['ends']}>
        {end('From', from, (value) => setTyped({ from: value, to }))}
        <span>to</span>
        {end('To', to, (value) => setTyped({ from, to: value }))}
      </span>
      <span id={`${id}-fault`} role="alert">
        {fault === null ? null : <FieldError>{fault}</FieldError>}
      </span>
    </>
  );
}

/** Writes an end without an exponent, as the field reads it. */
function endText(value: number): string {
  const text = String(Number(value.toPrecision(12)));
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}
