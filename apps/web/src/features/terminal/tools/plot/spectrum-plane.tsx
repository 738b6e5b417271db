/** The spectra of the shown part of the plot, with the way they were read. Loaded when first chosen. */
import type { SeriesSpectrum, SpectrumCurve } from '@wirebench/serial/spectrum';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { toast } from '../../../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { readDecimal } from '../../panels/number-field.tsx';
import { Swatch, titleOf } from './lane-heads.tsx';
import { drawEdge, drawEnds, drawGrid, type PlaneCanvas, planeCanvas } from './plane-canvas.ts';
import { axisHeight, planeView, usePlaneLoop } from './plane-loop.ts';
import type { PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import type { PlaneProps } from './plot-plane.tsx';
import { plotNow, rateKey, type SpectrumLook, setLook, setRate, setSpectrum, usePlot } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import own from './spectrum-plane.module.css';
import {
  amplitudeNumber,
  decibelNumber,
  decibels,
  frequencyNumber,
  frequencyText,
  noSpectrumText,
  peakNames,
  rateText,
  spectrumFacts,
  windowNames,
} from './spectrum-words.ts';
import { scaleText } from './ticks.ts';

type Series = PlotFacts['series'][number];
type Picture = readonly SeriesSpectrum[];
type Scale = SpectrumLook['scale'];

/** Height of the scale in decibels, and distance of its ends. */
const decibelRange = 90;
const decibelStep = 10;
/** Lines that an arrow key with Shift passes. */
const manyLines = 10;
/** Room above the highest line of a lane, and height of a text, in px. */
const headroom = 22;
const textHeight = 14;

const scales = [
  { label: 'dB', value: 'db' },
  { label: 'Amplitude', value: 'amplitude' },
] as const satisfies readonly { readonly label: string; readonly value: Scale }[];

/** The place of the pointer in Hz. True: a key put it there. */
interface Pointed {
  readonly frequency: number;
  readonly isKey: boolean;
}

export function SpectrumPlane({ shown, hidden }: PlaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { window, scale } = usePlot(({ spectrum }) => spectrum);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const key = shown.map(({ id }) => id).join();
  const picture = usePlaneLoop<Picture>({
    canvas,
    key,
    read: ({ width }) => readSpectra(shown, hidden, width),
    paint: (element, spectra) => paintSpectra(element, spectra, shown),
  });
  const spectra = picture ?? [];
  const curves = spectra.filter(isDrawn);
  const top = Math.max(0, ...curves.map((curve) => curve.top));
  const share = pointed === null || top === 0 ? null : Math.min(1, pointed.frequency / top);

  const pressed = (event: React.KeyboardEvent) => {
    const [first] = curves;
    if (first === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const moved = movedBy(event.key, event.shiftKey, first, pointed?.frequency ?? null);
    if (moved === undefined || (moved === null && pointed === null)) {
      return;
    }
    setPointed(moved === null ? null : { frequency: moved, isKey: true });
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={styles['plane']}>
      <div className={own['spectrum']}>
        <div className={own['bar']}>
          <span className="silk" aria-hidden="true">
            Window
          </span>
          <Select
            aria-label="Window"
            value={window}
            onChange={({ currentTarget: { value } }) => {
              const chosen = (Object.keys(windowNames) as (keyof typeof windowNames)[]).find((one) => one === value);
              setSpectrum({ window: chosen ?? 'hann' });
            }}
          >
            {Object.entries(windowNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <Segmented label="Scale" options={scales} value={scale} onChange={(value) => setSpectrum({ scale: value })} />
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
        <div
          className={`ring-inside ${own['area']}`}
          role="group"
          aria-label="Spectrum: arrow keys move the pointer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the pointer.
          tabIndex={0}
          onKeyDown={pressed}
        >
          <div className={styles['lanes']} style={{ '--lanes': Math.max(1, shown.length) } as React.CSSProperties}>
            <ul className={styles['heads']} aria-label="Spectra">
              {shown.map((one) => (
                <SpectrumHead
                  key={one.id}
                  one={one}
                  spectrum={spectra.find(({ id }) => id === one.id)}
                  scale={scale}
                  pointed={pointed?.frequency ?? null}
                />
              ))}
            </ul>
            <div
              className={styles['curves']}
              onPointerMove={({ clientX, currentTarget }) => {
                const { left, width } = currentTarget.getBoundingClientRect();
                const at = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
                setPointed(top === 0 ? null : { frequency: at * top, isKey: false });
              }}
              onPointerLeave={() => setPointed((before) => (before?.isKey ? before : null))}
            >
              <canvas ref={canvas} role="img" aria-label="Spectra of the shown part" />
              {share === null ? null : (
                <div className={styles['hover']} style={{ left: `${share * 100}%`, bottom: axisHeight }} />
              )}
              <ul className={own['missing']} aria-label="Curves without a spectrum">
                {spectra.map((one) => (
                  <li key={one.id}>{'reason' in one ? noSpectrumText(one) : null}</li>
                ))}
              </ul>
            </div>
          </div>
        </div>
        <div className={own['facts']}>
          {shown.map((one) => (
            <SpectrumFacts key={one.id} one={one} spectrum={spectra.find(({ id }) => id === one.id)} />
          ))}
        </div>
        <p role="status" className="visually-hidden">
          {pointed?.isKey ? shown.map((one) => pointedSentence(one, curves, pointed.frequency, scale)).join(' ') : ''}
        </p>
      </div>
    </div>
  );
}

const isDrawn = (spectrum: SeriesSpectrum): spectrum is SpectrumCurve => !('reason' in spectrum);

/** Returns the column of a curve that is nearest to a frequency; null above its highest one. */
function columnAt({ columns, top }: SpectrumCurve, frequency: number): number | null {
  const column = Math.round((frequency / top) * (columns.length - 1));
  return column < columns.length ? column : null;
}

/** Returns the frequency to which a key moves the pointer. Null: it goes. Undefined: the key does nothing. */
function movedBy(key: string, isFar: boolean, curve: SpectrumCurve, from: number | null): number | null | undefined {
  const { frequencies, peaks, top } = curve;
  const last = frequencies.length - 1;
  switch (key) {
    case 'Escape':
      return null;
    case 'Home':
      return frequencies[0];
    case 'End':
      return frequencies[last];
    case 'ArrowLeft':
    case 'ArrowRight': {
      if (from === null) {
        // The highest peak, or the middle.
        return peaks[0]?.frequency ?? frequencies[Math.round(last / 2)];
      }
      const way = key === 'ArrowRight' ? 1 : -1;
      let column = columnAt(curve, Math.min(top, from)) ?? last;
      for (let step = 0; step < (isFar ? manyLines : 1); step++) {
        const here = frequencies[column];
        while (column + way >= 0 && column + way <= last && frequencies[column] === here) {
          column += way;
        }
      }
      return frequencies[column];
    }
    default:
      return undefined;
  }
}

/** Formats the value of a line: `−15.0 dB` or `178 mm/s²`. */
function lineValue(amplitude: number, scale: Scale, unit: string): string {
  return scale === 'db' ? `${decibelNumber(decibels(amplitude))} dB` : `${amplitudeNumber(amplitude)} ${unit}`.trim();
}

/** Returns the line at a frequency, or the highest peak without one; null if there is none. */
function lineOf(curve: SpectrumCurve, frequency: number | null) {
  if (frequency === null) {
    return curve.peaks[0] ?? null;
  }
  const column = columnAt(curve, frequency);
  return column === null
    ? null
    : { frequency: curve.frequencies[column] as number, amplitude: curve.columns[column] as number };
}

function pointedSentence(one: Series, curves: readonly SpectrumCurve[], frequency: number, scale: Scale): string {
  const curve = curves.find(({ id }) => id === one.id);
  const line = curve === undefined ? null : lineOf(curve, frequency);
  const { title, unit } = titleOf(one);
  return curve === undefined || line === null
    ? ''
    : `${title}: ${frequencyText(line.frequency, curve.bin)}, ${lineValue(line.amplitude, scale, unit)}.`;
}

interface SpectrumHeadProps {
  readonly one: Series;
  readonly spectrum: SeriesSpectrum | undefined;
  readonly scale: Scale;
  /** In Hz; null: the highest peak is named. */
  readonly pointed: number | null;
}

/** Name of a curve, with the pointed line or its highest peak. */
function SpectrumHead({ one, spectrum, scale, pointed }: SpectrumHeadProps) {
  const { title, unit } = titleOf(one);
  const line = spectrum === undefined || 'reason' in spectrum ? null : lineOf(spectrum, pointed);
  return (
    <li className={styles['head']}>
      <span className={styles['name']}>
        <Swatch id={one.id} />
        <span className={styles['title']}>{title}</span>
      </span>
      {spectrum === undefined ? null : 'reason' in spectrum ? (
        <span className={styles['value']}>no spectrum</span>
      ) : line === null ? (
        <span className={styles['value']}>{pointed === null ? 'no peak' : '–'}</span>
      ) : (
        <>
          <span className={styles['value']}>{frequencyText(line.frequency, spectrum.bin)}</span>
          <span className={styles['value']}>{lineValue(line.amplitude, scale, unit)}</span>
        </>
      )}
    </li>
  );
}

interface SpectrumFactsProps {
  readonly one: Series;
  readonly spectrum: SeriesSpectrum | undefined;
}

/** Peaks of a curve, how they were read, where the rate came from, and the field for a rate. */
function SpectrumFacts({ one, spectrum }: SpectrumFactsProps) {
  const { title, unit } = titleOf(one);
  const [open, setOpen] = useState(false);
  const given = usePlot(({ rates }) => rates[rateKey(one)] ?? null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  if (spectrum === undefined) {
    return null;
  }
  const curve = isDrawn(spectrum) ? spectrum : null;
  return (
    <section aria-label={`Spectrum of ${title}`}>
      {curve === null || curve.peaks.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">Hz</th>
              <th scope="col">dB</th>
              <th scope="col">{unit === '' ? 'amplitude' : unit}</th>
            </tr>
          </thead>
          <tbody>
            {curve.peaks.map(({ frequency, amplitude }, index) => (
              <tr key={frequency}>
                <th scope="row">{peakNames[index]}</th>
                <td>{frequencyNumber(frequency, curve.bin)}</td>
                <td>{decibelNumber(decibels(amplitude))}</td>
                <td>{amplitudeNumber(amplitude)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        {curve === null
          ? `${title}: no spectrum.`
          : `${curve.peaks.length === 0 ? `${title}: no peak stands out. ` : ''}${spectrumFacts(curve, unit)} ${rateText(curve.sampling)}`}{' '}
        <Button
          ref={button}
          size="sm"
          variant="quiet"
          aria-expanded={open}
          aria-label={`Set the rate of ${title}`}
          onClick={() => setOpen(!open)}
        >
          Set the rate
        </Button>
        {given === null ? null : (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Estimate the rate of ${title}`}
            onClick={() => setRate(one, null)}
          >
            Estimate the rate
          </Button>
        )}
      </p>
      {open ? <RateForm one={one} title={title} given={given} onClose={close} /> : null}
    </section>
  );
}

interface RateFormProps {
  readonly one: Series;
  readonly title: string;
  readonly given: number | null;
  readonly onClose: () => void;
}

/** Asks for the sampling rate of a curve. */
function RateForm({ one, title, given, onClose }: RateFormProps) {
  const [text, setText] = useState(given === null ? '' : String(given));
  const [tried, setTried] = useState(false);
  const id = useId();
  const rate = readDecimal(text);
  const isRight = rate !== null && rate > 0;
  return (
    <form
      className={own['rate']}
      aria-label={`Rate of ${title}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(!isRight);
        if (isRight) {
          setRate(one, rate);
          onClose();
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        }
      }}
    >
      <label htmlFor={id} className="silk">
        Points a second
      </label>
      <TextInput
        id={id}
        mono
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        value={text}
        aria-invalid={tried && !isRight ? true : undefined}
        aria-describedby={`${id}-unit ${id}-error`}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <span id={`${id}-unit`} className="small">
        Hz
      </span>
      <Button type="submit" size="sm">
        Set
      </Button>
      <div id={`${id}-error`} role="alert">
        {tried && !isRight ? <FieldError>Enter a number of points a second above 0, as 1000.</FieldError> : null}
      </div>
    </form>
  );
}

async function readSpectra(shown: readonly Series[], hidden: readonly number[], width: number): Promise<Picture> {
  const { spectrum, rates } = plotNow();
  const given = Object.fromEntries(
    shown.flatMap((one) => {
      const rate = rates[rateKey(one)];
      return rate === undefined ? [] : [[one.id, rate] as const];
    }),
  );
  const choice = { window: spectrum.window, rates: given };
  const found = await getBench()
    .call('plotSpectra', planeView(width, hidden), choice)
    .catch(() => {
      // The worker loads this part on first use.
      toast(LOAD_FAILED, { level: 'error' });
      setLook('time');
      return [];
    });
  const ids = shown.map(({ id }) => id);
  return found.filter(({ id }) => ids.includes(id)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

function paintSpectra(canvas: HTMLCanvasElement, picture: Picture | null, shown: readonly Series[]): void {
  const made = planeCanvas(canvas);
  if (made === null || picture === null) {
    return;
  }
  const top = Math.max(0, ...picture.map((one) => ('reason' in one ? 0 : one.top)));
  if (top > 0) {
    drawGrid(made, 0, top, ' Hz');
  }
  const tall = made.height / picture.length;
  for (const [index, one] of picture.entries()) {
    drawEdge(made, (index + 1) * tall);
    if (!('reason' in one)) {
      const series = shown.find(({ id }) => id === one.id);
      paintSpectrum(made, one, series === undefined ? '' : titleOf(series).unit, {
        upper: Math.round(index * tall),
        tall,
        top,
      });
    }
  }
}

interface Lane {
  readonly upper: number;
  readonly tall: number;
  /** Highest frequency of all lanes, in Hz. */
  readonly top: number;
}

function paintSpectrum(made: PlaneCanvas, curve: SpectrumCurve, unit: string, { upper, tall, top }: Lane): void {
  const { context, scale, width, colour } = made;
  const kind = plotNow().spectrum.scale;
  const most = curve.columns.reduce((one, other) => Math.max(one, other), 0);
  const high = kind === 'db' ? Math.ceil((most > 0 ? decibels(most) : 0) / decibelStep) * decibelStep : most || 1;
  const low = kind === 'db' ? high - decibelRange : 0;
  const yOf = (amplitude: number) => {
    const value = kind === 'db' ? decibels(amplitude) : amplitude;
    const part = Math.max(0, (value - low) / (high - low));
    return upper + tall - 1 - part * (tall - headroom * scale);
  };
  const wide = (width - 1) * (curve.top / top);
  const xOf = (frequency: number) => (frequency / curve.top) * wide;
  context.strokeStyle = colour(`--series-${lookOf(curve.id).colour}`);
  context.lineWidth = Math.max(1, 1.25 * scale);
  context.lineJoin = 'round';
  context.beginPath();
  for (const [column, amplitude] of curve.columns.entries()) {
    const x = (column / Math.max(1, curve.columns.length - 1)) * wide;
    context.lineTo(x, yOf(amplitude));
  }
  context.stroke();
  const reference = `0 dB = 1${unit === '' ? '' : ` ${unit}`}`;
  drawEnds(
    made,
    kind === 'db'
      ? {
          low: `${decibelNumber(low).replace('.0', '')} dB`,
          high: `${decibelNumber(high).replace('.0', '')} dB, ${reference}`,
        }
      : { low: null, high: `${scaleText(high, high)} ${unit}`.trim() },
    upper,
    tall,
  );
  paintPeaks(made, curve, { xOf, yOf, upper, kind, unit });
}

interface PeakPlaces {
  readonly xOf: (frequency: number) => number;
  readonly yOf: (amplitude: number) => number;
  readonly upper: number;
  readonly kind: Scale;
  readonly unit: string;
}

/** Names the peaks beside them, where there is room. The highest one has its value, too. */
function paintPeaks({ context, scale, width, colour }: PlaneCanvas, curve: SpectrumCurve, places: PeakPlaces): void {
  const { xOf, yOf, upper, kind, unit } = places;
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [
    // The upper end of the scale.
    { left: 0, right: 160 * scale, y: upper + 10 * scale },
  ];
  context.textAlign = 'left';
  for (const [index, { frequency, amplitude }] of curve.peaks.entries()) {
    const name = frequencyText(frequency, curve.bin);
    const text = index === 0 ? `${name}, ${lineValue(amplitude, kind, unit)}` : name;
    const long = context.measureText(text).width;
    const beside = xOf(frequency) + 8 * scale;
    const left = beside + long > width ? xOf(frequency) - 8 * scale - long : beside;
    const y = Math.max(upper + (textHeight / 2) * scale, yOf(amplitude) + 4 * scale);
    const isFree = taken.every(
      (other) => left > other.right || left + long < other.left || Math.abs(other.y - y) > textHeight * scale,
    );
    if (isFree && left >= 0) {
      taken.push({ left, right: left + long, y });
      context.fillStyle = colour(index === 0 ? '--color-text' : '--color-text-muted');
      context.fillText(text, left, y);
    }
  }
}
