/** Readings of a device with their units, once or repeatedly, their curves, and a CSV file of all. */

import type { ChipReading } from '@wirebench/contract/chips';
import { chipFailureText, type ReadingResult, readingText } from '@wirebench/lab/chip-jkit';
import { Activity, Download, Pause, RefreshCw } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { type CurveSource, Curves } from '../curves/curves.tsx';
import { seriesCount } from '../curves/picture.ts';
import { useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useChoice } from '../store/drafts.ts';
import { useRun } from '../store/run.ts';
import { readOnce, startReading, stopReading } from './device-actions.ts';
import styles from './device-panel.module.css';
import { type History, historyOf, type OpenDevice, onDevicesChange, useDevices } from './device-store.ts';

const intervals = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 600_000, 3_600_000];
const spans = [
  { value: 60_000, label: '1 min' },
  { value: 600_000, label: '10 min' },
  { value: 3_600_000, label: '1 h' },
];
const spanValues = spans.map(({ value }) => value);

interface DeviceProps {
  readonly address: number;
  readonly device: OpenDevice;
}

/**
 * Exports readings as CSV, one column for each in the order of the JKit. Names come from any author, so they are
 * escaped.
 */

/** Returns one line for each time (RFC 4180), times as ISO 8601. A failed reading is empty. */
export function readingsCsv(
  readings: readonly Pick<ChipReading, 'name' | 'unit'>[],
  { times, values }: History,
): string {
  const head = ['time', ...readings.map(({ name, unit }) => cell(unit === '' ? name : `${name} (${unit})`))];
  const rows = times.map((at, row) =>
    [new Date(at).toISOString(), ...readings.map((_, column) => number(values[column]?.[row]))].join(','),
  );
  return [head.join(','), ...rows, ''].join('\r\n');
}

/**
 * Escapes a cell. Spreadsheets evaluate text that begins with one of these characters, and an apostrophe prevents
 * that.
 */
function cell(text: string): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const number = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : String(value));

export function DeviceReadings({ address, device }: DeviceProps) {
  const { readings, interval: usual } = device.chip.content;
  const choices = [...new Set([...intervals, usual])].toSorted((one, other) => one - other);
  const [interval, choose] = useChoice(`readings ${address} interval`, choices, device.interval ?? usual);
  const [span, setSpan] = useChoice(`readings ${address} span`, spanValues, 60_000);
  const { busy, run } = useRun();
  const id = useId();
  const isRunning = device.interval !== null;
  const liveVariant = useStepVariant('live', address);
  useDevices(({ revision }) => revision);
  const { times } = historyOf(address);
  const start = (every: number) => run(() => startReading(address, every));
  const save = () =>
    saveFile(new Blob([readingsCsv(readings, historyOf(address))], { type: 'text/csv' }), 'wirebench-readings.csv');
  if (readings.length === 0) {
    return <p className={panel['note']}>This JKit has no readings.</p>;
  }
  return (
    <>
      <div className={styles['bar']}>
        <Button
          size="sm"
          icon={<RefreshCw />}
          busy={busy}
          disabled={isRunning}
          onClick={() => void run(() => readOnce(address))}
        >
          Read once
        </Button>
        <Button
          size="sm"
          variant={liveVariant}
          icon={isRunning ? <Pause /> : <Activity />}
          pressed={isRunning}
          disabled={busy}
          onClick={() => void (isRunning ? run(() => stopReading(address)) : start(interval))}
        >
          Live
        </Button>
        <label htmlFor={`${id}-interval`} className="silk">
          Every
        </label>
        <Select
          id={`${id}-interval`}
          className={styles['views']}
          value={interval}
          onChange={({ currentTarget }) => {
            const every = Number(currentTarget.value);
            choose(every);
            if (isRunning) {
              void start(every);
            }
          }}
        >
          {choices.map((every) => (
            <option key={every} value={every}>
              {every < 1_000 ? `${every} ms` : every < 60_000 ? `${every / 1_000} s` : `${every / 60_000} min`}
            </option>
          ))}
        </Select>
        <Select
          className={styles['views']}
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
        <Button
          size="sm"
          variant="quiet"
          icon={<Download />}
          aria-label="Save the readings as CSV"
          disabled={times.length === 0}
          onClick={save}
        />
      </div>
      <ul className={styles['readings']} aria-label="Readings">
        {readings.map(({ name }, index) => (
          <li key={name}>
            <Reading
              address={address}
              index={index}
              name={name}
              result={device.results[index]}
              span={span}
              hasCurve={times.length > 1}
              isRunning={isRunning}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ReadingProps {
  readonly address: number;
  readonly index: number;
  readonly name: string;
  /** Undefined before the first reading. */
  readonly result: ReadingResult | undefined;
  readonly span: number;
  readonly hasCurve: boolean;
  /** True: readings come repeatedly, so a screen reader must not announce them. */
  readonly isRunning: boolean;
}

function Reading({ address, index, name, result, span, hasCurve, isRunning }: ReadingProps) {
  const [held, setHeld] = useState(false);
  const source = useMemo<CurveSource>(
    () => ({
      curves: () => {
        const { times, values } = historyOf(address);
        return [{ times, values: values[index] ?? [] }];
      },
      subscribe: onDevicesChange,
    }),
    [address, index],
  );
  return (
    <div className={styles['reading']}>
      <div className={styles['number']}>
        <span className="silk">{name}</span>
        <output className={styles['value']} aria-live={isRunning ? 'off' : 'polite'}>
          {result === undefined ? '–' : textOf(result)}
        </output>
        {result !== undefined && 'value' in result && result.isOutside ? (
          <span className={styles['outside']}>beyond what the chip can measure</span>
        ) : null}
      </div>
      {hasCurve ? (
        <Curves
          className={styles['curve']}
          source={source}
          colour={(index + 1) % seriesCount}
          label={`Curve of ${name}`}
          span={span}
          held={held}
          onHeld={setHeld}
        />
      ) : null}
    </div>
  );
}

function textOf(result: ReadingResult): string {
  return 'failure' in result ? chipFailureText[result.failure] : readingText(result.value, result.reading);
}
