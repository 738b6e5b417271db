/** Voltages over time: the sampled pins and their curves. */
import { Download, Eraser, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { type CurveSource, Curves } from '../curves/curves.tsx';
import { inOrder, seriesCount } from '../curves/picture.ts';
import panel from '../panel.module.css';
import {
  forgetSamples,
  maxSamples,
  onSamplesChange,
  type SampledPin,
  sampledPins,
  useSamples,
} from '../store/adc-samples.ts';
import { useChoice } from '../store/drafts.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, usePins } from '../store/lab-store.ts';
import { tell } from '../store/run.ts';
import styles from './analog-panel.module.css';

const spans = [
  { value: 10_000, label: '10 s' },
  { value: 60_000, label: '1 min' },
  { value: 600_000, label: '10 min' },
];
const spanValues = spans.map(({ value }) => value);

const source: CurveSource = {
  curves: () => sampledPins().map(({ times, volts }) => ({ times, values: volts })),
  subscribe: onSamplesChange,
};

/** Exports samples as a CSV file. */

/** Number of lines in one piece of text. */
const linesOfPiece = 50_000;

/**
 * Returns the CSV with one line for each sample (RFC 4180), times as ISO 8601. It comes in pieces, because the whole
 * text may exceed the longest string.
 */
export function samplesCsv(pins: readonly SampledPin[]): readonly string[] {
  const ranges = pins.map(({ times }) => ({ first: 0, end: times.length }));
  const pieces: string[] = [];
  let lines = ['time,gpio,raw,about_volts\r\n'];
  for (const { at, curve: pin, index } of inOrder(pins, ranges)) {
    const sampled = pins[pin];
    lines.push(
      `${new Date(at).toISOString()},${sampled?.gpio},${sampled?.raw[index]},${sampled?.volts[index]?.toFixed(3)}\r\n`,
    );
    if (lines.length === linesOfPiece) {
      pieces.push(lines.join(''));
      lines = [];
    }
  }
  return [...pieces, lines.join('')];
}

export function AnalogPanel() {
  const pins = usePins().filter(({ adc, rule }) => adc && rule !== 'locked');
  const owned = useLab(({ tick }) => tick.owned);
  const revision = useSamples((state) => state.revision);
  const dropped = useSamples((state) => state.dropped);
  const [span, setSpan] = useChoice('analog span', spanValues, 10_000);
  const [held, setHeld] = useState(false);
  const sampled = sampledPins();
  const toggle = (gpio: number, on: boolean) =>
    tell(() => (on ? getLab().call('setPin', gpio, { kind: 'adc' }) : getLab().call('releasePin', gpio)));
  const save = () => saveFile(new Blob([...samplesCsv(sampled)], { type: 'text/csv' }), 'wirebench-analog.csv');
  return (
    <section className={panel['panel']} aria-label="Analog">
      <div className={panel['head']}>
        <h2>Analog</h2>
        <span className={panel['facts']}>12-bit raw value, approximate voltage</span>
        <span className={`row tight ${panel['end']}`}>
          <Select
            className={styles['span']}
            aria-label="Time shown"
            value={span}
            onChange={({ currentTarget }) => setSpan(Number(currentTarget.value))}
          >
            {spans.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <Button size="sm" icon={held ? <Play /> : <Pause />} pressed={!held} onClick={() => setHeld(!held)}>
            Live
          </Button>
          <Button
            size="sm"
            variant="quiet"
            icon={<Eraser />}
            aria-label="Clear the samples"
            disabled={revision === 0}
            onClick={forgetSamples}
          />
          <Button
            size="sm"
            variant="quiet"
            icon={<Download />}
            aria-label="Save the samples as CSV"
            disabled={sampled.length === 0}
            onClick={save}
          />
        </span>
      </div>
      <div className={styles['body']}>
        <fieldset className={styles['pins']} aria-label="Pins to sample">
          {pins.map(({ gpio }) => {
            const owner = owned.find((one) => one.gpio === gpio)?.owner ?? null;
            const on = owner === 'adc';
            const index = sampled.findIndex((one) => one.gpio === gpio);
            const last = sampled[index];
            return (
              <Button
                key={gpio}
                size="sm"
                pressed={on}
                disabled={owner !== null && !on}
                className={styles['pin']}
                onClick={() => void toggle(gpio, !on)}
              >
                {index < 0 ? null : <i data-series={index % seriesCount} className={styles['swatch']} />}
                GPIO {gpio}{' '}
                {last === undefined || !on ? null : (
                  <b>
                    {last.raw.at(-1)} ≈ {last.volts.at(-1)?.toFixed(2)} V
                  </b>
                )}
              </Button>
            );
          })}
        </fieldset>
        {sampled.length === 0 ? (
          <p className={panel['note']}>
            Choose a pin to sample it. Not calibrated: voltages are approximate, and wrong near 0 V and above 2.5 V.
          </p>
        ) : (
          <>
            {dropped === 0 ? null : (
              <p className={panel['note']} role="status">
                The newest {count(maxSamples)} samples are kept. {count(dropped)} older ones are gone, and not in the
                CSV.
              </p>
            )}
            <Curves source={source} label="Curves of the sampled pins" span={span} held={held} onHeld={setHeld} />
          </>
        )}
      </div>
    </section>
  );
}
